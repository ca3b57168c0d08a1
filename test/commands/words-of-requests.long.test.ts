// What history, requests list, the shift report and an undo say about the same changes.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Told {
  readonly did: string
  readonly request?: string
  readonly id?: string
  readonly undoneBy?: string
}

const done = async (line: string) => expect((await home.run(line.split(' '))).code, line).toBe(0)

/** A morning at a desk, the oldest first: the command, and what is said about it at the end. */
const MORNING: readonly (readonly [line: string, words: string])[] = [
  ['accounts limit 2001 6 --type credit', 'change the limit of credit account 2001 to 6'],
  [
    'accounts limit 2001 60000000 --type credit --note Typo',
    'change the limit of credit account 2001: 6 → 60\u202f000\u202f000 (undone: back to 6)',
  ],
  ['requests undo last --yes', 'undo: change the limit of credit account 2001: 60\u202f000\u202f000 → 6'],
  ['accounts unblock 2001 --type credit', 'unblock credit account 2001'],
  ['accounts block 2001 --type credit', 'block credit account 2001 (undone: back to ACCOUNT_OK)'],
  ['requests undo last --yes', 'undo: unblock credit account 2001'],
  ['accounts block 2001 --type credit --reason Stolen', 'block credit account 2001 (reason: Stolen)'],
  [
    'accounts patch 2001 --type credit --name Kids -F creditLimit=7000.5',
    'change credit account 2001: creditLimit 6 → 7\u202f000.5, name Kids',
  ],
  [
    'accounts patch 2001 --type credit --name Pets --credit-limit 8000',
    'change credit account 2001: creditLimit 7\u202f000.5 → 8\u202f000, name Kids → Pets (undone: name back to Kids)',
  ],
  ['requests undo last --only name --yes', 'undo: change credit account 2001: name Pets → Kids'],
  ['pricelists patch 5001 --code NEW', 'change price list 5001: code NEW'],
  ['pricelists patch 5001 --code NEWER', 'change price list 5001: code NEW → NEWER'],
  ['accounts unblock 2005 --type MULTICURR_EUR_FI', 'unblock account 2005 (MULTICURR_EUR_FI)'],
]

