import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const PATCH = 'accounts.patchCredit.v4'

interface Account {
  readonly creditLimit: number
  readonly effects: number
}

let home: Home
let folder: string
beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-bulk-rows-'))
})
afterEach(async () => {
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const bulk = (words: readonly string[], stdin: string, more: readonly string[] = []) =>
  home.run(['bulk', 'run', ...words, '--from', '-', '--rate', 'off', ...more], {stdin})
const account = () => home.json<Account>(['sandbox', 'state', 'show', 'account', '2001'])
const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

describe('which operation', () => {
  test.each([
    ['by its id', [PATCH]],
    ['by the command', ['accounts', 'patch', '--type', 'credit']],
    ['by the command as one word', ['accounts patch', '--type', 'CREDIT']],
  ])('%s', async (_, words) => {
    expect((await bulk(words, 'id,creditLimit\n2001,77\n')).code).toBe(0)
    expect(await account()).toMatchObject({creditLimit: 77, effects: 1})
    expect(await home.json(['bulk', 'list'])).toMatchObject([{operation: PATCH}])
  })

  test('warns of a deprecated one that its id names, and of no other', async () => {
    const {code, stderr} = await bulk(['cards.get.v3'], 'id\n3001\n')
    expect(code).toBe(0)
    expect(stderr).toContain('GET /v3/{id} is deprecated. The service offers GET /v4/{id} instead.')
    expect((await bulk(['cards.get.v4'], 'id\n3001\n')).stderr).not.toContain('deprecated')
  })

  test('a deprecated one is not meant, nor one that bulk never sends', async () => {
    expect((await bulk(['cards', 'get'], 'id\n3001\n')).code).toBe(0)
    expect(await home.json(['bulk', 'list'])).toMatchObject([{operation: 'cards.get.v4'}])
  })

  test.each([
    [['accounts', 'patch'], 'accounts.patchDebit.v4'],
    [['accounts', 'patch', '--type', 'gold'], 'accounts.patchCredit.v4'],
    [['accounts', 'mend'], 'neither an operation of the contract'],
    [['accounts.patchCredit.v5'], 'Did you mean accounts.patchCredit.v4?'],
    [['profiles', 'list'], 'neither an operation of the contract'],
    [['pin', 'view'], 'secret'],
    [['a2a', 'create'], 'a2a create --from'],
    [['a2a', 'plan'], 'a2a create --from'],
    [['accounts', 'limit'], 'bulk run accounts patch --type credit'],
    [['remotecheckout', 'delete'], 'Add --type card or'],
    [['wallets', 'provision'], 'secret'],
  ])('%j is refused, with what would do', async (words, said) => {
    const {code, stderr} = await bulk(words, 'id\n2001\n')
    expect([2, 3]).toContain(code)
    expect(stderr).toContain(said)
  })
})

describe('what rows have in common', () => {
  test('is on the command line; the value of a row overrides it', async () => {
    const file = join(folder, 'out.ndjson')
    const rows = 'id,creditLimit\n2001,\n2001,8\n'
    const more = ['-F', 'creditLimit=5000', '--results', file, '--concurrency', '1']
    expect((await bulk([PATCH], rows, more)).code).toBe(0)
    expect(lines(await readFile(file, 'utf8')).map(({state}) => state)).toEqual(['done', 'done'])
    expect(await account()).toMatchObject({creditLimit: 8, effects: 2})
  })

  test('and goes to path and query too', async () => {
    const flags = ['-F', 'path:id=2001', '-F', 'creditLimit=6']
    expect((await bulk([PATCH], '{}\n{}\n', flags)).code).toBe(0)
    expect(await account()).toMatchObject({creditLimit: 6, effects: 2})
  })

  test('has the failed rows, to be sent again', async () => {
    const file = join(folder, 'failed.csv')
    const flags = ['-F', 'creditLimit=6', '--failed-rows', file]
    expect((await bulk([PATCH], 'id\n999999\n', flags)).code).toBe(5)
    const failed = await readFile(file, 'utf8')
    expect((await bulk([PATCH], failed.replace('999999', '2001'))).code).toBe(0)
    expect(await account()).toMatchObject({creditLimit: 6})
  })
})

describe('--rows', () => {
  const patch = (rows: string, stdin: string, ...more: string[]) =>
    bulk([PATCH], stdin, ['--rows', rows, '--yes', ...more])
  const [header, first, second] = ['id,creditLimit\n', '2001,6500\n', '2001,65\n']

  test.each([
    ['3', header + first + second, 'stdin has 2 rows, not 3 as --rows says'],
    ['1', header + first + second, 'stdin has 2 rows, not 1 as --rows says'],
    ['2', header, 'stdin has 0 rows, not 2 as --rows says'],
    ['0', header + first, 'stdin has 1 row, not 0 as --rows says'],
  ])('%s refuses any other number before anything is sent', async (rows, stdin, said) => {
    const before = await account()
    const {code, stderr} = await patch(rows, stdin)
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining(said)})
    expect(await account()).toEqual(before)
    expect(await home.json(['bulk', 'list'])).toEqual([])
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  test('sends the rows if there are as many, also without the check of rows', async () => {
    expect((await patch('1', header + first)).code).toBe(0)
    expect((await patch('2', header + first, '--no-precheck')).code).toBe(2)
    expect(await account()).toMatchObject({creditLimit: 6500, effects: 1})
    expect((await patch('0', header)).code).toBe(0)
  })

  test('guards a job with a key also when it is continued', async () => {
    const keyed = (rows: string, stdin: string) => patch(rows, stdin, '--job-key', 'nightly')
    expect((await keyed('1', header + first)).code).toBe(0)
    expect((await keyed('2', header + first)).code).toBe(2)
    expect((await keyed('1', header + first)).code).toBe(0)
  })
})

describe('ids of a row', () => {
  test.each([
    ['null', 'null'],
    ['a list', '[2001]'],
    ['an object', '{"a":1}'],
    ['a truth value', 'true'],
    ['a fraction', '2001.5'],
    ['minus zero', '-0'],
  ])('%s is refused by row, before anything is sent', async (_, id) => {
    const stdin = `{"id":2001,"creditLimit":1}\n{"id":${id},"creditLimit":2}\n`
    const {code, stderr} = await bulk([PATCH], stdin)
    expect(code).toBe(2)
    expect(stderr).toContain('row 2')
    expect(stderr).toContain('id must be text or a whole number')
    expect(await account()).toMatchObject({effects: 0})
    expect(await home.json(['bulk', 'list'])).toEqual([])
  })

  test('a whole number is the id with its digits', async () => {
    expect((await bulk([PATCH], '{"id":2001,"creditLimit":7}\n')).code).toBe(0)
    expect(await account()).toMatchObject({creditLimit: 7})
  })

  test('an empty cell is no id', async () => {
    const {code, stderr} = await bulk([PATCH], 'id,creditLimit\n2001,1\n,2\n')
    expect(code).toBe(2)
    expect(stderr).toContain('row 2')
    expect(await account()).toMatchObject({effects: 0})
  })
})

describe('results', () => {
  const rows = `id,creditLimit\n${Array.from({length: 30}, (_, at) => `${at % 7 === 3 ? 999999 : 2001},${at}\n`).join('')}`

  test('on stdout, in the order of the rows, and nothing else there', async () => {
    const {code, stdout} = await bulk([PATCH], rows, ['--results', '-'])
    expect(code).toBe(11)
    expect(lines(stdout).map(({row}) => row)).toEqual(Array.from({length: 30}, (_, at) => at + 1))
  })

  test.each(['ndjson', 'csv'])('as they end, all of them, as %s', async format => {
    const file = join(folder, `out.${format}`)
    expect((await bulk([PATCH], rows, ['--results', file, '--as-they-end'])).code).toBe(11)
    const text = (await readFile(file, 'utf8')).trim().split('\n')
    const [states, numbers] =
      format === 'csv'
        ? [
            text.slice(1).map(line => line.split(',')[2]),
            text.slice(1).map(line => Number(line.split(',')[0])),
          ]
        : [text.map(line => JSON.parse(line).state), text.map(line => JSON.parse(line).row)]
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({length: 30}, (_, at) => at + 1))
    expect(states.filter(state => state === 'failed')).toHaveLength(1)
    expect(states.filter(state => state === 'held')).toHaveLength(3)
  })

  test('as they end, those of an earlier run first', async () => {
    const file = join(folder, 'out.ndjson')
    await home.run(['sandbox', 'faults', 'add', '--operation', PATCH, '--drop', 'after', '--count', '9'])
    const faulty = await bulk([PATCH], rows, ['--concurrency', '1'])
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const [job] = await home.json<{job: string; sent: number}[]>(['bulk', 'list'])
    expect(faulty.code).toBe(11)
    expect(job?.sent).toBeGreaterThan(0)
    await home.run(['bulk', 'resume', job?.job ?? '', '--rate', 'off', '--results', file, '--as-they-end'])
    const ended = lines(await readFile(file, 'utf8'))
    expect(new Set(ended.map(({row}) => row)).size).toBe(30)
    expect(ended).toHaveLength(30)
  })
})
