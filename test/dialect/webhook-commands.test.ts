// The webhook commands with a service that was not made for cardctl: as its endpoint, and in its place.
import {createHmac} from 'node:crypto'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {loadWebhook} from '../../src/dialect/webhook.ts'
import {SIGNATURE_DEFAULTS} from '../../src/network/signature-defaults.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'
import {endpoint, listener} from '../webhook/listener.ts'
import {serveProcess} from '../webhook/serve-process.ts'
import {type Bend, gatewayEndpoint, harbourEndpoint} from './harbour-endpoint.ts'

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../examples/dialects/${name}.yaml`, import.meta.url))
const HARBOUR = fileOf('harbour')
const PROGRAM = fileOf('card-program')
const PATH = '/webhooks/authorisation'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

/** As the makers of harbour would write it. */
const harbourCall = (id: string, minor: unknown, more: object = {}) => ({
  event: 'authorisation.asked',
  call_id: id,
  stage: 'first',
  customer_id: 'cus_1001',
  account_id: 'acc_2001',
  card_id: 'crd_3001',
  kind: 'purchase',
  asked: {minor, currency: 'EUR'},
  merchant: {name: 'Kahvila Aino', category: '5814'},
  ...more,
})
const program = (token: string, amount: number) => ({
  type: 'authorization',
  token,
  user_token: 'user_1',
  card_token: 'card_1',
  acting_user_token: 'user_1',
  amount,
  currency_code: 'USD',
  state: 'PENDING',
  gpa_order: {jit_funding: {token: `j_${token}`, method: 'pgfs.authorization', user_token: 'user_1', amount}},
  card_acceptor: {mcc: '5814', name: 'Kahvila Aino', city: 'Helsinki', country_code: 'FIN'},
})
const translator = async (file: string) => {
  const webhook = await loadWebhook(file)
  if (!webhook) throw new Error('It has no webhook.')
  return webhook
}

describe('as an endpoint', () => {
  test('webhook serve --dialect answers a call of theirs as the rules say, and records ours', async () => {
    const rules = join(home.folder, 'rules.yaml')
    await writeFile(
      rules,
      `rules:
  - name: too much
    when: {amount: {over: 500, currency: EUR}}
    then: {decline: '61'}
  - name: a part
    when: {amount: {over: 100, currency: EUR}}
    then: {partial: 80.01 EUR}
  - name: no casino
    when: {mcc: '7995'}
    then: {decline: '65'}
