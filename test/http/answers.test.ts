import {brotliCompressSync, deflateRawSync, deflateSync, gzipSync} from 'node:zlib'
import {afterEach, describe, expect, it} from 'vitest'
import type {Surroundings} from '../../src/http/index.ts'
import type {Target} from '../../src/profiles/target.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Behaviour, FaultyService, OK} from './faulty-service.ts'
import {failureOf, kinds, type OpenSender, openSender, operation, still, target} from './surround.ts'

const JSON_TYPE = {'content-type': 'application/json'}
const PAN = '4111111111111111'

let service: FaultyService
let sender: OpenSender

afterEach(async () => {
  await sender?.close()
  await service?.close()
})

async function setUp(
  behaviour: Behaviour,
  more: {target?: Partial<Target>; surroundings?: Partial<Surroundings>} = {},
) {
  service = new FaultyService(behaviour)
  const surroundings = still(more.surroundings)
  sender = openSender(target(await service.listen(), more.target), surroundings)
  return surroundings
}

const send = (kind: keyof typeof kinds = 'read', body?: unknown) =>
  sender.send({operation: kinds[kind], input: {path: {id: '1'}, query: {}, body}})

describe('a response', () => {
  it('has the response and its attempts', async () => {
    await setUp({status: 200, headers: {...JSON_TYPE, 'x-trace': 'a, b'}, body: '{"id":"1","unknown":[1]}'})
    const answer = await send('keyed')
    expect(answer).toEqual({
      status: 200,
      headers: {'content-type': 'application/json', 'content-length': '24', 'x-trace': 'a, b'},
      body: {id: '1', unknown: [1]},
      attempts: 1,
      durationMs: 0,
      idempotencyKey: 'made-1',
      differences: [],
      isForeign: false,
      replayed: false,
    })
  })

  it('comes under neutral names; requests use the service’s own', async () => {
    await setUp(
      {status: 200, headers: JSON_TYPE, body: '{"opc":{"x":1}}'},
      {target: {words: {opaquePaymentCard: 'opc'}}},
    )
    const answer = await send('unkeyed', {opaquePaymentCard: true})
    expect(answer.body).toEqual({opaquePaymentCard: {x: 1}})
    expect(service.received[0]?.body).toBe('{"opc":true}')
  })

  it('opens secrets of a body at the wire only', async () => {
    const surroundings = await setUp(OK)
    await send('unkeyed', {pinBlock: new Secret('q8Jt'), list: [new Secret(Buffer.from('b64'))]})
    expect(service.received[0]?.body).toBe('{"pinBlock":"q8Jt","list":["b64"]}')
    expect(surroundings.lines.join('\n')).not.toMatch(/q8Jt|b64/)
  })

  it('without a body is undefined', async () => {
    await setUp({status: 204})
    expect((await send()).body).toBeUndefined()
  })

  it('keeps every digit: amounts of 15 as numbers, longer ones that a double would change as text', async () => {
    const body =
      '{"a":123456789012.345,"b":0.1,"c":9007199254740993,"d":["1.0000000000000001"],"e":1.50000000000000000,"f":-12345678901234567.89}'
    await setUp({status: 200, headers: JSON_TYPE, body})
    expect((await send()).body).toEqual({
      a: 123456789012.345,
      b: 0.1,
      c: '9007199254740993',
      d: ['1.0000000000000001'],
      e: 1.5,
      f: '-12345678901234567.89',
    })
  })

  it('endless nesting does no harm', async () => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000)
    await setUp({status: 200, headers: JSON_TYPE, body}, {target: {words: {a: 'b'}}})
    expect(await failureOf(send())).toMatchObject({code: 'ANSWER_INVALID', details: {effect: 'none'}})
  })

  it('a refusal with endless nesting or too many values stays a refusal', async () => {
    for (const body of ['['.repeat(20_000), `[${'0,'.repeat(600_000)}0]`]) {
      await setUp({status: 422, headers: JSON_TYPE, body})
      const failure = await failureOf(send('keyed'))
      expect(failure).toMatchObject({code: 'REFUSED', details: {effect: 'none'}})
      expect(failure.message).toMatch(
        /cannot be read: it (is nested deeper than 100 levels|holds more than 500000 values)/,
      )
    }
  })

  it('with one endless text, or of nothing else, cannot be read', async () => {
    const long = 'x'.repeat(3_000_000)
    await setUp({status: 200, headers: JSON_TYPE, body: JSON.stringify({detail: long})})
    expect((await failureOf(send())).message).toContain('it holds a text of more than 2 MiB')
    await setUp({status: 422, headers: {'content-type': 'text/plain'}, body: long})
    const failure = await failureOf(send('keyed'))
    expect(failure).toMatchObject({code: 'REFUSED', details: {effect: 'none'}})
    expect(failure.message).toContain('its text is larger than 2 MiB')
  })

  it('of a few bytes that hold gigabytes is not unpacked', async () => {
    const body = gzipSync(`[${'0,'.repeat(31_000_000)}0]`)
    await setUp({status: 200, headers: {...JSON_TYPE, 'content-encoding': 'gzip'}, body})
    expect((await failureOf(send())).message).toContain('larger than 16 MiB')
  })

  it('as large as real lists are is read', async () => {
    const row = {id: '3001', status: 'CARD_OK', name: 'x'.repeat(300), list: [1, 2, 3, {a: null}]}
    const body = JSON.stringify(Array(20_000).fill(row))
    await setUp({status: 200, headers: JSON_TYPE, body})
    expect((await send()).body).toHaveLength(20_000)
  })

  it('that takes long to read ends at a signal; the result of a write is still reported', async () => {
    const body = `[${'"4111 1111 1111 1111",'.repeat(100_000)}0]`
    for (const [kind, code] of [
      ['read', 'TERMINATED'],
      ['keyed', undefined],
    ] as const) {
      const stop = new AbortController()
      const debug = (line: string) => {
        // The head of the answer is there, and its body is looked at next.
        if (line.startsWith('< 200')) stop.abort('SIGTERM')
      }
      await setUp({status: 200, headers: JSON_TYPE, body}, {surroundings: {debug}})
      const input = {path: {id: '1'}, query: {}}
      const sent = sender.send({operation: kinds[kind], input, signal: stop.signal})
      if (code === undefined) expect((await sent).status).toBe(200)
      else expect((await failureOf(sent)).code).toBe(code)
      await sender.close()
      await service.close()
    }
  })

  it('that differs from the contract is accepted, and the places are named', async () => {
    const differences = [
      {pointer: '/status', message: 'status must be text', problem: 'must be text'},
      {pointer: '/id', message: 'id is missing', problem: 'is missing'},
    ]
    await setUp(OK, {surroundings: {checkResponse: async () => differences}})
    expect(await send('keyed')).toMatchObject({status: 200, body: {id: '1'}, differences})
  })

  const useless = [
    [
      'an HTML page',
      {status: 200, headers: {'content-type': 'text/html'}, body: '<html><title>Log in</title>'},
    ],
    [
      'an HTML page that says it is JSON',
      {status: 200, headers: JSON_TYPE, body: '<!DOCTYPE html><p>4111111111111111'},
    ],
    ['text', {status: 200, headers: {'content-type': 'text/plain'}, body: `ok ${PAN}`}],
    ['cut JSON', {status: 200, headers: JSON_TYPE, body: `{"id":"${PAN}`}],
    ['no UTF-8', {status: 200, headers: JSON_TYPE, body: Buffer.from([0x22, 0xff, 0x22])}],
    ['damaged gzip', {status: 200, headers: {...JSON_TYPE, 'content-encoding': 'gzip'}, body: 'no gzip'}],
    ['unknown encoding', {status: 200, headers: {...JSON_TYPE, 'content-encoding': 'zstd'}, body: '{}'}],
    [
      'packed three times',
      {status: 200, headers: {...JSON_TYPE, 'content-encoding': 'gzip, gzip, gzip'}, body: '{}'},
    ],
    [
      'a problem',
      {status: 200, headers: {'content-type': 'application/problem+json'}, body: '{"title":"No"}'},
    ],
  ] as const

  it.each(useless)('that is %s is of no use to a read, and is not quoted', async (_what, behaviour) => {
    await setUp(behaviour)
    const failure = await failureOf(send('read'))
    expect(failure).toMatchObject({code: 'ANSWER_INVALID', exit: 8, details: {effect: 'none', status: 200}})
    expect(failure.message).not.toContain(PAN)
    expect(service.received).toHaveLength(1)
  })

  it.each(useless)('that is %s proves no effect, and nothing is sent again', async (_what, behaviour) => {
    for (const kind of ['unkeyed', 'disclose', 'destroy'] as const) {
      await setUp(behaviour)
      const failure = await failureOf(send(kind))
      expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN', exit: 10, details: {effect: 'unknown'}})
      expect(failure.message).toContain('proves nothing')
      expect(failure.message).not.toContain(PAN)
      expect(service.received).toHaveLength(1)
      await sender.close()
      await service.close()
    }
  })

  it.each(useless)('that is %s is requested again with an honoured key', async (_what, behaviour) => {
    await setUp(behaviour)
    const failure = await failureOf(send('keyed'))
    expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN', details: {repeatable: true}})
    expect(service.received).toHaveLength(5)
    expect(new Set(service.received.map(({headers}) => headers['x-idempotency-key'])).size).toBe(1)
  })

  it('may be text where no contract describes it', async () => {
    await setUp({status: 200, headers: {'content-type': 'text/plain'}, body: 'pong'})
    const free = operation({id: 'api', success: [], path: '/ping', pathParams: []})
    expect((await sender.send({operation: free, input: {path: {}, query: {}}})).body).toBe('pong')
  })
})

