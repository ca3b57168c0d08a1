// Every way to the wire asks the policy, and one that refuses everything lets nothing through.
import {chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import type {PolicyPlace} from '../../src/policy/index.ts'
import {operationCalls} from '../commands/operation-calls.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'
import {part} from '../helpers/whole.ts'
import {placePolicy} from '../policy/place.ts'

const COLLEAGUE = 65_104
let home: Home
let service: Service
let folder = ''
let host = ''
let nothing: PolicyPlace
let reads: PolicyPlace
let some: PolicyPlace
let before = 0
const sent = () => service.requests.slice(before).map(({method, url}) => `${method} ${url.split('?')[0]}`)

beforeAll(async () => {
  home = await openHome()
  service = await openService()
  host = new URL(service.url).host
  folder = await mkdtemp(join(tmpdir(), 'ways-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'proposals'))
  await chmod(join(folder, 'proposals'), 0o1770)
  await writeFile(join(folder, 'proposals', 'members'), `${process.getuid?.()}\n${COLLEAGUE}\n`, {
    mode: 0o644,
  })
  for (const name of ['prod', 'other'])
    await home.json([
      ...['profiles', 'add', name, '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
      ...['--profile-audit-user', 'Aino Virtanen', '--proposals', join(folder, 'proposals')],
    ])
  await home.json([
    ...['profiles', 'add', 'bare', '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
    ...['--profile-audit-user', 'Aino Virtanen'],
  ])
  const profile = (rules: object) => ({
    policy: 1,
    contact: 'Cards operations',
    profiles: {prod: {hosts: [host], ...rules}},
  })
  nothing = placePolicy(join(folder, 'nothing'), profile({}))
  reads = placePolicy(join(folder, 'reads'), profile({job: {read: 'allow'}, agent: {read: 'allow'}}))
  some = placePolicy(
    join(folder, 'some'),
    profile({
      job: {
        read: 'allow',
        write: 'allow',
        destroy: {approvedBy: ['tester']},
        sums: {EUR: {request: 10, day: 20}, UNSTATED: {request: 6000, day: 9000}},
      },
    }),
  )
})
afterAll(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true})
})
beforeEach(() => {
  before = service.requests.length
})

const run = (line: string, policyPlace: PolicyPlace, options: RunOptions = {}) =>
  home.run(line.replaceAll('FOLDER', folder).split(' '), {policyPlace, ...options})

const REFUSED =
  /POLICY_REFUSED: The policy refuses this: .*nothing\/policy\.yaml:\d+\)\.\n {2}Cards operations decides/

describe('a policy without a line for the caller', () => {
  it.each(part(Object.entries(operationCalls), 4))('lets no request through: %s', async (id, makeCall) => {
    await home.json('sandbox reset --yes'.split(' '))
    const {argv, stdin} = await makeCall(home)
    const agreed = operations[id as OperationId].effect === 'read' ? [] : ['--yes']
    const {code, stderr} = await home.run(
      [...argv.filter(word => word !== '--yes'), '-p', 'prod', ...agreed],
      {
        policyPlace: nothing,
        ...(stdin === undefined ? {} : {stdin}),
      },
    )
    expect({code, sent: sent()}).toEqual({
      code: expect.toSatisfy(found => found === 2 || found === 3),
      sent: [],
    })
    // On a live profile no PIN is handled.
    expect(stderr).toMatch(/POLICY_REFUSED|GATE_REFUSED|CONFIRMATION_REQUIRED/)
  })

  it.each([
    'cards get 3001 -p prod',
    'accounts patch 2001 --type credit -F creditLimit=5000 -p prod --yes',
    'api GET /v4/3001 -p prod',
    'api POST /v9/anything --data {} -p prod --yes --confirm /v9/anything',
    'find 3001 -p prod',
    'profiles test prod',
    'a2a create --transfer 2006:2007:1.00:EUR --confirm-count 1 --confirm-total EUR:1 -p prod --yes --no-service-check',
    'cards get 3001 -p other',
    'cards get 3001 -p prod --as person',
  ])('refuses %s', async line => {
    const {stderr} = await run(line, nothing)
    expect(stderr).toMatch(REFUSED)
    expect(sent()).toEqual([])
  })

  it('keeps a sealed entry of each refusal', async () => {
    await run('cards get 3001 -p prod', nothing)
    const [entry] = await home.json<{kind: string; operation: string; note: string; profile: string}[]>(
      'audit list --kind refuse --limit 1'.split(' '),
    )
    expect(entry).toMatchObject({kind: 'refuse', operation: 'cards.get.v4', profile: 'prod'})
    expect(entry?.note).toMatch(/nothing\/policy\.yaml:/)
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 0})
  })

  it('leaves a sealed entry when another user has changed, broken or removed it', async () => {
    const own = await openHome()
    const place = placePolicy(join(folder, 'changing'), {policy: 1, profiles: {}})
    const write = async () => {
      await own.run('accounts patch 2001 --type credit -F creditLimit=4000 --yes'.split(' '), {
        policyPlace: place,
      })
      const entries = await own.json<{operation: string; note: string; osUser: string}[]>([
        ...['audit', 'list', '--kind', 'change'],
      ])
      // Whose command noticed it, did not do it.
      expect(new Set(entries.map(({osUser}) => osUser))).toEqual(new Set(['unknown']))
      return entries.map(({operation, note}) => `${operation} ${note}`)
    }
    const digests = [
      expect.stringMatching(
        /^policy\.add .*changing\/policy\.yaml has the SHA-256 [0-9a-f]{64}\. Noticed at a command or request of tester\.$/,
      ),
    ]
    expect(await write()).toEqual(digests)
    expect(await write()).toEqual(digests)
    placePolicy(place.folder, {policy: 1, contact: 'Somebody else', profiles: {}})
    expect((await write())[0]).toMatch(/^policy\.change .* Before: [0-9a-f]{64}\. Noticed/)
    placePolicy(place.folder, 'policy: [')
    expect((await write())[0]).toMatch(/^policy\.change .*policy\.yaml cannot be used: /)
    await rm(join(place.folder, 'policy.yaml'))
    expect((await write())[0]).toMatch(/^policy\.remove This machine no longer has a policy\. Before: /)
    expect(await write()).toHaveLength(4)
    expect(await own.run(['audit', 'verify'])).toMatchObject({code: 0})
    await own.remove()
  })

  it('leaves the embedded sandbox alone', async () => {
    expect(await run('cards get 3001', nothing)).toMatchObject({code: 0})
  })

  it.each(['127.0.0.1', 'localhost', '[::1]', 'x.localhost'])(
    'rules a host that it names also as a sandbox of this machine: %s',
    async name => {
      const own = await openHome()
      const address = `http://${name}:${new URL(service.url).port}`
      await own.json(['profiles', 'add', 'box', '--kind', 'sandbox', '--base-url', address, '--auth', 'none'])
      const write = 'accounts patch 2001 --type credit -F creditLimit=4000 --yes'.split(' ')
      const tested = await own.run(['policy', 'test', `${write.join(' ')} -p box`, '-o', 'json'], {
        policyPlace: nothing,
      })
      const results = [
        await own.run([...write, '-p', 'box'], {policyPlace: nothing}),
        await own.run(write, {policyPlace: nothing, env: {CARDCTL_BASE_URL: address}}),
        await own.run(write, {
          policyPlace: nothing,
          env: {CARDCTL_BASE_URL: address, CARDCTL_KIND: 'sandbox'},
        }),
      ]
      await own.remove()
      expect(
        results.map(({code, stderr}) => [code, /The policy refuses this: there is no profile/.test(stderr)]),
      ).toEqual(Array(3).fill([3, true]))
      expect(JSON.parse(tested.stdout)).toMatchObject({allowed: false})
      expect(sent()).toEqual([])
    },
  )

  it('leaves other sandboxes of this machine alone', async () => {
    const other = await openService()
    const {code} = await home.run('accounts patch 2001 --type credit -F creditLimit=4000 --yes'.split(' '), {
      policyPlace: nothing,
      env: {CARDCTL_BASE_URL: other.url},
    })
    await other.close()
    expect(code).toBe(0)
  })
})

