import {writeFile} from 'node:fs/promises'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {callerOf, callerText} from '../../src/cli/caller.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

describe('the caller', () => {
  it.each<
    [env: Record<string, string>, as: 'person' | 'job' | 'agent' | undefined, terminal: boolean, text: string]
  >([
    [{}, undefined, true, 'person'],
    [{}, undefined, false, 'job'],
    [{}, 'job', true, 'job'],
    [{}, 'agent', true, 'agent'],
    [{CLAUDECODE: '1'}, undefined, true, 'agent claude-code'],
    [{CURSOR_AGENT: '1'}, undefined, false, 'agent cursor'],
    [{GEMINI_CLI: '1'}, undefined, false, 'agent gemini-cli'],
    [{CODEX_SANDBOX: 'seatbelt'}, undefined, false, 'agent codex'],
    [{AGENT: 'amp'}, undefined, false, 'agent amp'],
    [{AGENT: 'build-7'}, undefined, false, 'job'],
    [{AI_AGENT: 'Devin@1'}, undefined, false, 'agent devin@1'],
    [{CARDCTL_AGENT: 'nightly-bot', CURSOR_AGENT: '1'}, undefined, false, 'agent nightly-bot'],
    [{CARDCTL_AGENT: ''}, undefined, false, 'job'],
    // A name that can't be one, or may be a card number, is none.
    [{CARDCTL_AGENT: '1'}, undefined, false, 'agent'],
    [{CARDCTL_AGENT: 'x\r\nevil: 1'}, undefined, false, 'agent'],
    [{CARDCTL_AGENT: 'n4111111111111111'}, undefined, false, 'agent'],
    // A mark only tightens.
    [{CLAUDECODE: '1'}, 'person', true, 'agent claude-code'],
    [{CARDCTL_AGENT: 'a'}, 'job', false, 'agent a'],
  ])('of %j, --as %s, terminal %s, is: %s', (env, as, terminal, text) => {
    expect(callerText(callerOf(env, as, terminal))).toBe(text)
  })
})

let home: Home
let service: Service
beforeAll(async () => {
  home = await openHome()
  service = await openService()
  for (const [name, kind] of [['prod', 'live']] as const)
    await home.json([
      ...['profiles', 'add', name, '--kind', kind, '--base-url', service.url],
      ...['--profile-audit-user', 'Aino Virtanen', '--auth', 'none'],
    ])
  await writeFile(`${home.folder}/rows.csv`, 'accountId,creditLimit\n2001,5000\n')
})
afterAll(async () => {
  await service.close()
  await home.remove()
})
let before = 0
beforeEach(() => {
  before = service.requests.length
})

const AGENT = {CARDCTL_AGENT: 'tester'}
const run = (line: string, options: RunOptions = {}) =>
  home.run(line.replaceAll('FOLDER', home.folder).split(' '), options)
const sent = () => service.requests.slice(before)
const writes = () => sent().filter(({method}) => method !== 'GET')
const PATCH = 'accounts patch 2001 --type credit -F creditLimit=5000 -p prod'

it('an agent on live finds no card by trying numbers, and nobody sends one in the clear', async () => {
  await writeFile(`${home.folder}/clear.json`, '{"cardNumber":"4111111111111111"}')
  await writeFile(`${home.folder}/secret.json`, '{"encryptedData":"eyJhIjoxfQ.a.b.c.d"}')
  const search = (file: string, env = {}) =>
    run(`api POST /v4/card/cardnumber --data @FOLDER/${file}.json -p prod`, {env})
  for (const file of ['clear', 'secret'])
    expect(await search(file, AGENT)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/not for an agent/),
    })
  expect(await search('clear')).toMatchObject({code: 3, stderr: expect.stringMatching(/encrypted only/)})
  expect(sent()).toEqual([])
  await search('secret')
  expect(sent()).toHaveLength(1)
})

it.each([
  PATCH,
  'accounts close 2001 --type credit --confirm ACCOUNT_TO_CLOSE -p prod',
  'api PATCH /v4/CREDIT/2001 --data {"creditLimit":5} -p prod',
  'a2a create --transfer 2006:2007:1.00:EUR --confirm-count 1 --confirm-total EUR:1 -p prod',
  'cards control-token 3001 -p prod',
  'cards payment-info 3001 --reveal -p prod',
  'pricelists delete 5002 --confirm 5002 -p prod',
])('an agent on live sends nothing: %s', async line => {
  for (const options of [{env: AGENT}, {env: {CLAUDECODE: '1', CARDCTL_YES: '1'}}]) {
    const {code, stdout, stderr} = await run(
      `${line} --yes --confirm 2001`.replace('--confirm 5002 -p', '-p'),
      options,
    )
    expect([code, stdout]).toEqual([expect.toSatisfy(found => found === 2 || found === 3), ''])
    expect(stderr).not.toMatch(/profiles edit prod --(no|kind)|Add --(yes|confirm)/)
    // Transfers are compared with the batches of the service first.
    expect(sent().filter(({url}) => !url.includes('/a2a/'))).toEqual([])
    expect(writes()).toEqual([])
  }
})

