import {glob} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

interface FlagFacts {
  readonly type: 'boolean' | 'option'
  readonly options?: readonly string[]
}

const COMMANDS = join(import.meta.dirname, '../../src/commands')

/** Flags of lists that take a value which cannot be known: any other must refuse one that can match nothing. */
const FREE: Readonly<Record<string, string>> = {
  account: 'an id',
  card: 'an id',
  customer: 'an id',
  job: 'an id',
  ticket: 'an id of another system',
  trace: 'an id of another system',
  last4: 'four digits',
  search: 'a text',
  recording: 'a file',
  'unsent-rows': 'a file',
  store: 'a database',
  'store-ca': 'a file',
  'store-timeout': 'a time',
  since: 'a time',
  until: 'a time',
  limit: 'a number',
  'page-size': 'a number',
  'max-pages': 'a number',
}

/** Filters that have known values and no fixed list of them, each with a value that is none. */
const OPEN: Readonly<Record<string, string>> = {operation: 'pin.sett', resource: 'crad:3004'}

/** What a list needs besides to be asked at all. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'bulk results': ['j_01JD9'],
  'cards list': ['--customer', '1003'],
  'sandbox state list': ['cards'],
}

const lists: {words: string; flag: string; facts: FlagFacts}[] = []
for await (const file of glob('**/{list,results,events}.ts', {
  cwd: COMMANDS,
  exclude: ['index.ts', '**/shared/**'],
})) {
  const {default: command} = (await import(join(COMMANDS, file))) as {
    default: {flags?: Record<string, FlagFacts>}
  }
  const words = file.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ' ')
  for (const [flag, facts] of Object.entries(command.flags ?? {})) lists.push({words, flag, facts})
}
const chosen = lists.filter(({flag, facts}) => facts.type === 'option' && !(flag in FREE))

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe('a filter of a list', () => {
  test('is looked at in every list', () => {
    const filtered = new Set(chosen.map(({words, flag}) => `${words} --${flag}`))
    for (const one of ['audit list --operation', 'requests list --state', 'webhook events list --outcome']) {
      expect(filtered).toContain(one)
    }
  })

  test.each(chosen)(
    '$words --$flag refuses a value that can match nothing, and names what there is',
    async each => {
      const {words, flag, facts} = each
      const value = facts.options ? 'nonsense' : OPEN[flag]
      if (value === undefined) throw new Error(`Say in this test what --${flag} takes`)
      const {code, stdout, stderr} = await home.run([
        ...words.split(' '),
        ...(NEEDED[words] ?? []),
        `--${flag}`,
        value,
      ])
      expect({code, stdout}).toEqual({code: 2, stdout: ''})
      expect(stderr).toContain(`--${flag}`)
      expect(stderr).toMatch(facts.options ? facts.options.join(', ') : /Did you mean (pin\.set|card:3004)\?/)
    },
  )

  test('takes a trace id, or a whole TRACEPARENT, and nothing else', async () => {
    const id = '0af7651916cd43dd8448eb211c80319c'
    for (const trace of [id, id.toUpperCase(), `00-${id}-b7ad6b7169203331-01`])
      expect(await home.json(['requests', 'list', '--trace', trace])).toEqual([])
    for (const trace of ['xyz', id.slice(1), '0'.repeat(32), `00-${id}-b7ad6b7169203331`]) {
      const {code, stdout, stderr} = await home.run(['requests', 'list', '--trace', trace])
      expect({code, stdout}).toEqual({code: 2, stdout: ''})
      expect(stderr).toContain('--trace takes the 32 hexadecimal digits of a trace, or a whole TRACEPARENT.')
    }
  })

  test('refuses a kind of thing and a profile that do not exist', async () => {
    expect(await home.run(['sandbox', 'state', 'list', 'crads'])).toMatchObject({code: 2, stdout: ''})
    expect(await home.run(['audit', 'list', '-p', 'nowhere'])).toMatchObject({code: 3, stdout: ''})
  })

  test.each([
    ['audit list --resource 999999'],
    ['audit list --resource card:999999 --operation pin'],
    ['requests list --resource 999999'],
    ['requests list --job j_01JD9 --operation accounts.patchCredit.v4'],
  ])('finds nothing for an id that was never touched, which is no error: %s', async line => {
    expect(await home.json(line.split(' '))).toEqual([])
  })
})

describe('--operation', () => {
  test.each([
    ['accounts.patchCredit.v4', 1],
    ['accounts.patchCredit', 1],
    ['accounts', 2],
    ['pricelists', 1],
    ['pin', 0],
  ])('%s names operations from the left, dot by dot', async (name, count) => {
    const other = await openHome()
    try {
      await other.json(['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', '5'])
      await other.json(['accounts', 'patch', '2002', '--type', 'debit', '--name', 'Household'])
      await other.json(['pricelists', 'patch', '5001', '--code', 'NEW'])
      expect(await other.json(['audit', 'list', '--operation', name])).toHaveLength(count)
      expect(await other.json(['requests', 'list', '--operation', name])).toHaveLength(count)
    } finally {
      await other.remove()
    }
  })

  test('also takes a method and path that the contract does not know', async () => {
    await home.run(['api', 'POST', '/v1/loyalty/88123', '--group', 'accounts', '-F', 'points=3'])
    const argv = ['requests', 'list', '--operation', 'POST /v1/loyalty/88123']
    expect(await home.json(argv)).toHaveLength(1)
  })
})

test.each([
  ['audit list --operation pin.set --resource 2999', 'No entries match --operation pin.set --resource 2999.'],
  ['requests list --state unknown --limit 3', 'No requests match --state unknown.'],
  ['webhook events list --failed --search nowhere', 'No calls match --failed --search nowhere.'],
])('%s names the filters, of which one may be wrong', async (line, message) => {
  const own = await openHome()
  onTestFinished(() => own.remove())
  expect((await own.run(line.split(' '))).stdout).toContain(message)
  expect((await own.run([...line.split(' '), '-o', 'json'])).stdout).toBe('[]\n')
})

test('a list without filters says only that it is empty', async () => {
  const own = await openHome()
  onTestFinished(() => own.remove())
  expect((await own.run(['audit', 'list', '--limit', '3'])).stdout).toContain('No entries.')
})