describe('a policy that lets only reads through', () => {
  const writes = () => sent().filter(one => !one.startsWith('GET'))

  it.each([
    'accounts patch 2001 --type credit -F creditLimit=5000 -p prod --yes',
    'api PATCH /v4/CREDIT/2001 --data {"creditLimit":5} -p prod --yes',
    'api PATCH /v4/credit/2001 --data {"creditLimit":5} -p prod --yes --no-check-input --confirm 2001 --confirm /v4/credit/2001',
    'api GET /v9/anything -p prod',
    'api POST /v4/card/3001/controlToken -p prod --yes',
    'bulk run accounts.patchCredit.v4 --from FOLDER/rows.csv -p prod --yes --confirm prod',
    'a2a create --transfer 2006:2007:1.00:EUR --confirm-count 1 --confirm-total EUR:1 -p prod --yes',
    'cards control-token 3001 -p prod --yes',
    'pricelists delete 5002 --confirm 5002 -p prod',
  ])('refuses %s', async line => {
    await writeFile(join(folder, 'rows.csv'), 'accountId,creditLimit\n2001,5000\n')
    const {code, stderr} = await run(line, reads)
    expect([code, writes()]).toEqual([expect.not.toSatisfy(found => found === 0), []])
    expect(stderr).toContain('The policy refuses this')
  })

  it('refuses what a plan, a retry, an undo and an approval send', async () => {
    const PATCH = 'accounts patch 2001 --type credit -F creditLimit=5000 -p prod'
    await run(`${PATCH} --plan ${folder}/a.plan`, reads)
    const plan = await run(`apply FOLDER/a.plan -p prod --yes --confirm 2001`, reads)
    const made = await run(`${PATCH} --yes`, some)
    expect(made.code).toBe(0)
    before = service.requests.length
    const [{id = ''} = {}] = await home.json<{id: string}[]>('requests list -p prod --limit 1'.split(' '))
    const results = [
      ...[plan, await run(`requests undo ${id} -p prod --yes`, reads)],
      await run(`requests retry ${id} -p prod --yes --again`, reads),
    ]
    const proposed = await run(`${PATCH} --propose --audit-user Bo`, reads)
    const [, proposal] = /requests approve (p_\w+)/.exec(proposed.stderr) ?? []
    expect(proposal).toBeDefined()
    if (process.getuid?.() === 0) {
      await chown(join(folder, 'proposals', `${proposal}.json`), COLLEAGUE, process.getgid?.() ?? 0)
      const approved = await run(`requests approve ${proposal} -p prod --yes --confirm 2001`, reads)
      expect(approved.stderr).toContain('The policy refuses this')
      expect((await run(`requests approve ${proposal} -p prod --yes --confirm 2001`, some)).code).toBe(0)
      expect(writes()).toEqual(['PATCH /v4/CREDIT/2001'])
    }
    expect(results.map(({code}) => code)).not.toContain(0)
  })

  it('refuses what an imported document calls a read', async () => {
    const go = {operationId: 'go', tags: ['own'], responses: {200: {description: 'Done'}}}
    const paths = {'/v4/CREDIT/2001': {patch: go}, '/v7/pay': {get: go}}
    await writeFile(
      join(folder, 'own.json'),
      JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths}),
    )
    for (const [path, method] of [
      ['/v4/CREDIT/2001', 'patch'],
      ['/v7/pay', 'get'],
    ] as const) {
      const document = {openapi: '3.1.0', info: {title: 'T', version: '1'}, paths: {[path]: {[method]: go}}}
      const name = method
      await writeFile(join(folder, `${name}.json`), JSON.stringify(document))
      await writeFile(join(folder, `${name}.yaml`), 'go: read\n')
      await run(
        `contract import FOLDER/${name}.json --name ${name} --effects FOLDER/${name}.yaml -p prod`,
        reads,
      )
      const {stderr} = await run(`x own go --contract ${name} -p prod --yes`, reads)
      expect(stderr).toContain('has no line for')
    }
    expect(sent()).toEqual([])
  })
})