it('a write becomes a proposal, which a live profile without a folder for them refuses', async () => {
  const {code, stderr} = await run(`${PATCH} --yes`, {env: AGENT})
  expect(code).toBe(3)
  expect(stderr).toContain(
    'An agent sends no writes to a live profile: nothing is sent, and a proposal is made instead.',
  )
  // It is told who decides, and no command that changes it.
  expect(stderr).toContain('The person who looks after the profile prod decides about its settings.')
  expect(stderr).not.toMatch(/sudo|profiles edit/)
  const [entry] = await home.json<object[]>('audit list --kind refuse --limit 1'.split(' '))
  expect(entry).toMatchObject({operation: 'accounts patch', profile: 'prod', outcome: 'refused'})
  const rows = await run(
    'bulk run accounts.patchCredit.v4 --from FOLDER/rows.csv --map accountId=id -p prod --yes',
    {env: AGENT},
  )
  expect([rows.code, rows.stderr]).toEqual([3, expect.stringContaining('is not for an agent')])
  expect(writes()).toEqual([])
})

it('is not taught how to give a live profile a key for card numbers', async () => {
  const search = () =>
    home.run('cards get --pan-stdin -p prod'.split(' '), {env: AGENT, stdin: '4111111111111111\n'})
  expect((await search()).stderr).not.toContain('profiles edit')
  expect(await home.run('audit verify'.split(' '))).toMatchObject({code: 0})
})

it.each<[env: Record<string, string>, profile: string]>([
  [{CARDCTL_KIND: 'sandbox'}, 'prod'],
  [{CARDCTL_KIND: 'sandbox', CARDCTL_BASE_URL: 'SERVICE'}, ''],
])('a variable that would loosen a live profile leaves an entry: %j', async (env, profile) => {
  const own = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace('SERVICE', service.url)]),
  )
  const count = async () =>
    (await home.json<object[]>('audit list --kind refuse --limit 1000'.split(' '))).length
  const entries = await count()
  const {code} = await run(`${PATCH.replace(' -p prod', profile === '' ? '' : ' -p prod')} --yes`, {env: own})
  expect([code, writes(), await count()]).toEqual([2, [], entries + 1])
})

it('reads as a person does, and shows what it would send', async () => {
  expect((await run('cards get 3001 -p prod', {env: AGENT})).code).toBe(0)
  const {code, stdout} = await run(`${PATCH} --dry-run`, {env: AGENT})
  expect([code, stdout]).toEqual([0, expect.stringContaining('creditLimit')])
})

it('in a terminal of an agent, a person types the name, also with --yes and --confirm', async () => {
  const declined = await run(`${PATCH} --yes --confirm 2001`, {
    env: AGENT,
    typed: [
      ['Type 2001 to confirm:', 'y'],
      ['once more', 'y'],
    ],
  })
  expect([declined.code, writes().length]).toEqual([2, 0])
  const {code} = await run(`${PATCH} --yes --confirm 2001`, {
    env: AGENT,
    typed: [['Type 2001 to confirm:', '2001']],
  })
  expect([code, writes().length]).toEqual([0, 1])
  const move =
    'a2a create --transfer 2006:2007:1.00:EUR --confirm-count 1 --confirm-total EUR:1 --yes -p prod'
  expect((await run(move, {env: AGENT, typed: [['to confirm:', 'no']]})).code).toBe(2)
  expect(writes()).toHaveLength(1)
})

it('is in the journal, the audit trail and the User-Agent; a sandbox is as for a person', async () => {
  expect((await run(`${PATCH} --yes`)).code).toBe(0)
  const version = service.requests.at(-1)?.headers['user-agent']
  expect(version).toMatch(/^cardctl\/\S+ \(job\)$/)
  const local = 'accounts patch 2001 --type credit -F creditLimit=4000 --yes -p sandbox'
  expect((await run(local, {env: AGENT})).code).toBe(0)
  expect(await home.json(['requests', 'show', 'last', '-p', 'sandbox'])).toMatchObject({
    caller: 'agent tester',
  })
  const entries = await home.json<{caller: string}[]>(['audit', 'list', '--limit', '2'])
  expect(entries.map(({caller}) => caller)).toEqual(['agent tester', 'job'])
  expect((await run('audit list --limit 1')).stdout).toContain('(agent tester)')
})

it('an agent reads nothing but JSON on stderr, with -o json', async () => {
  for (const line of [
    'accounts patch 2001 --type credit --credit-limit 5000 -o json',
    'cards get 99 -o json',
    'a2a create --transfer 2006:2007:12:EUR:x --yes -o json',
    'cards list --customer 1001 --limit 1 -o ndjson',
  ]) {
    const {stderr} = await home.run(line.split(' '), {env: {CARDCTL_AGENT: 'robot'}})
    const lines = stderr.split('\n').filter(text => text !== '')
    for (const text of lines) expect(() => JSON.parse(text), text).not.toThrow()
    expect(lines.length, line).toBeGreaterThan(0)
  }
  const {stderr} = await home.run('accounts patch 2001 --type credit --credit-limit 6000 -o json'.split(' '))
  expect(stderr).toMatch(/^request r_/m)
})