describe('a change and its undo', () => {
  test('are told in the same words in every list, report and format', async () => {
    for (const [line] of MORNING) await done(line)
    const words = MORNING.map(([, text]) => text)
    const ids = (await home.json<Told[]>(['requests', 'list'])).map(({id}) => id).reverse()

    expect((await home.json<Told[]>(['requests', 'list'])).map(({did}) => did).reverse()).toEqual(words)
    const ofAccount = words.filter(text => text.includes('account 2001'))
    const history = await home.json<Told[]>(['history', 'account', '2001'])
    expect(history.map(({did}) => did).reverse()).toEqual(ofAccount)
    const report = await home.json<{entries: Told[]}>(['report', 'shift', '--local'])
    expect(report.entries.map(({did}) => did)).toEqual(words)
    expect(report.entries.map(({request}) => request)).toEqual(ids)
    for (const [at, id] of ids.entries())
      expect(await home.json(['requests', 'show', String(id)])).toMatchObject({did: words[at]})
    // Each says which request undid it.
    const [, typo] = report.entries
    expect(typo).toMatchObject({undoneBy: ids[2], sent: {creditLimit: 60_000_000}, before: {creditLimit: 6}})
    expect(history.find(({request}) => request === ids[1])).toMatchObject({undoneBy: ids[2]})

    for (const argv of [
      ['requests', 'list'],
      ['report', 'shift', '--local'],
      ['history', 'account', '2001'],
    ]) {
      const csv = (await home.run([...argv, '-o', 'csv', '--columns', 'did', '--no-header'])).stdout
      const expected = argv[0] === 'history' ? ofAccount : words
      const inOrder = argv[0] === 'report' ? expected : expected.toReversed()
      expect(csv).toBe(inOrder.map(text => `${/[,"]/.test(text) ? `"${text}"` : text}\n`).join(''))
      const text = unwrapped((await home.run(argv, {columns: 250})).stdout)
      for (const each of expected) expect(text).toContain(unwrapped(each))
      if (argv[0] !== 'history')
        expect(text).toContain('A value before an arrow was last sent from this machine.')
    }
    const file = join(home.folder, 'shift.html')
    await done(`report shift --local --html ${file}`)
    const page = readFileSync(file, 'utf8').replaceAll('&gt;', '>')
    for (const each of words) expect(page).toContain(`>${each}<`)
    expect(page).toContain('A value before an arrow was last sent from this machine.')
  })

  test('are asked about in the words that they are told in afterwards', async () => {
    await done('accounts limit 2001 6 --type credit')
    await done('accounts limit 2001 60000000 --type credit')
    const asked = await home.run(['requests', 'undo'], {typed: [['Continue?', 'y']]})
    const {did} = JSON.parse(
      (await home.run(['requests', 'list', '--limit', '1', '-o', 'ndjson'])).stdout,
    ) as Told
    expect(did).toBe('undo: change the limit of credit account 2001: 60\u202f000\u202f000 → 6')
    expect(unwrapped(asked.stderr)).toContain(`${unwrapped(did)}. The former values are sent again.`)
    expect(asked.stdout).toContain(did)
  })

  test('an undo after a later change names the value that it replaces', async () => {
    await done('accounts limit 2001 6 --type credit')
    await done('accounts limit 2001 60000000 --type credit')
    const [{id} = {id: ''}] = await home.json<Told[]>(['requests', 'list', '--limit', '1'])
    await done('accounts limit 2001 7 --type credit')
    const words = 'undo: change the limit of credit account 2001: 7 → 6'
    expect((await home.run(['requests', 'undo', String(id), '--yes'])).stdout).toContain(words)
    expect(await home.json(['requests', 'list', '--limit', '1'])).toMatchObject([{did: words}])
  })

  test('may be undone if the effect of the undo is unknown, and is not if it had none', async () => {
    await done('accounts limit 2001 6 --type credit')
    await done('accounts limit 2001 9 --type credit')
    const [{id} = {id: ''}] = await home.json<Told[]>(['requests', 'list', '--limit', '1'])
    const told = async () => (await home.json<Told>(['requests', 'show', String(id)])).did
    const words = 'change the limit of credit account 2001: 6 → 9'
    const fault = ['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--count', '9']
    await home.run([...fault, '--drop', 'after'])
    expect((await home.run(['requests', 'undo', String(id), '--yes'])).code).toBe(10)
    expect(await told()).toBe(`${words} (may be undone: back to 6)`)
    expect(
      await home.run(['requests', 'resolve', 'last', '--found', 'no-effect', '--because', 'looked', '--yes']),
    ).toMatchObject({code: 0})
    expect(await told()).toBe(words)
  })

  test('a refused change says what was asked for, and no former value', async () => {
    await done('accounts limit 2001 6 --type credit')
    expect((await home.run('accounts limit 2001 9 --type fleet'.split(' '))).code).not.toBe(0)
    expect(await home.json(['history', 'account', '2001', '--limit', '1'])).toMatchObject([
      {did: 'change the limit of fleet account 2001 to 9', state: 'refused'},
    ])
  })

  test('on a terminal without UTF-8 the arrows are ASCII', async () => {
    await done('accounts limit 2001 6 --type credit')
    await done('accounts limit 2001 9 --type credit')
    for (const line of [
      'requests list',
      'report shift --local',
      'history account 2001',
      'requests show last',
    ]) {
      const {stdout} = await home.run(line.split(' '), {columns: 200, env: {LC_ALL: 'C', LANG: 'C'}})
      expect(stdout, line).toContain('6 -> 9')
    }
  })
})

test('a long list has the words that each of its requests has alone', async () => {
  // Some fields were last sent far back, and many requests begin in one millisecond.
  const line = (row: number) => {
    const limit = row % 3 === 0 ? '' : row
    const name = row % 37 === 0 ? `N${row}` : ''
    return `2001,${limit === '' && name === '' ? row : limit},${name}\n`
  }
  const stdin = `id,creditLimit,name\n${Array.from({length: 90}, (_, at) => line(at + 1)).join('')}`
  const now = Date.now()
  const bulk = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '--rate', 'off']
  await home.run(bulk, {stdin, now: () => now})
  const list = await home.json<Told[]>(['requests', 'list'])
  expect(list.length).toBe(90)
  expect(list.filter(({did}) => did.includes('→')).length).toBeGreaterThan(60)
  for (const {id, did} of list.filter((_, at) => at % 4 === 0))
    expect(await home.json(['requests', 'show', String(id)])).toMatchObject({did})
})

test('requests list has the note', async () => {
  await done('accounts limit 2001 6 --type credit --note Typo')
  expect((await home.run(['requests', 'list'], {columns: 200})).stdout).toMatch(/Note[\s\S]*Typo/)
})

test('a field that is masked or has parts is named without a value', async () => {
  const stdin = JSON.stringify({usageLimits: [{code: 'DAILY', amount: 5}]})
  await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--no-check-input', '--data', '-'], {
    stdin,
  })
  expect(await home.json(['requests', 'list'])).toMatchObject([
    {did: 'change credit account 2001: usageLimits'},
  ])
})

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')