describe('sums', () => {
  it.each([
    ['a2a create --transfer 2006:2007:10.00:EUR --confirm-count 1 --confirm-total EUR:10 -p prod --yes', 0],
    [
      'a2a create --transfer 2006:2007:10.01:EUR --confirm-count 1 --confirm-total EUR:10.01 -p prod --yes',
      3,
    ],
    [
      'a2a create --transfer 2006:2007:6:EUR --transfer 2007:2006:6:EUR --confirm-count 2 --confirm-total EUR:12 -p prod --yes',
      3,
    ],
    ['a2a create --transfer 2006:2007:1:SEK --confirm-count 1 --confirm-total SEK:1 -p prod --yes', 3],
    ['accounts patch 2001 --type credit -F creditLimit=6001 -p prod --yes', 3],
    [
      'accounts patch 2001 --type credit --status ACCOUNT_TO_CLOSE -p prod --yes --confirm ACCOUNT_TO_CLOSE --confirm 2001',
      3,
    ],
  ])('%s', async (line, expected) => {
    const {code, stderr} = await run(line, some)
    expect({code, stderr}).toEqual({
      code: expected,
      stderr: expected === 0 ? stderr : expect.stringContaining('The policy refuses this'),
    })
    expect(sent().some(one => !one.startsWith('GET'))).toBe(expected === 0)
  })
})

