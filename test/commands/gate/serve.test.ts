import {once} from 'node:events'
import {chmod, rm, writeFile} from 'node:fs/promises'
import {connect, createServer} from 'node:net'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {operations} from '../../../src/contract/operations.gen.ts'
import {openHome} from '../../helpers/cli.ts'
import {freePort} from '../../helpers/free-port.ts'
import {type Gate, openGate} from '../../helpers/gate.ts'
import {reply} from '../../helpers/service.ts'
import {placePolicy} from '../../policy/place.ts'

const RULES = {
  person: {
    read: 'allow',
    write: 'allow',
    destroy: {approvedBy: ['bo']},
    sums: {UNSTATED: {request: 6000, day: 9000}, EUR: {request: 50, day: 100}},
  },
  agent: {read: 'allow', write: {approvedBy: ['bo']}},
}

let gate: Gate
let before = 0
const sent = () => gate.service.requests.slice(before)

beforeAll(async () => {
  gate = await openGate(RULES, {aino: 'person', robot: 'agent'})
})
afterAll(() => gate.close())
beforeEach(() => {
  before = gate.service.requests.length
})

const limit = (value: number) => ({body: {creditLimit: value}})

describe('gate serve', () => {
  it('sends a read as the audit user that the policy names, whatever the caller says', async () => {
    const {status, body} = await gate.ask('robot', 'GET', '/v4/3001?auditUser=somebody+else')
    expect({status, id: body.id}).toEqual({status: 200, id: '3001'})
    expect(sent().map(({method, url}) => `${method} ${url}`)).toEqual([
      'GET /v4/3001?auditUser=robot%20of%20the%20team',
    ])
    expect(sent()[0]?.headers['user-agent']).toMatch(/\(agent\)/)
  })

  it('sends what the policy allows a person, with a journal entry and a sealed one of the trail', async () => {
    const {status} = await gate.ask('aino', 'PATCH', '/v4/CREDIT/2001', {
      ...limit(5000),
      headers: {'x-idempotency-key': 'first'},
    })
    expect(status).toBe(200)
    const [write] = sent().filter(({method}) => method === 'PATCH')
    expect(JSON.parse(String(write?.body))).toEqual({creditLimit: 5000})
    // The key of one caller is none of another's.
    expect(write?.headers['x-idempotency-key']).toMatch(/^[0-9a-f]{48}$/)
    const [entry] = await gate.home.json<Record<string, unknown>[]>('audit list --kind write'.split(' '))
    expect(entry).toMatchObject({
      osUser: 'aino',
      auditUser: 'aino of the team',
      profile: 'prod',
      outcome: 'done',
    })
    expect(await gate.home.run(['audit', 'verify'])).toMatchObject({code: 0})
  })

  it.each<[caller: string, method: string, path: string, body: object | undefined, why: RegExp]>([
    [
      'robot',
      'PATCH',
      '/v4/CREDIT/2001',
      {creditLimit: 1},
      /write by an agent needs an approval.*bo may approve/,
    ],
    ['robot', 'POST', '/v4/card/3001/controlToken', undefined, /hands out something secret/],
    [
      'aino',
      'POST',
      '/v4/card/3001/controlToken',
      undefined,
      /no line for disclose.*Cards operations decides/,
    ],
    ['aino', 'PATCH', '/v4/CREDIT/2001', {creditLimit: 6001}, /UNSTATED 6001 is above the UNSTATED 6000/],
    [
      'aino',
      'PATCH',
      '/v4/CREDIT/2001',
      {usageLimits: [{code: 'DAILY', values: [{code: 'ATM', sumAmount: 0}]}]},
      /unlimited/,
    ],
    ...[
      {usageLimits: []},
      {usageLimits: [{code: '24H', values: []}]},
      {usageLimits: [{code: '24H', values: [{code: 'ALL', count: 9_999_999}]}]},
      {usageLimits: [{code: '24H', values: [{code: 'ALL', sumAmount: 5, reset: true}]}]},
      // The limits of other uses and periods would be gone.
      {usageLimits: [{code: 'DAILY', values: [{code: 'ATM', singleAmount: 1, sumAmount: 1}]}]},
    ].map((body): [string, string, string, object, RegExp] => [
      'aino',
      'PATCH',
      '/v4/CREDIT/2001',
      body,
      /unlimited/,
    ]),
    [
      'aino',
      'PATCH',
      '/v4/CREDIT/2001',
      Object.fromEntries(Array.from({length: 201}, (_, at) => [`creditLi${at}`, 1])),
      /more than 200 fields/,
    ],
    [
      'aino',
      'PATCH',
      '/v4/CREDIT/2001',
      {status: 'ACCOUNT_TO_CLOSE'},
      /destroy by a person needs an approval/,
    ],
    ...[
      {customerId: '1004'},
      {externalBalanceCheck: true},
      {additionalValues: [{key: 'BALC', value: true}]},
      {ADDITIONAL_VALUES: [{key: 'BALC', value: true}]},
    ].map((body): [string, string, string, object, RegExp] => [
      'aino',
      'PATCH',
      '/v4/DEBIT/2007',
      body,
      /destroy by a person needs an approval|not a field/,
    ]),
    [
      'aino',
      'DELETE',
      '/v1/pricelist/5002',
      undefined,
      /no line for destroy|destroy by a person needs an approval/,
    ],
    // The contract says nothing of its body.
    ['aino', 'POST', '/v3/2001/update/DELETE_ADDRESS', {creditLimit: 99_999}, /no line for unknown/],
  ])('refuses %s: %s %s %j', async (caller, method, path, body, why) => {
    const {status, body: said} = await gate.ask(caller, method, path, body === undefined ? {} : {body})
    expect({status, detail: said.detail}).toEqual({
      status: expect.toSatisfy(found => found === 403 || found === 404),
      detail: expect.stringMatching(why),
    })
    expect(sent()).toEqual([])
  })

  it('hands an agent nothing secret, and lets it try none', async () => {
    for (const {method, path, effect, group, sensitive} of Object.values(operations)) {
      if (group === 'sandbox' || (effect !== 'disclose' && sensitive.request.length === 0)) continue
      const concrete = path.replaceAll(/\{[^}]+\}/g, '3001')
      const {status} = await gate.ask('robot', method, concrete, {
        body: {controlId: 'x', cardNumber: '4111111111111111'},
      })
      expect({path, status}).toEqual({path, status: 403})
    }
    expect(sent()).toEqual([])
  })

  it('does not let the sandbox be controlled, nor paths through that the contract lacks', async () => {
    for (const path of ['/_sandbox/snapshot', '/_sandbox/reset', '/v9/anything', '/v4']) {
      const {status} = await gate.ask('aino', 'POST', path, {body: {}})
      expect(status).toBe(404)
    }
    expect(sent()).toEqual([])
  })

  it('refuses a caller without the right token, and a page of a browser', async () => {
    const {url = '', token = ''} = gate.places.aino ?? {}
    const other = gate.places.robot?.token
    for (const authorization of ['', 'Bearer', `Bearer ${other}`, `bearer ${token}`, `Bearer ${token}x`]) {
      const {status} = await fetch(`${url}/v4/3001`, {headers: {authorization}})
      expect({authorization, status}).toEqual({authorization, status: 401})
    }
    const {status} = await fetch(`${url}/v4/3001`, {
      headers: {
        authorization: `Bearer ${token}`,
        origin: 'https://shop.example',
        'sec-fetch-site': 'cross-site',
      },
    })
    expect(status).toBe(403)
    expect(sent()).toEqual([])
  })

  it('goes by the token as it is now, and by no other file than the policy names', async () => {
    const {token: file} = gate.at('aino')
    const token = gate.places.aino?.token ?? ''
    const read = async () => (await gate.ask('aino', 'GET', '/v4/3001')).status
    await writeFile(file, 'another-'.repeat(5))
    expect(await read()).toBe(401)
    await rm(file)
    expect(await read()).toBe(401)
    await writeFile(file, token, {mode: 0o600})
    expect(await read()).toBe(200)
    const caller = {user: 'aino', kind: 'person', profile: 'prod', auditUser: 'aino of the team'}
    gate.setPolicy(RULES, [{...caller, ...gate.at('aino'), token: `${file}.new`}])
    expect(await read()).toBe(403)
    gate.setPolicy(RULES)
    expect(await read()).toBe(200)
  })

  it('sends transfers once, with the checks of a2a create', async () => {
    const transfer = {fromAccountId: '2006', toAccountId: '2007', amount: 12.5, currency: 'EUR', text: 'Rent'}
    const body = {description: 'July', transfers: [transfer]}
    const headers = {'x-idempotency-key': 'july'}
    const first = await gate.ask('aino', 'POST', '/v1/a2a/batches', {body, headers})
    expect(first).toMatchObject({status: 200})
    const second = await gate.ask('aino', 'POST', '/v1/a2a/batches', {body, headers})
    const third = await gate.ask('aino', 'POST', '/v1/a2a/batches', {body})
    expect([second.status, third.status]).toEqual([409, 409])
    expect(third.body.detail).toMatch(/transfers were sent/)
    expect(sent().filter(({method}) => method === 'POST')).toHaveLength(1)
  })

  it('is reached by a port on a machine with the policy while it listens there, and by nothing else', async () => {
    const caller = await openHome()
    const {url = '', file = ''} = {...gate.places.aino, file: gate.at('aino').token}
    const given = ['--auth', 'bearer', '--secret', `file:${file}`, '--profile-audit-user', 'Aino']
    const {policyPlace} = gate
    await caller.json(['profiles', 'add', 'pay', '--kind', 'live', '--base-url', url, ...given])
    const read = 'cards get 3001 -p pay -o json'.split(' ')
    expect(await caller.run(read, {policyPlace})).toMatchObject({code: 0})
    // Before anything is sent, as the server will judge it.
    const tested = async (line: string) => {
      const {stdout} = await caller.run(['policy', 'test', `${line} -p pay`, '-o', 'json'], {policyPlace})
      const {allowed, why, profile, caller: kind} = JSON.parse(stdout)
      return {allowed, why, profile, kind}
    }
    // The refusal of the server is one here.
    const over = 'accounts patch 2001 --type credit -F creditLimit=6001 -p pay --yes --confirm 2001'
    const {code, stderr: words} = await caller.run(over.split(' '), {policyPlace})
    expect({code, words}).toEqual({
      code: 3,
      words: expect.stringMatching(/POLICY_REFUSED.*UNSTATED 6001 is above the UNSTATED 6000/s),
    })
    expect(words).not.toMatch(/asks the service/)
    const patch = 'accounts patch 2001 --type credit -F creditLimit='
    expect(await tested(`${patch}6001`)).toMatchObject({
      ...{allowed: false, profile: 'prod', kind: 'person'},
      why: 'UNSTATED 6001 is above the UNSTATED 6000 of a request',
    })
    expect(await tested(`${patch}6000`)).toMatchObject({allowed: true, why: 'write by a person is allowed'})
    // The user of the server asks as anybody does.
    const own = {...policyPlace, uid: process.getuid?.() ?? 0}
    expect((await caller.run(read, {policyPlace: own})).stderr).toMatch(/POLICY_REFUSED|cannot be used/)
    await gate.stop()
    const listener = createServer().listen(gate.at('aino').port, '127.0.0.1')
    await once(listener, 'listening')
    const aino = {user: 'aino', kind: 'person', profile: 'prod', ...gate.at('aino')}
    gate.setPolicy(RULES, undefined, {gate: {folder: '/nowhere', callers: [aino]}})
    try {
      const {stderr} = await caller.run(read, {policyPlace})
      expect(stderr).toMatch(/is for gate serve, which does not listen there now/)
    } finally {
      gate.setPolicy(RULES)
    }
    // What takes the port of one caller stops no other.
    await gate.start()
    expect(await gate.ask('robot', 'GET', '/v4/3001')).toMatchObject({status: 200})
    listener.close()
    await expect
      .poll(() =>
        gate
          .ask('aino', 'GET', '/v4/3001')
          .then(({status}) => status)
          .catch(() => 0),
      )
      .toBe(200)
    await caller.remove()
  })

  it.skipIf(process.getuid?.() !== 0)(
    'is looked for again before each attempt, so a program that takes the port meanwhile gets no token',
    async () => {
      const busy = await openGate(RULES, {aino: 'person'}, {answer: () => reply(503, {title: 'Busy'})})
      const caller = await openHome()
      const {port, token} = busy.at('aino')
      const {url = ''} = busy.places.aino ?? {}
      const given = ['--auth', 'bearer', '--secret', `file:${token}`, '--profile-audit-user', 'Aino']
      await caller.json(['profiles', 'add', 'pay', '--kind', 'live', '--base-url', url, ...given])
      const heard: string[] = []
      const squatter = createServer(socket => {
        socket.on('data', chunk => heard.push(String(chunk)))
      })
      const {code, stderr} = await caller.run('cards get 3001 -p pay'.split(' '), {
        policyPlace: busy.policyPlace,
        sleep: async () => {
          if (squatter.listening) return
          await busy.stop()
          // As another user.
          process.seteuid?.(1)
          await once(squatter.listen(port, '127.0.0.1'), 'listening')
          process.seteuid?.(0)
        },
      })
      expect({code, heard}).toEqual({code: 3, heard: []})
      expect(stderr).toContain('is for gate serve, which does not listen there now')
      squatter.close()
      await busy.close()
      await caller.remove()
    },
  )

  it('makes a caller wait that is refused often, and logs no more than it has to', async () => {
    const refusing = await openGate(RULES, {robot: 'agent'})
    const statuses: number[] = []
    for (let round = 0; round < 40; round++)
      statuses.push(
        ...(await Promise.all(
          Array.from({length: 10}, async () => (await refusing.ask('robot', 'GET', '/v9/none')).status),
        )),
      )
    const printed = await refusing.stop()
    await refusing.close()
    const refused = statuses.filter(status => status === 404).length
    expect(refused).toBeGreaterThanOrEqual(60)
    expect(refused).toBeLessThan(80)
    const events = printed
      .split('\n')
      .flatMap(line => (line === '' ? [] : [JSON.parse(line) as {type: string}]))
    expect(events.filter(({type}) => type === 'request')).toHaveLength(300)
    expect(events).toContainEqual({type: 'omitted', user: 'robot', profile: 'prod', count: 100})
  })

  it('keeps a sealed entry of each refusal, and of many that are alike one with their number', async () => {
    const own = await openGate(RULES, {aino: 'person'})
    const {url = '', token = ''} = own.places.aino ?? {}
    const proposal = `p_${'a'.repeat(40)}`
    await own.ask('aino', 'PATCH', '/v4/CREDIT/2001', limit(1))
    await own.ask('aino', 'PATCH', '/v4/CREDIT/2001', {
      ...limit(1),
      headers: {'x-cardctl-proposal': proposal},
    })
    await own.ask('aino', 'PATCH', '/v4/CREDIT/2001', {body: {creditLimit: 'much'}})
    const keyed = {headers: {'x-idempotency-key': 'k'}}
    await own.ask('aino', 'PATCH', '/v4/CREDIT/2001', {...limit(2), ...keyed})
    await own.ask('aino', 'PATCH', '/v4/CREDIT/2001', {...limit(3), ...keyed})
    await own
      .ask('aino', 'PATCH', '/v4/CREDIT/2001', {body: `{"a":"${'x'.repeat(2_200_000)}"}`})
      .catch(() => undefined)
    for (let at = 0; at < 5; at++) await fetch(`${url}/v4/3001`, {headers: {authorization: 'Bearer wrong'}})
    await fetch(`${url}/v4/3001`, {
      headers: {authorization: `Bearer ${token}`, origin: 'https://shop.example'},
    })
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    socket.end('no request\r\n\r\n')
    await once(socket.resume(), 'close')
    await own.stop()
    const entries = await own.home.json<{operation: string; note: string; osUser: string}[]>(
      'audit list --kind refuse --limit 100'.split(' '),
    )
    const notes = entries
      .map(({operation, osUser, note}) => `${operation} ${osUser === 'aino'} ${note}`)
      .join('\n')
    for (const one of [
      /^accounts\.patchCredit\.v4 true The profile prod cannot use proposals yet/m,
      /^accounts\.patchCredit\.v4 true creditLimit must be a number/m,
      /^accounts\.patchCredit\.v4 true .*idempotency key/im,
      /^gate serve true The body is too large/m,
      /^gate serve false Not known at the port of aino/m,
      /^gate serve false Not known \(4 times\) at the port of aino/m,
      /^gate serve false Refused at the port of aino/m,
      /^gate serve false Not a request of HTTP at the port of aino/m,
    ])
      expect(notes).toMatch(one)
    expect(await own.home.run(['audit', 'verify'])).toMatchObject({code: 0})
    await own.close()
  })

  it.each([
    ['short', 0o600, /fewer than 32 characters/],
    ['x'.repeat(40), 0o644, /The token of aino is not used: .*/],
  ])('does not serve by a token that others can guess or read: %s %o', async (token, mode, why) => {
    const {token: file} = gate.at('aino')
    const own = join(dirname(file), 'bad.token')
    await writeFile(own, token)
    await chmod(own, mode)
    const caller = {user: 'aino', kind: 'person', profile: 'prod', port: await freePort(), token: own}
    const place = placePolicy(join(dirname(file), 'bad'), {
      policy: 1,
      gate: {folder: dirname(file), callers: [caller]},
      profiles: {prod: {hosts: ['127.0.0.1']}},
    })
    const stop = new AbortController()
    const ended = gate.home.run(['gate', 'serve'], {policyPlace: place, signal: stop.signal})
    const timer = setTimeout(() => stop.abort('SIGTERM'), 2_000)
    const {code, stderr} = await ended
    clearTimeout(timer)
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringMatching(why)})
  })

  it('serves a caller by a port that others fill with connections', async () => {
    const {port} = gate.at('aino')
    const others = Array.from({length: 200}, () => connect(port, '127.0.0.1').on('error', () => undefined))
    await Promise.all(others.map(each => once(each, 'connect').catch(() => undefined)))
    expect(await gate.ask('aino', 'GET', '/v4/3001')).toMatchObject({status: 200})
    for (const each of others) each.destroy()
  })

  it('goes by the policy as it is now, and serves nobody whom it does not name any longer', async () => {
    gate.setPolicy({person: {}, agent: {}})
    expect(await gate.ask('aino', 'GET', '/v4/3001')).toMatchObject({status: 403})
    gate.setPolicy(RULES, [{user: 'other', kind: 'person', profile: 'prod'}])
    const {status, body} = await gate.ask('aino', 'GET', '/v4/3001')
    expect({status, body}).toMatchObject({
      status: 403,
      body: {detail: expect.stringContaining('no longer names')},
    })
    gate.setPolicy(RULES)
    expect(await gate.ask('aino', 'GET', '/v4/3001')).toMatchObject({status: 200})
    expect(sent()).toHaveLength(1)
  })
})