describe('compression', () => {
  const text = JSON.stringify({text: 'x'.repeat(1000)})
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('%s is undone', async (encoding, body) => {
    await setUp({status: 200, headers: {...JSON_TYPE, 'content-encoding': encoding}, body})
    expect((await send()).body).toEqual({text: 'x'.repeat(1000)})
    expect(service.received[0]?.headers['accept-encoding']).toBe('gzip, deflate, br')
  })

  it('that would blow up is stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20), {level: 1})
    await setUp({status: 200, headers: {...JSON_TYPE, 'content-encoding': 'gzip'}, body: bomb})
    const failure = await failureOf(send())
    expect(failure.code).toBe('ANSWER_INVALID')
    expect(failure.message).toContain('16 MiB')
  })

  it('or not, an answer beyond the limit is stopped', async () => {
    await setUp({status: 200, headers: JSON_TYPE, body: Buffer.alloc(65 * 1024 * 1024, 0x20)})
    expect((await failureOf(send())).message).toContain('16 MiB')
  })
})

describe('a refusal keeps the text of the service', () => {
  const html = '<html><head><title>403 Forbidden\n by gateway</title></head><body>long…</body></html>'
  it.each([
    [
      'problem+json',
      'application/problem+json',
      '{"type":"about:blank","title":"No","detail":"Period is active"}',
      'No: Period is active',
    ],
    [
      'a detail alone',
      'application/problem+json',
      '{"detail":"Only validTo may change"}',
      'Only validTo may change',
    ],
    ['other JSON', 'application/json', '{"code":17,"message":"Limit"}', 'Limit (17)'],
    ['nested JSON', 'application/json', '{"error":{"message":"Deep"}}', 'Deep'],
    [
      'a list of errors',
      'application/json',
      '{"errors":[{"message":"First"},{"message":"Second"}]}',
      'First; Second',
    ],
    ['a JSON text', 'application/json', '"plain"', 'plain'],
    ['text', 'text/plain', ' Not today. \n', 'Not today.'],
    ['JSON without a type', '', '{"detail":"untyped"}', 'untyped'],
    [
      'an HTML page',
      'text/html',
      html,
      'an HTML page, from a proxy or gateway rather than the service: "403 Forbidden by gateway"',
    ],
    [
      'HTML without a title',
      'text/html',
      '<p>x',
      'an HTML page, from a proxy or gateway rather than the service',
    ],
    [
      'broken JSON',
      'application/json',
      `{"pan":"${PAN}`,
      'the body of the response cannot be read: it is not valid JSON, or was cut off (24 characters)',
    ],
  ])('%s', async (_what, type, body, words) => {
    await setUp({status: 400, headers: type === '' ? {} : {'content-type': type}, body})
    const failure = await failureOf(send())
    expect(failure.message).toBe(`GET /v4/1 was refused (400): ${words}`)
    expect(failure.details).toMatchObject({status: 400, effect: 'none'})
  })

  it('and the whole problem, unknown members too', async () => {
    const problem = {title: 'No', status: 409, id: '900000000003001', rule: ['a']}
    await setUp({
      status: 409,
      headers: {'content-type': 'application/problem+json'},
      body: JSON.stringify(problem),
    })
    expect((await failureOf(send())).details.problem).toEqual(problem)
  })

  it('but no card number and no secret that the contract marks', async () => {
    const problem = {title: `Card ${PAN} is unknown`, pinBlock: 'q8Jt', echoed: {number: PAN}}
    await setUp({status: 400, headers: JSON_TYPE, body: JSON.stringify(problem)})
    const failure = await failureOf(send())
    expect(JSON.stringify([failure.message, failure.details])).not.toMatch(/4111111111111111|q8Jt/)
    expect(failure.message).toContain('Card 411111••••••1111 is unknown')
  })

  it.each([
    [401, 'UNAUTHENTICATED', 4],
    [403, 'FORBIDDEN', 4],
    [404, 'NOT_FOUND', 5],
    [410, 'NOT_FOUND', 5],
    [400, 'REFUSED', 6],
    [409, 'REFUSED', 6],
    [413, 'REFUSED', 6],
    [422, 'REFUSED', 6],
    [429, 'RATE_LIMITED', 7],
    [500, 'SERVICE_FAULT', 8],
    [501, 'SERVICE_FAULT', 8],
  ] as const)('%i without a body is %s, exit %i', async (status, code, exit) => {
    await setUp({status})
    const failure = await failureOf(send())
    expect(failure).toMatchObject({code, exit, details: {status, effect: 'none'}})
    expect(failure.message).toContain(String(status))
  })
})

