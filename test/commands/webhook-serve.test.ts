import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {webhookServeView} from '../../src/commands/webhook/shared/serve-view.ts'
import {openHome} from '../helpers/cli.ts'

const context = {width: 80, colour: 0, ascii: false, now: 0, timeZone: 'UTC'} as const
const call = {
  event: 'e_1',
  at: Date.UTC(2026, 5, 15, 14, 2, 8),
  id: 'a',
  kind: 'payment',
  transactionType: 'RETAIL',
  merchant: 'Hotel Oslo',
  amount: 2300,
  currency: 'NOK',
  cardId: '3001',
  deadlineMs: 2000,
} as const

test('a line shows who, how much, the decision, and the share of the deadline', async () => {
  const decided = {type: 'auth', outcome: 'declined', code: '61', by: 'decline', repeated: false} as const
  expect(await webhookServeView({...call, ...decided, durationMs: 500}, context)).toBe(
    '14:02:08 auth Hotel Oslo        NOK  2\u202f300.00  decline 61  ██▌        500 ms',
  )
  expect(await webhookServeView({...call, type: 'late', durationMs: 2000}, context)).toBe(
    '14:02:08 auth Hotel Oslo        NOK  2\u202f300.00  LATE        ██████████ 2\u202f000 ms\n         the service has fallen back; the endpoint must undo its own hold',
  )
})

test.each([
  [1000, ''],
  [1001, 'over 50% of the deadline'],
  [1800, 'over 50% of the deadline'],
  [1801, 'over 90% of the deadline'],
])('%d of 2\u202f000 ms: the warning is in words too', async (durationMs, words) => {
  const decided = {type: 'auth', outcome: 'approved', code: '00', by: 'approve', repeated: false} as const
  const text = await webhookServeView({...call, ...decided, durationMs}, context)
  expect(text.replace(/^.* ms/, '')).toBe(words === '' ? '' : `\n         ${words}`)
})

test('bars stand below each other, and a terminal gets long names shortened', async () => {
  const ready = {...call, type: 'auth', code: '00', repeated: false, durationMs: 2} as const
  const lineOf = (changes: object, width = 80) =>
    webhookServeView({...ready, outcome: 'approved', by: 'approve', ...changes}, {...context, width})
  const lines = [
    await lineOf({}),
    await lineOf({outcome: 'broken', code: '500', by: 'rule hiccup'}),
    await lineOf({merchant: 'Verkkokauppa Esimerkki', amount: 0, kind: 'verification'}),
    await lineOf({merchant: '珈琲店', repeated: true}),
  ]
  expect(lines).toEqual([
    '14:02:08 auth Hotel Oslo        NOK  2\u202f300.00  approve     ▏          2 ms',
    '14:02:08 auth Hotel Oslo        NOK  2\u202f300.00  broken      ▏          2 ms\n         status 500  by rule hiccup',
    '14:02:08 auth Verkkokauppa Es…  NOK      0.00  approve     ▏          2 ms\n         verification',
    '14:02:08 auth 珈琲店            NOK  2\u202f300.00  approve     ▏          2 ms\n         repeated',
  ])
  expect(await lineOf({merchant: 'Verkkokauppa Esimerkki', repeated: true}, Number.POSITIVE_INFINITY)).toBe(
    '14:02:08 auth Verkkokauppa Esimerkki  NOK  2\u202f300.00  approve     ▏          2 ms  repeated',
  )
})

test('a call that took a minute fits 80 columns, and a part is told', async () => {
  const partial = {type: 'auth', outcome: 'partial', code: '10', by: 'approve', repeated: false} as const
  const part = {amount: 50, currency: 'NOK'}
  const text = await webhookServeView(
    {...call, ...partial, part, amount: 123456.78, deadlineMs: 60_000, durationMs: 59_999},
    context,
  )
  expect(text.split('\n').map(line => line.length)).toEqual([80, expect.any(Number)])
  expect(text).toContain('approved NOK 50.00')
})

test('what the contract does not know is shown, the first three of it', async () => {
  const decided = {type: 'auth', outcome: 'approved', code: '00', by: 'approve', repeated: false} as const
  const unknown = ['/transactionData/transactionType', '/a', '/b', '/c']
  expect(await webhookServeView({...call, ...decided, durationMs: 1, unknown}, context)).toMatch(
    / ms\n {9}unknown: \/transactionData\/transactionType \/a \/b …$/,
  )
})

