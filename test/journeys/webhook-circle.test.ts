// The circle on one machine, each part a process of its own: a sandbox that asks, a listener that decides, a card that
// is used.
import {expect, test} from 'vitest'
import {type Ended, emptyHome, run, start, until} from '../helpers/binary.ts'
import {isWhole} from '../helpers/whole.ts'

type Line = Record<string, unknown>

const WHO = {WHO: 'service:open sesame'}

/** Starts a server and waits for its first line. */
async function serve(home: string, argv: readonly string[]) {
  const {child, ended, stdout, stderr} = start(home, [...argv, '-o', 'ndjson'], {env: WHO})
  const lines = (): Line[] =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  const ready = await until(() => {
    if (child.exitCode !== null) throw new Error(stderr())
    return lines()[0]
  })
  expect(ready.type).toBe('ready')
  const end = async (): Promise<Ended> => {
    child.kill('SIGTERM')
    return await ended
  }
  return {ready, url: String(ready.url), lines, end}
}

test('a card is used, and a webhook decides: approval, refusal, holds, reversal, clearing, fallback', async () => {
  const home = await emptyHome()
  const listen = ['webhook', 'serve', '--tls', '--auth', 'basic:env:WHO', '--path-prefix', '/hooks']
  let listener = await serve(home, listen)
  const {port} = new URL(listener.url)
  const ask = ['--webhook-url', listener.url, '--webhook-auth', 'basic:env:WHO', '--webhook-deadline', '5s']
  const sandbox = await serve(home, [
    ...['sandbox', 'serve', '--memory', ...ask, '--webhook-ca', String(listener.ready.ca)],
  ])
  const add = ['profiles', 'add', 'served', '--kind', 'sandbox', '--base-url', sandbox.url, '--auth', 'none']
  expect(await run(home, add)).toMatchObject({code: 0})
  const cardctl = async (argv: readonly string[], code = 0): Promise<Line> => {
    const done = await run(home, [...argv, '-p', 'served', '-o', 'json'])
    expect(done.code, done.stderr).toBe(code)
    return done.stdout === '' ? {} : JSON.parse(done.stdout)
  }
  const use = (amount: string, more: readonly string[] = [], code = 0) =>
    cardctl(
      ['sandbox', 'authorize', '--card', '3001', '--amount', amount, '--currency', 'EUR', ...more],
      code,
    )

  const hotel = await use('120', ['--scenario', 'hotel'])
  expect(hotel).toMatchObject({
    status: 'APPROVED',
    decidedBy: 'client',
    clientDurationMs: expect.any(Number),
    hold: {amount: 120},
    availableAmount: {amount: 4880},
  })
  const {id, transactionId} = hotel as {id: string; transactionId: string}
  expect(await use('30', ['--scenario', 'hotel-increment', '--transaction', transactionId])).toMatchObject({
    hold: {amount: 150},
  })
  expect(await cardctl(['sandbox', 'authorizations', 'reverse', id, '--down-to', '90'])).toMatchObject({
    hold: {amount: 90},
  })
  await cardctl(['sandbox', 'authorizations', 'clear', id, '--amount', '40', '--not-final'])
  await cardctl(['sandbox', 'authorizations', 'clear', id, '--amount', '60'])
  expect(await cardctl(['sandbox', 'authorizations', 'show', id])).toMatchObject({
    clearedAmount: {amount: 100},
    holdStatus: 'CLEARED',
    clearings: [{status: 'POSTED'}, {status: 'POSTED'}],
  })
  // What the service refuses itself is not asked.
  await cardctl(['sandbox', 'authorize', '--card', '3002', '--amount', '5', '--currency', 'EUR'], 6)
  const told = await until(() => listener.lines().length >= 5 && listener.lines())
  expect(told.slice(1)).toMatchObject([
    {type: 'warm-up'},
    {type: 'auth', kind: 'payment', merchant: 'Hotel Oslo', amount: 120, outcome: 'approved'},
    {type: 'auth', kind: 'payment', messageCategory: 'INCREMENTAL_AUTHORIZATION', amount: 30},
    {type: 'auth', kind: 'reversal', amount: 60, outcome: 'approved'},
  ])

  // Nobody there: the fallback decides.
  expect((await listener.end()).code).toBe(143)
  await use('10', [], 6)
  // Another listener at the same place, of which the sandbox cannot know that it is ours.
  listener = await serve(home, [...listen, '--port', port, '--decline', '51'])
  await use('10', [], 6)
  expect((await listener.end()).code).toBe(143)

  const list = await run(home, ['sandbox', 'authorizations', 'list', '-p', 'served', '-o', 'ndjson'])
  const decided = list.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(decided.map(({decidedBy, status}) => `${decidedBy} ${status}`)).toEqual([
    'fallback DECLINED',
    'fallback DECLINED',
    'service DECLINED',
    'client APPROVED',
    'client APPROVED',
    // The one of the demo data.
    'service APPROVED',
  ])
  expect(decided.every(({durationMs, reason}) => durationMs >= 0 && reason !== '')).toBe(true)
  expect(await sandbox.end()).toMatchObject({
    code: 143,
    stderr: expect.stringContaining('SERVER_ENDED'),
  })
})

test.runIf(isWhole)('the embedded sandbox calls the webhook too, and so does a served one', async () => {
  const home = await emptyHome()
  const listener = await serve(home, ['webhook', 'serve', '--decline', '51'])
  const use = [
    'sandbox',
    'authorize',
    '--card',
    '3001',
    '--amount',
    '12.50',
    '--currency',
    'EUR',
    '-p',
    'sandbox',
  ]
  const declined = await run(home, [...use, '--webhook-url', listener.url, '-o', 'json'])
  expect(declined.code).toBe(6)
  expect(declined.stderr).toContain('Declined with 51 by client')
  expect(await until(() => listener.lines()[2])).toMatchObject({type: 'auth', code: '51', amount: 12.5})
  expect((await run(home, use)).code).toBe(0)
  const elsewhere = await run(home, [...use.slice(0, -2), '--webhook-url', listener.url], {
    env: {CARDCTL_BASE_URL: 'http://127.0.0.1:9'},
  })
  expect(elsewhere).toMatchObject({code: 2, stderr: expect.stringContaining('sandbox serve')})
  await listener.end()
})