describe('debug lines', () => {
  it('name method, address, status, try and time, and mask headers and bodies', async () => {
    const reply = {
      status: 200,
      headers: {...JSON_TYPE, 'set-cookie': 'sid=s3ssion'},
      body: `{"tzpk":"c2Vj","note":"${PAN}"}`,
    }
    const auth = {type: 'header' as const, name: 'X-Custom', value: async () => new Secret('v4lue')}
    const surroundings = await setUp(reply, {target: {auth}})
    const tzpk = operation({
      effect: 'write',
      method: 'POST',
      path: '/v3/set/tzpk',
      pathParams: [],
      sensitive: {request: ['/secretThing'], reply: ['/tzpk']},
    })
    const body = {secretThing: 'hush', publicKey: 'MIIB'}
    await sender.send({operation: tzpk, input: {path: {}, query: {}, body}})
    const text = surroundings.lines.join('\n')
    expect(text).toMatch(/> POST http:\/\/127\.0\.0\.1:\d+\/v3\/set\/tzpk\?auditUser=aino \(try 1\)/)
    expect(text).toContain('> x-idempotency-key: made-1')
    expect(text).toContain('> x-custom: [masked]')
    expect(text).toContain('> {"secretThing":"[masked]","publicKey":"MIIB"}')
    expect(text).toMatch(/< 200 after \d+ ms/)
    expect(text).toContain('< {"tzpk":"[masked]"')
    expect(text).not.toMatch(/v4lue|hush|c2Vj|s3ssion|4111111111111111/)
    expect(service.received[0]?.headers['x-custom']).toBe('v4lue')
  })
})