test('a caller that has disconnected is reported as late', async () => {
  expect(
    await webhookServeView({...call, type: 'late', durationMs: 20, callerGone: true}, context),
  ).toContain('  the caller has gone: the service has fallen back')
})

test('the first line says who decides, and each saving of the rules what came of it', async () => {
  const ready = {type: 'ready', url: 'http://127.0.0.1:1', deadlineMs: 2000} as const
  expect(await webhookServeView({...ready, decides: ['rules.yaml', 'approve']}, context)).toBe(
    'listening on http://127.0.0.1:1  deadline 2\u202f000 ms  decides: rules.yaml, then approve  times in UTC',
  )
  const rules = {type: 'rules', at: call.at} as const
  const issues = ['rules.yaml:1:2: one thing', 'rules.yaml:3:4: another']
  expect(
    await webhookServeView({...rules, ok: false, message: '2 problems in rules.yaml', issues}, context),
  ).toBe(
    '14:02:08 rules 2 problems in rules.yaml  the old ones stay\n  rules.yaml:1:2: one thing\n  rules.yaml:3:4: another',
  )
  expect(
    await webhookServeView(
      {...rules, ok: false, message: issues[0] ?? '', issues: issues.slice(0, 1)},
      context,
    ),
  ).toBe('14:02:08 rules rules.yaml:1:2: one thing  the old ones stay')
})

test('the last line says which rules were used, and which never', async () => {
  const used = {type: 'rules-used', at: call.at} as const
  const rules = [
    {name: 'big ATM', hits: 1203},
    {name: 'hiccup', hits: 0},
    {name: 'fuel', hits: 1},
  ]
  expect(await webhookServeView({...used, rules}, context)).toBe(
    '14:02:08 rules used: big ATM 1\u202f203, fuel 1\n         never used: hiccup',
  )
  expect(await webhookServeView({...used, rules: rules.slice(1, 2)}, context)).toBe(
    '14:02:08 rules used: none\n         never used: hiccup',
  )
})

test('flags that cannot be meant are refused before anything is served', async () => {
  const home = await openHome()
  try {
    for (const flags of [
      ['--decline', '00'],
      ['--approve', '--decline', '51'],
      ['--forward-to', 'nowhere'],
      ['--forward-to', 'http://hooks.example.com'],
      ['--forward-to', 'http://hooks.example.com', '--confirm', 'example.com'],
      ['--exec', 'true', '--decline', '51'],
      ['--exec', ''],
      ['--exec', ' '],
      ['--rules', 'nowhere.yaml'],
      ['--ask'],
      ['--host', '0.0.0.0'],
      ['--path-prefix', 'hooks'],
      ['--deadline', '0s'],
    ]) {
      expect((await home.run(['webhook', 'serve', ...flags])).code, flags.join(' ')).toBe(2)
    }
  } finally {
    await home.remove()
  }
})

test.each([
  ['webhook', ['-o', 'csv'], '-o csv'],
  ['webhook', ['-o', 'yaml'], '-o yaml'],
  ['sandbox', ['--json'], '-o json'],
  ['webhook', ['--query', 'type', '-o', 'ndjson'], '--query'],
  ['sandbox', ['--columns', 'type'], '--columns'],
])('%s serve %j is refused before it starts: events have no end', async (topic, flags, named) => {
  const home = await openHome()
  try {
    const {code, stdout, stderr} = await home.run([topic, 'serve', ...flags])
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain(named)
    expect(stderr).toContain('Use -o ndjson')
    expect(existsSync(join(home.folder, '.local/share/cardctl/webhook'))).toBe(false)
  } finally {
    await home.remove()
  }
})

test('calls are recorded unless somebody says otherwise, where nothing stands in the way', async () => {
  const home = await openHome()
  try {
    const stopped = AbortSignal.abort('SIGTERM')
    const serve = (...flags: string[]) => home.run(['webhook', 'serve', ...flags], {signal: stopped})
    const file = join(home.folder, '.local/share/cardctl/webhook/events.db')
    expect((await serve('--no-record')).code).toBe(143)
    expect(existsSync(file)).toBe(false)
    expect((await serve()).code).toBe(143)
    expect(existsSync(file)).toBe(true)
    const own = join(home.folder, 'own.db')
    expect((await serve('--recording', own, '--durability', 'power')).code).toBe(143)
    expect(existsSync(own)).toBe(true)
    const {code, stderr} = await home.run(['webhook', 'serve', '--recording', home.folder])
    expect(code).toBe(3)
    expect(stderr).toContain(home.folder)
    expect(stderr).toContain('--no-record')
  } finally {
    await home.remove()
  }
})