it('refuses everything on live where the policy is broken, and says where', async () => {
  const broken = placePolicy(join(folder, 'broken'), 'policy: 1\nprofiles: {prod: {hosts: [a], more: 1}}\n')
  const {code, stderr} = await run('cards get 3001 -p prod', broken)
  expect([code, sent()]).toEqual([3, []])
  expect(stderr).toMatch(/broken\/policy\.yaml:2:\d+: more/)
  expect((await run('policy check', broken)).stderr).toMatch(/nothing is sent to a live service/)
})

describe('policy', () => {
  it('shows each line', async () => {
    const shown = await home.json('policy show'.split(' '), {policyPlace: some})
    expect(shown).toContainEqual({
      profile: 'prod',
      caller: 'job',
      what: 'destroy',
      rule: 'approved by tester',
      line: expect.stringMatching(/some\/policy\.yaml:\d+$/),
    })
    expect(shown).toContainEqual(expect.objectContaining({what: 'EUR a request', rule: '10'}))
    expect((await run('policy show', {folder: '/nowhere', uid: 1, groups: []})).stderr).toContain(
      'has no policy',
    )
  })

  it('is none as data, too', async () => {
    const none = {folder: '/nowhere', uid: 1, groups: []}
    expect(await home.json(['policy', 'check'], {policyPlace: none})).toEqual({file: null, profiles: 0})
  })

  it('checks a file', async () => {
    await writeFile(join(folder, 'bad.yaml'), 'policy: 1\nprofiles: {p: {}}\n')
    expect(await run('policy check FOLDER/bad.yaml', some)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/bad\.yaml:2:\d+.*hosts/),
    })
    expect(await run('policy check', some)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('some/policy.yaml'),
    })
  })

  it.each([
    ['cards get 3001 -p prod', {allowed: true, effects: ['read']}],
    ['cards get 3001 -p prod --as agent', {allowed: false, caller: 'agent'}],
    [
      'cardctl accounts patch 2001 --type credit -F creditLimit=7000 -p prod',
      {allowed: false, effects: ['write'], sums: {UNSTATED: '7000'}},
    ],
    [
      'accounts close 2001 --type credit -p prod',
      {allowed: false, effects: ['destroy'], approvers: ['tester']},
    ],
    [
      'a2a create --transfer 2006:2007:1:EUR --confirm-count 1 --confirm-total EUR:1 -p prod --no-service-check',
      {allowed: true, sums: {EUR: '1'}},
    ],
    ['cards get 3001', {allowed: true, why: 'no policy is asked about it'}],
  ])('tests %s', async (line, expected) => {
    const found = await home.json(['policy', 'test', line], {policyPlace: some})
    expect(found).toMatchObject(expected)
    expect(sent()).toEqual([])
  })

  it.each([
    'accounts patch 2001 --type credit -F creditLimit=7000',
    'accounts close 2001 --type credit',
    'a2a create --transfer 2006:2007:1:EUR --confirm-count 1 --confirm-total EUR:1 --no-service-check',
  ])('says what an agent lacks to propose, beside the decision: %s', async line => {
    const approved = {approvedBy: ['tester']}
    const policyPlace = placePolicy(join(folder, 'agent'), {
      policy: 1,
      profiles: Object.fromEntries(
        ['prod', 'bare'].map(name => [name, {hosts: [host], agent: {write: approved, destroy: approved}}]),
      ),
    })
    const test = (profile: string) =>
      home.json(['policy', 'test', `${line} -p ${profile} --as agent`], {policyPlace})
    const decided = {allowed: false, approvers: ['tester'], line: expect.stringContaining('policy.yaml:1')}
    const kept = await readdir(join(folder, 'proposals'))
    expect(await test('prod')).toMatchObject({...decided, missing: null})
    expect(await readdir(join(folder, 'proposals'))).toEqual(kept)
    expect(await test('bare')).toMatchObject({
      ...decided,
      missing: 'The profile bare cannot use proposals yet: 3 things are missing.',
    })
    expect(sent()).toEqual([])
  })

  it('says what a server refuses to an agent, whatever the policy says', async () => {
    const socket = join(folder, 'gate', 'robot', 'prod.sock')
    await home.json([
      ...['profiles', 'add', 'gated', '--kind', 'live', '--socket', socket, '--auth', 'none'],
      ...['--profile-audit-user', 'Aino Virtanen'],
    ])
    const policyPlace = placePolicy(join(folder, 'served'), {
      policy: 1,
      gate: {folder: join(folder, 'gate'), callers: [{user: 'robot', kind: 'agent', profile: 'prod'}]},
      profiles: {prod: {hosts: [host], agent: {read: 'allow'}}},
    })
    const test = (line: string) => home.json(['policy', 'test', `${line} -p gated --as agent`], {policyPlace})
    expect(await test('api GET /v4/3001')).toMatchObject({allowed: true, caller: 'agent'})
    await writeFile(join(folder, 'number.json'), '{"cardNumber":"4111111111111111"}')
    expect(await test(`api POST /v4/card/cardnumber --data @${join(folder, 'number.json')}`)).toMatchObject({
      allowed: false,
      why: expect.stringMatching(/takes something secret, which no agent has/),
    })
    expect(sent()).toEqual([])
  })

  it.each(['cards payment-info 3001', 'cards get 3001', 'accounts close 2001 --type credit'])(
    'leaves nothing in the audit trail: %s',
    async line => {
      const refusals = () => home.json(['audit', 'list', '--kind', 'refuse'], {policyPlace: reads})
      const found = await refusals()
      await home.run(['policy', 'test', `${line} -p prod --as agent`], {policyPlace: reads})
      expect(await refusals()).toEqual(found)
    },
  )

  it('judges transfers as they would be sent', async () => {
    const line = 'a2a create --transfer 2006:2007:9000:EUR:x -p prod'
    for (const more of [
      '',
      ' --confirm-count 1 --confirm-total EUR:9000',
      ' --no-service-check',
      ' --as job',
    ]) {
      const found = await home.json(['policy', 'test', line + more], {policyPlace: some})
      expect(found).toMatchObject({effects: ['write'], sums: {EUR: '9000'}})
    }
    expect(sent()).toEqual([])
  })

  it.each([
    'profiles list',
    'profiles remove other',
    'data remove --all --yes',
    'policy test whoami',
    'bulk run accounts.patchCredit.v4 --from FOLDER/rows.csv -p prod --yes',
    'accounts patch 2001 --type credit -F creditLimit=5000 -p prod --propose',
    'unknown command',
  ])('runs nothing else: %s', async line => {
    const tested = line.replaceAll('FOLDER', folder)
    expect(await home.run(['policy', 'test', tested], {policyPlace: some})).toMatchObject({code: 2})
    expect(await home.json(['profiles', 'show', 'other'])).toMatchObject({name: 'other'})
    expect(sent()).toEqual([])
  })
})
