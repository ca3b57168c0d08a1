// What is offered for the last word of a command line, from the manifest, the profiles and the journal.
import {execFileSync} from 'node:child_process'
import {readFile, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest'
import {complete, completionText, type Facts} from '../../src/cli/completion/complete.ts'
import {knownValues} from '../../src/cli/completion/known-values.ts'
import type {KnownIds} from '../../src/cli/completion/values.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {topics} from '../../src/cli/package-files.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

const {commands} = readManifest()

const IDS: KnownIds = {
  requests: ['r_02', 'r_01'],
  jobs: ['j_01'],
  resources: ['card:3004', 'account:2001', 'batch:88001', 'card:3001', 'pricelist:5001', 'customer:1003'],
}

const facts: Facts = {
  commands,
  topics,
  helpTopics,
  known: {
    profiles: () => ['sandbox', 'prod'],
    ids: profile => (profile === 'prod' ? {...IDS, resources: ['card:7001']} : IDS),
    fromContracts: () => undefined,
  },
}

const offered = (line: string) => complete(line.split(' '), facts)
const valuesFor = (line: string): string[] => offered(line).candidates.map(({value}) => value)

it.each([
  ['ca', ['cards']],
  ['cards ', ['control-token', 'get', 'list', 'payment-info', 'plastics']],
  ['cards g', ['get']],
  ['sandbox sta', ['state']],
  ['sandbox state ', ['list', 'set', 'show']],
  ['pricelists ', ['delete', 'patch', 'period']],
  ['bogus ', []],
  ['cards bogus ', []],
  ['constructor ', []],
  ['--v', ['--version']],
  ['cards --he', ['--help']],
  ['-p prod cards g', ['get']],
  ['cards -o json g', ['get']],
  ['-p sandbox --qu', ['--query', '--quiet']],
  ['-p ', ['sandbox', 'prod']],
  ['-p prod cards get 30', []],
  ['help exit', ['exit-codes']],
  ['help cards g', ['get']],
])('the words of commands: "%s"', (line, values) => {
  expect(valuesFor(line)).toEqual(values)
})

it.each([
  ['cards get --ref', ['--reference']],
  ['cards get --pan', ['--pan-stdin']],
  ['cards list --limit 3 --a', ['--account', '--api-version', '--audit-user', '--as']],
  ['cards get --json --ou', []],
  ['cards get -o json --ou', []],
  ['accounts patch 1 -F a=b --fi', ['--field']],
  ['cards get --no-str', ['--no-strict']],
  ['cards get -- --ref', []],
])('flags, also repeatable ones again, none twice and none that excludes another: "%s"', (line, values) => {
  expect(valuesFor(line)).toEqual(values)
})

it('flags of the command itself come first', () => {
  const values = valuesFor('accounts patch 2001 --')
  expect(values[0]).toBe('--type')
  expect(values.indexOf('--status')).toBeLessThan(values.indexOf('--field'))
  expect(values.indexOf('--dry-run')).toBeLessThan(values.indexOf('--profile'))
})

it.each([
  ['cards get -o ', ['table', 'json', 'ndjson', 'csv', 'yaml']],
  ['cards get --output=j', ['--output=json']],
  ['api ', ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']],
  ['completion ', ['bash', 'zsh', 'fish', 'powershell', 'install', 'uninstall']],
  ['completion install ', ['bash', 'zsh', 'fish', 'powershell']],
  ['cards get -p ', ['sandbox', 'prod']],
  ['-p prod cards get ', ['7001']],
  ['cards get --profile=p', ['--profile=prod']],
  ['profiles use ', ['sandbox', 'prod']],
  ['profiles add ', []],
  ['cards get ', ['3004', '3001']],
  ['cards get -p prod ', ['7001']],
  ['cards get --profile=prod ', ['7001']],
  ['accounts patch ', ['2001']],
  ['a2a get 8', ['88001']],
  ['pricelists patch ', ['5001']],
  ['cards list --customer ', ['1003']],
  ['cards list --account=', ['--account=2001']],
  ['requests show ', ['r_02', 'r_01']],
  ['requests list --resource card', ['card:3004', 'card:3001']],
  ['bulk resume ', ['j_01']],
  [
    'requests list --operation accounts.patchC',
    ['accounts.patchCredit.v4', 'accounts.patchCreditReminder.v4'],
  ],
  ['accounts patch 2001 --credit-limit ', []],
  ['accounts patch 2001 --type cr', ['credit']],
  ['accounts patch 2001 --status ACCOUNT_B', ['ACCOUNT_BLOCKED']],
  ['accounts patch 2001 --status ACCOUNT_TO', []],
])('values: "%s"', (line, values) => {
  expect(valuesFor(line).toSorted()).toEqual(values.toSorted())
})

it.each([
  ['bulk run --from ', 'files', ''],
  ['bulk run --from=', 'files', '--from='],
  ['sandbox serve --data ', 'folders', ''],
  ['accounts patch 1 --data @x', 'files', '@'],
  ['profiles add p --secret file:x', 'files', 'file:'],
  ['contract import ', 'files', ''],
])('the shell completes names of files: "%s"', (line, names, prefix) => {
  expect(offered(line)).toEqual({candidates: [], names, prefix})
})

it('for a secret offers only where it comes from', () => {
  expect(valuesFor('profiles add p --secret ')).toEqual(['env:', 'file:', 'cmd:', '-'])
})

it('every command can be typed by completion alone, word by word', () => {
  for (const id of Object.keys(commands)) {
    const words = id.split(':')
    for (const [at, word] of words.entries())
      expect(valuesFor([...words.slice(0, at), word.slice(0, 1)].join(' '))).toContain(word)
    expect(valuesFor(`${words.join(' ')} --js`)).toEqual(['--json'])
  }
})

it('offers only what continues the word, one line each, whatever is typed', () => {
  const word = fc.oneof(
    fc.constantFrom('cards', 'get', '-o', '--output=', '-p', '--', '--from', 'help', 'x', '@', 'file:'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(word, {minLength: 1, maxLength: 6}), words => {
      const completion = complete(words, facts)
      for (const {value} of completion.candidates) expect(value.startsWith(words.at(-1) ?? '')).toBe(true)
      const lines = completionText(completion).trimEnd().split('\n')
      expect(lines).toHaveLength(completion.candidates.length + 1)
      expect(lines[0]).toMatch(/^(values|values nospace|(files|folders) .*)$/)
    }),
  )
})

describe('profiles and ids of a home', () => {
  let home: Home
  const known = () =>
    knownValues({env: {HOME: home.folder}, platform: 'linux', homedir: home.folder, osUser: 'tester'})
  const journal = () => join(home.folder, '.local/share/cardctl/journal/sandbox.db')
  const NONE: KnownIds = {requests: [], jobs: [], resources: []}

  beforeAll(async () => {
    home = await openHome()
  })
  afterAll(() => home.remove())

  it('there are none in a new home, and looking creates nothing', async () => {
    expect(known().profiles()).toEqual(['sandbox'])
    expect(known().ids(undefined)).toEqual(NONE)
    await expect(stat(join(home.folder, '.local'))).rejects.toThrow()
    await expect(stat(join(home.folder, '.config'))).rejects.toThrow()
  })

  it('what a command touched is offered, the newest first', async () => {
    await home.run(['profiles', 'add', 'other', '--kind', 'test', '--base-url', 'http://127.0.0.1:9'])
    const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=7000']
    const send = ['a2a', 'create', '--transfer', '2006:2007:1.50:EUR:rent', '--yes']
    for (const argv of [patch, send]) expect((await home.run(argv)).code).toBe(0)
    expect(known().profiles()).toEqual(['sandbox', 'other'])
    const {requests, resources} = known().ids('sandbox')
    expect(requests.length).toBeGreaterThanOrEqual(2)
    expect(resources).toEqual(['account:2006', 'account:2007', 'batch:88001', 'account:2001'])
    expect(known().ids('other')).toEqual(NONE)
    expect(known().ids('no-such-profile')).toEqual(NONE)
  })

  it.each(['--yes', '-x', '4111111111111111'])('an id of the service such as %s is not offered', async id => {
    const service = await openService(undefined, own => {
      const body = JSON.parse(Buffer.from(own.body).toString())
      return reply(own.status, {...body, id})
    })
    const own = await openHome()
    onTestFinished(() => own.remove())
    const env = {CARDCTL_BASE_URL: service.url}
    const sent = await own.run(['a2a', 'create', '--transfer', '2006:2007:1.50:EUR:rent', '--yes'], {env})
    await service.close()
    expect(sent.code, sent.stderr).toBe(0)
    const of = {
      env: {HOME: own.folder, ...env},
      platform: 'linux',
      homedir: own.folder,
      osUser: 'tester',
    } as const
    const known = knownValues(of)
    const {candidates} = complete(['a2a', 'watch', ''], {...facts, known})
    expect(candidates).toEqual([])
    expect(known.ids(undefined).resources).toEqual(['account:2006', 'account:2007'])
  })

  it('the commands of imported contracts are offered, with what their documents describe', async () => {
    const run = ['contract', 'import', 'examples/billing.yaml', '--name', 'billing', '-p', 'sandbox']
    expect((await home.run(run)).code).toBe(0)
    const values = (line: string) =>
      complete(line.split(' '), {...facts, known: known()}).candidates.map(({value}) => value)
    expect(values('x ')).toEqual(['invoices'])
    expect(values('x -p sandbox inv')).toEqual(['invoices'])
    expect(values('x invoices get')).toEqual(['get-invoice', 'get-invoice-pdf'])
    expect(values('x invoices list-invoices --c')).toContain('--customer-id')
    // A read takes no body and no key; a write does.
    expect(values('x invoices list-invoices --idem')).toEqual([])
    expect(values('x invoices create-invoice --fi')).toEqual(['--field'])
    expect(values('x bogus ')).toEqual([])
    expect(values('x invoices bogus ')).toEqual([])
    expect(values('x -p other ')).toEqual([])
    await writeFile(join(home.folder, '.local/share/cardctl/contracts/sandbox/billing.contract'), 'damaged')
    expect(values('x ')).toEqual([])
  })

  it('a journal that is locked, damaged, gone or a pipe offers no ids, and no error', async () => {
    const {DatabaseSync} = await import('node:sqlite')
    const writer = new DatabaseSync(journal())
    writer.exec('BEGIN EXCLUSIVE')
    expect(known().ids('sandbox').requests.length).toBeGreaterThan(0)
    writer.exec('ROLLBACK')
    writer.close()
    const bytes = await readFile(journal())
    await writeFile(journal(), bytes.fill(0x55, 0, 3000))
    expect(known().ids('sandbox')).toEqual(NONE)
    await rm(journal())
    expect(known().ids('sandbox')).toEqual(NONE)
    if (process.platform !== 'win32') execFileSync('mkfifo', [journal()])
    expect(known().ids('sandbox')).toEqual(NONE)
    await rm(journal(), {force: true})
    await writeFile(join(home.folder, '.config/cardctl/profiles.json'), '{"schema"')
    expect(known().profiles()).toEqual(['sandbox'])
    expect(known().ids('sandbox')).toEqual(NONE)
  })
})