describe('a server with a limit for the day', () => {
  let held: Gate
  let answer: 'own' | 'drop' | 'refuse' = 'own'
  beforeAll(async () => {
    held = await openGate(
      RULES,
      {aino: 'person', bo: 'person'},
      {
        answer: ({method}) => {
          if (method !== 'PATCH' || answer === 'own') return undefined
          return answer === 'drop'
            ? {status: 0, headers: {}, body: Buffer.alloc(0), drop: true}
            : reply(422, {title: 'No', status: 422})
        },
      },
    )
  })
  afterAll(() => held.close())

  const patch = (caller: string, value: number, key?: string) =>
    held.ask(caller, 'PATCH', '/v4/CREDIT/2001', {
      ...limit(value),
      ...(key === undefined ? {} : {headers: {'x-idempotency-key': key}}),
    })
  const patches = () => held.service.requests.filter(({method}) => method === 'PATCH').length

  it('lets no more through when many requests come at once', async () => {
    const replies = await Promise.all(Array.from({length: 8}, (_, at) => patch('aino', 2000 + at)))
    expect(replies.map(({status}) => status).toSorted()).toEqual([
      ...Array(4).fill(200),
      ...Array(4).fill(403),
    ])
    expect(patches()).toBe(4)
    expect(replies.find(({status}) => status === 403)?.body.detail).toMatch(
      /of today is above the UNSTATED 9000/,
    )
    expect((await patch('bo', 1)).status).toBe(200)
  })

  it('counts what may have had an effect, not what the service refused, and repeats once', async () => {
    const before = patches()
    answer = 'refuse'
    expect((await patch('bo', 6000)).status).toBe(422)
    answer = 'drop'
    expect((await patch('bo', 5000, 'k')).status).toBe(502)
    answer = 'own'
    expect((await patch('bo', 5000, 'k')).status).toBe(200)
    expect((await patch('bo', 5001)).status).toBe(403)
    expect((await patch('bo', 3998)).status).toBe(200)
    expect(patches() - before).toBe(4)
  })

  it('asks the service nothing for transfers above what is left of the day', async () => {
    const pay = (caller: string, amount: number, text: string) => {
      const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount, currency: 'EUR', text}]
      return held.ask(caller, 'POST', '/v1/a2a/batches', {body: {transfers}})
    }
    expect((await pay('aino', 50, 'one')).status).toBe(200)
    expect((await pay('aino', 49, 'two')).status).toBe(200)
    const before = held.service.requests.length
    const replies = await Promise.all(Array.from({length: 5}, (_, at) => pay('aino', 2, `more ${at}`)))
    expect(replies.map(({status, body}) => [status, body.detail])).toEqual(
      Array(5).fill([403, expect.stringMatching(/EUR 2 with the EUR 99 of today is above the EUR 100/)]),
    )
    expect(held.service.requests.slice(before)).toEqual([])
    expect((await pay('aino', 1, 'three')).status).toBe(200)
  })

  it('remembers them after a restart', async () => {
    await held.stop()
    await held.start()
    expect((await patch('bo', 2)).status).toBe(403)
    expect((await patch('aino', 2000)).status).toBe(403)
  })
})
