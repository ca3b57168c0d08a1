import {readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const set = async (verb: string, ...more: string[]) =>
  expect((await home.run(['accounts', verb, '2001', '--type', 'credit', ...more])).code).toBe(0)
const seen = async (argv: readonly string[], columns?: number) =>
  (await home.run(argv, columns === undefined ? {} : {columns})).stderr.replaceAll(/\s+/g, ' ')
const WARNING = 'Account 2001 was set to ACCOUNT_BLOCKED from this machine'

/** Card 3001 is on account 2001. */
const READS = [
  'find 3001',
  'find 2001',
  'find 900000000003001',
  'find --card-number',
  'cards get 3001',
  'cards get --reference 900000000003001',
  'cards get 3001 --api-version v3',
  'cards get 3001 -q',
  'cards get 3001 -o json --query status',
  'cards list --account 2001',
  'cards list --account 2001 --api-version v3',
  'cards list --account 2001 -q',
  'cards list --account 2001 -o ndjson',
  'cards list --account 2001 --status CARD_OK -o csv',
  'cards list --customer 1001 --all -o json',
].map(line => ({line, argv: line.split(' ')}))

describe('a card whose account was blocked from this machine', () => {
  test.each(READS)('is never shown without that: $line', async ({argv}) => {
    const stdin = argv.includes('--card-number') ? {stdin: '4111111111111111\n'} : {}
    const told = async () => (await home.run(argv, stdin)).stderr.replaceAll(/\s+/g, ' ')
    expect(await told()).not.toContain('Account 2001')
    await set('block')
    expect(await told()).toContain(WARNING)
    await set('unblock')
    expect(await told()).not.toContain('Account 2001')
  })

  test('is told as JSON to a program', async () => {
    await set('block')
    const {stderr} = await home.run(['cards', 'get', '3001', '-o', 'json'])
    const [line = ''] = stderr.split('\n').filter(text => text.includes('ACCOUNT_BLOCKED_HERE'))
    expect(JSON.parse(line)).toMatchObject({
      warning: {
        code: 'ACCOUNT_BLOCKED_HERE',
        account: '2001',
        status: 'ACCOUNT_BLOCKED',
        effect: 'done',
        request: expect.stringMatching(/^r_/),
      },
    })
  })

  test('has a field for it in the JSON of find, and words in its CSV', async () => {
    await set('block')
    for (const what of ['3001', '2001']) {
      const {found} = await home.json<{found: object[]}>(['find', what])
      expect(found).toMatchObject([
        {
          blockedAccounts: [
            {account: '2001', status: 'ACCOUNT_BLOCKED', note: expect.stringContaining(WARNING)},
          ],
        },
      ])
      const {stdout} = await home.run(['find', what, '-o', 'csv'])
      expect(stdout).toContain('account 2001 was set to ACCOUNT_BLOCKED from this machine')
    }
    await set('unblock')
    const {found} = await home.json<{found: object[]}>(['find', '3001'])
    expect(found[0]).not.toHaveProperty('blockedAccounts')
  })

  test('leads on a terminal to what was done to the account', async () => {
    await set('block')
    expect(await seen(['cards', 'list', '--account', '2001'], 80)).toContain('cardctl history account 2001')
  })

  test('is told after other changes, and after a refusal', async () => {
    await set('block')
    await set('limit', '100')
    expect((await home.run(['accounts', 'unblock', '2001', '--type', 'debit'])).code).toBe(6)
    expect(await seen(['cards', 'get', '3001'])).toContain(WARNING)
  })

  test('is told after many other changes of the account', async () => {
    await set('block')
    const rows = Array.from({length: 210}, (_, at) => `2001,${at + 1}\n`).join('')
    const stdin = `id,creditLimit\n${rows}`
    const bulk = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '--unordered']
    expect((await home.run(bulk, {stdin})).code).toBe(0)
    expect(await seen(['cards', 'get', '3001'])).toContain(WARNING)
  })

  test('is told while another process works with the journal, whose log has the block', async () => {
    await home.run(['accounts', 'limit', '2001', '100', '--type', 'credit'])
    const [file = ''] = await journals()
    const other = new DatabaseSync(file)
    try {
      other.prepare('SELECT count(*) FROM request').get()
      await set('block')
      expect(await seen(['cards', 'get', '3001'])).toContain(WARNING)
    } finally {
      other.close()
    }
  })

  test('is not told after the block was undone, and again after that was undone', async () => {
    await set('unblock')
    await set('block')
    expect((await home.run(['requests', 'undo', 'last', '--yes'])).code).toBe(0)
    expect(await seen(['cards', 'get', '3001'])).not.toContain('Account 2001')
    expect((await home.run(['requests', 'undo', 'last', '--yes'])).code).toBe(0)
    expect(await seen(['cards', 'get', '3001'])).toContain(WARNING)
  })

  test.each([
    ['block', 'sets it to ACCOUNT_BLOCKED'],
    ['unblock', 'sets it to ACCOUNT_OK'],
  ])('may be blocked if the effect of the last %s is unknown', async (verb, words) => {
    if (verb === 'unblock') await set('block')
    const fault = ['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--drop', 'after']
    await home.run([...fault, '--count', '9'])
    expect((await home.run(['accounts', verb, '2001', '--type', 'credit'])).code).toBe(10)
    const told = await seen(['cards', 'get', '3001'])
    expect(told).toContain('Account 2001 may be out of use')
    expect(told).toContain(words)
    expect(told).toMatch(/requests resolve r_/)
    await home.run(['sandbox', 'faults', 'clear'])
    await home.run(['requests', 'resolve', 'last'])
    const after = await seen(['cards', 'get', '3001'])
    if (verb === 'block') expect(after).toContain(WARNING)
    else expect(after).not.toContain('Account 2001')
  })

  test('is told if the account was closed', async () => {
    await set('close', '--confirm', 'ACCOUNT_TO_CLOSE')
    expect(await seen(['cards', 'get', '3001'])).toContain('Account 2001 was set to ACCOUNT_TO_CLOSE')
  })

  test('has in its history what was done to its account', async () => {
    expect(await home.json(['history', 'card', '3001'])).toEqual([])
    await set('block', '--reason', 'Stolen')
    const entries = await home.json(['history', 'card', '3001'])
    expect(entries).toMatchObject([{did: 'block credit account 2001 (reason: Stolen)', state: 'done'}])
    const local = await home.run(['history', 'card', '3001', '--local'])
    expect(local.stderr).toContain('The journal does not know the account of this card')
  })
})

test('a card is shown although the journal cannot be read, and says that it is not known', async () => {
  await set('block')
  const [file = ''] = await journals()
  await writeFile(file, 'not a journal')
  const {code, stdout, stderr} = await home.run(['cards', 'get', '3001', '-o', 'json'])
  expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('CARD_OK')})
  expect(stderr).toContain('ACCOUNT_UNKNOWN')
})

async function journals(): Promise<string[]> {
  const folder = join(home.folder, '.local/share/cardctl/journal')
  return (await readdir(folder)).filter(name => name.endsWith('.db')).map(name => join(folder, name))
}