`,
    )
    const {child, url} = await serveProcess(home.folder, [
      '--port',
      '0',
      '--dialect',
      HARBOUR,
      '--rules',
      rules,
    ])
    onTestFinished(() => void child.kill())
    const ask = async (call: object, path = PATH) => {
      const response = await fetch(url + path, {method: 'POST', body: JSON.stringify(call)})
      return {status: response.status, body: (await response.json()) as unknown}
    }
    expect(await ask(harbourCall('a', 420))).toEqual({
      status: 200,
      body: {call_id: 'a', decision: 'approved'},
    })
    expect(await ask(harbourCall('b', 50_001))).toEqual({
      status: 200,
      body: {call_id: 'b', decision: 'over_limit'},
    })
    expect(await ask(harbourCall('c', 12_345, {part: 'accepted'}))).toEqual({
      status: 200,
      body: {call_id: 'c', decision: 'approved_in_part', approved: {minor: 8001, currency: 'EUR'}},
    })
    // 65 has no word of its own there.
    expect(await ask(harbourCall('d', 100, {merchant: {name: 'x', category: '7995'}}))).toMatchObject({
      body: {decision: 'declined'},
    })
    expect(await ask(harbourCall('e', 4.2))).toMatchObject({
      status: 400,
      body: {detail: 'asked.minor is no whole number of minor units'},
    })
    expect(await ask({}, '/webhooks/ready')).toEqual({status: 200, body: {}})
    expect(await ask({}, '/auth')).toMatchObject({
      status: 404,
      body: {detail: `calls go to ${PATH} and /webhooks/ready`},
    })
    const env = {CARDCTL_DATA_DIR: home.folder}
    const events = await home.json<{event: string; id?: string; type: string; code?: string}[]>(
      ['webhook', 'events', 'list'],
      {env},
    )
    const part = events.find(({id}) => id === 'c')
    expect(part).toMatchObject({
      type: 'auth',
      code: '10',
      amount: 123.45,
      currency: 'EUR',
      cardId: 'crd_3001',
    })
    expect(await home.json(['webhook', 'events', 'show', part?.event ?? ''], {env})).toMatchObject({
      request: {
        body: {metadata: {id: 'c'}, transactionData: {transactionAmount: {amount: 123.45, currency: 'EUR'}}},
      },
      reply: {body: {transactionData: {authResponseCode: {code: '10'}}}},
    })
    expect(events.filter(({type}) => type === 'rejected').length).toBe(2)
  })

  test('the same call gets the same answer, and each answer repeats its own call', async () => {
    const {post, events} = await listener({translator: await translator(PROGRAM)})
    const first = await post('/jit', program('t_1', 12.5))
    expect(first).toMatchObject({
      status: 200,
      body: {jit_funding: {token: 'j_t_1', method: 'pgfs.authorization', user_token: 'user_1', amount: 12.5}},
    })
    expect((await post('/jit', program('t_1', 12.5))).body).toEqual(first.body)
    expect(events).toMatchObject([{repeated: false}, {repeated: true}])
    expect(await post('/warm-up', {})).toMatchObject({status: 404, body: {detail: 'calls go to /jit'}})
  })

  test('signatures are over the bytes that came', async () => {
    const key = 'a key of this test'
    const {post, exchanges} = await listener({
      translator: await translator(HARBOUR),
      credentials: {signature: {...SIGNATURE_DEFAULTS, signed: '{body}', keys: [new Secret(key)]}},
    })
    const body = JSON.stringify(harbourCall('s', 420), undefined, 1)
    const {header, prefix, encoding} = SIGNATURE_DEFAULTS
    const right = prefix + createHmac('sha256', key).update(body).digest(encoding)
    expect((await post(PATH, body, {[header]: right})).status).toBe(200)
    expect((await post(PATH, body.replace('420', '421'), {[header]: right})).status).toBe(401)
    expect(exchanges.map(({event}) => event.type)).toEqual(['auth', 'rejected'])
  })

  test('an answer that the service would not read as decided is none', async () => {
    const {post, events} = await listener({
      translator: await translator(PROGRAM),
      decider: {
        decide: () => ({
          answer: {
            kind: 'reply',
            reply: {
              transactionData: {
                authResponseCode: {code: '10'},
                partialApprovalAmount: {amount: 5, currency: 'USD'},
              },
            },
          },
          by: 'test',
        }),
      },
    })
    expect(await post('/jit', program('t_2', 12.5))).toMatchObject({
      status: 502,
      body: {detail: 'The dialect card-program: the response code 10 has no value there'},
    })
    expect(events).toMatchObject([{type: 'rejected'}])
  })

  test('what can not be read of a call is recorded as it came, masked', async () => {
    const {post, exchanges} = await listener({translator: await translator(HARBOUR)})
    await post(PATH, harbourCall('p', 'x', {note: '4111 1111 1111 1111'}))
    expect(JSON.stringify(exchanges)).toContain('crd_3001')
    expect(JSON.stringify(exchanges)).not.toContain('1111 1111')
  })
})

describe('in the place of the service', () => {
  const run = (...argv: string[]) => home.run(['webhook', ...argv])

  test.for(['smoke', 'money'])('webhook test %s passes an endpoint that is right', async suite => {
    const {url, calls} = await harbourEndpoint()
    const {code, stdout} = await run('test', suite, '--to', url, '--dialect', HARBOUR)
    expect(stdout).toMatch(/\d+ steps: \d+ passed {2}/)
    expect(code).toBe(0)
    expect(calls[0]).toMatchObject({event: 'authorisation.asked', asked: {minor: expect.any(Number)}})
  })

  const change =
    (more: object): Bend =>
    ({status, body}) => ({...(status && {status}), body: {...(body as object), ...more}})
  test.for([
    [
      'an approval in other words',
      change({decision: 'APPROVED'}),
      'decision is a value that the dialect does not know',
    ],
    ['no decision', change({decision: undefined}), 'decision is missing, which is the decision'],
    ['the answer to another call', change({call_id: 'other'}), 'call_id is not call_id of the call'],
    ['another status', (answer): ReturnType<Bend> => ({...answer, status: 201}), 'status 201'],
    [
      'a part without an amount',
      change({decision: 'approved_in_part', approved: undefined}),
      'partialApprovalAmount',
    ],
    [
      'a part in major units',
      change({decision: 'approved_in_part', approved: {minor: 0.5, currency: 'EUR'}}),
      'approved.minor is no whole number of minor units',
    ],
    [
      'a part that is more than asked',
      change({decision: 'approved_in_part', approved: {minor: 10 ** 9, currency: 'EUR'}}),
      'the partial amount is not between zero and the requested amount',
    ],
  ] as const satisfies readonly (readonly [string, Bend, string])[])(
    '%s fails, and is named',
    async ([, bend, fault]) => {
      const {url} = await harbourEndpoint(bend)
      const argv = ['trigger', 'auth', '--scenario', 'fuel', '--to', url, '--dialect', HARBOUR]
      const {code, stderr} = await run(...argv)
      expect(stderr).toContain(fault)
      expect(code).toBe(8)
      expect((await run('test', 'money', '--to', url, '--dialect', HARBOUR)).code).toBe(11)
    },
  )

  test('the profile says the dialect, and what is sent can be seen before', async () => {
    const {url} = await gatewayEndpoint()
    const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'tester', '--dialect', PROGRAM]
    await home.run(['profiles', 'add', 'program', '--base-url', 'https://api.example.com', ...flags])
    const trigger = ['trigger', 'auth', '--to', url, '-p', 'program']
    expect((await run(...trigger, '--amount', '10')).code).toBe(0)
    expect((await run(...trigger, '--amount', '6000')).code).toBe(6)
    const preview = await home.json(['webhook', ...trigger, '--amount', '10', '--dry-run'])
    expect(JSON.stringify(preview)).toContain('"gpa_order"')
    expect(JSON.stringify(preview)).toContain(`${url}/jit`)
    const {code, stderr} = await run(...trigger, '--scenario', 'hotel-increment')
    expect(stderr).toContain('metadata.messageCategory has no place there')
    expect(code).toBe(2)
    expect((await run('trigger', 'warm-up', '--to', url, '-p', 'program')).code).toBe(2)
  })

  test('a dialect without a webhook is refused where it was named', async () => {
    const file = join(home.folder, 'none.yaml')
    await writeFile(file, 'dialect: 1\nname: none\noperations: {cards.*: {cannot: x}}\n')
    const {code, stderr} = await run('trigger', 'auth', '--to', 'http://127.0.0.1:1', '--dialect', file)
    expect(stderr).toContain('has no section webhook')
    expect(code).toBe(2)
  })

  // The load takes a while.
  test.runIf(isWhole)(
    'webhook certify checks what the service can send, and says what it can not',
    async () => {
      const {url} = await gatewayEndpoint()
      const few = ['--calls', '20', '--rate', '100', '--deadline', '60s']
      const {code, stdout} = await run('certify', '--to', url, '--dialect', PROGRAM, ...few)
      expect(stdout).toMatch(/– warm-up +not checked\n {4}this service sends no warm-up/)
      expect(stdout).toMatch(/[1-9]\d+ passed, 0 failed/)
      expect(stdout).toMatch(/metadata\.messageCategory has no place there/)
      expect(stdout).not.toContain('✗')
      expect(code).toBe(0)
    },
  )

  test.runIf(isWhole)('webhook certify names a planted fault', async () => {
    const {url} = await gatewayEndpoint(({body}) => ({status: 200, body}))
    const few = ['--calls', '20', '--rate', '100', '--deadline', '60s']
    const {code, stdout} = await run('certify', '--to', url, '--dialect', PROGRAM, ...few)
    expect(stdout).toContain('jit_funding.decline_reason does not go with status 200')
    expect(code).toBe(11)
  })

  test('webhook bench needs no warm-up', async () => {
    const {url} = await gatewayEndpoint()
    const argv = [
      'bench',
      '--to',
      url,
      '--dialect',
      PROGRAM,
      '--mix',
      'contactless=1',
      '--rate',
      '20/s',
      '--duration',
      '1s',
      '--max-invalid',
      '0',
    ]
    const {code, stderr} = await run(...argv)
    expect(stderr).not.toContain('warm-up')
    expect(code).toBe(0)
  })

  test('calls of which the service can not send one are not sent at all', async () => {
    const {url, calls} = await gatewayEndpoint()
    const to = ['--to', url, '--dialect', PROGRAM]
    const {code, stderr} = await run(
      'bench',
      ...to,
      '--mix',
      'contactless,hotel-increment',
      '--duration',
      '1s',
    )
    expect(stderr).toContain('metadata.messageCategory has no place there')
    expect(code).toBe(2)
    const recorded = await listener()
    await home.json(['webhook', 'trigger', 'auth', '--to', recorded.url])
    await recorded.post('/auth', {...(recorded.exchanges[0]?.request.body as object), somethingElse: 1})
    const file = join(home.folder, 'calls.ndjson')
    await writeFile(file, recorded.exchanges.map(one => `${JSON.stringify(one)}\n`).join(''))
    const again = await run('replay', '--from', file, ...to)
    expect(again.stderr).toContain('somethingElse has no place there')
    expect(again.code).toBe(2)
    expect(calls).toEqual([])
  })

  test('nobody there is still nobody there', async () => {
    const {code} = await run('test', 'smoke', '--to', 'http://127.0.0.1:1', '--dialect', PROGRAM)
    expect(code).toBe(9)
    const url = await endpoint((_, response) => response.writeHead(404).end())
    expect((await run('test', 'smoke', '--to', url, '--dialect', PROGRAM)).code).toBe(11)
  })
})
