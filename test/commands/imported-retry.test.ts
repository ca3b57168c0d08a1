import {beforeEach, describe, expect, it} from 'vitest'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

const post = (...parameters: object[]) => ({
  post: {
    operationId: 'send',
    parameters,
    requestBody: json({type: 'object', properties: {amount: {type: 'integer'}}}),
    responses: {200: json({type: 'object'})},
  },
})
const parameter = (name: string, place: string) => ({
  name,
  in: place,
  required: place === 'path',
  schema: {type: 'string'},
})
const PATHS = {
  '/keyed/{at}': post(
    parameter('at', 'path'),
    parameter('way', 'query'),
    parameter('X-Trace', 'header'),
    parameter('Idempotency-Key', 'header'),
  ),
  '/plain': post(),
  '/holders/{iban}': post(parameter('iban', 'path'), parameter('Idempotency-Key', 'header')),
  '/secret': post(parameter('X-Pin', 'header'), parameter('Idempotency-Key', 'header')),
}
const KEYED = ['x', 'keyed', 'send', 'a b', '--way', 'x', '--x-trace', 't1', '-F', 'amount=5']
const PLAIN = ['x', 'plain', 'send', '-F', 'amount=5']

const lose = () => {
  shop().answer = () => ({status: 502, headers: {}, body: Buffer.alloc(0)})
}
const sent = () =>
  shop().service.requests.map(({method, url, headers, body}) => ({
    line: `${method} ${url} ${body}`,
    key: headers['idempotency-key'],
    trace: headers['x-trace'],
  }))

describe('a request of an imported contract', () => {
  beforeEach(() => shop().importPaths(PATHS))

  it.each(['retry', 'resolve'])(
    'goes out again unchanged with requests %s, where its key is honoured',
    async how => {
      lose()
      const lost = await shop().run([...KEYED, '--retries', '0'])
      expect(lost).toMatchObject({code: 10, stderr: expect.stringContaining('POST /keyed/a%20b was sent')})
      shop().answer = () => reply(200, {id: '7'})
      expect(await shop().run(['requests', how, 'last'])).toMatchObject({code: 0})
      const [first, second, ...others] = sent()
      expect(others).toEqual([])
      expect(second).toEqual(first)
      expect(first).toMatchObject({line: 'POST /base/keyed/a%20b?way=x {"amount":5}', trace: 't1'})
      expect(first?.key).toBeDefined()
      const {stdout} = await shop().run(['requests', 'list', '-o', 'json'])
      expect(JSON.parse(stdout).every(({effect}: {effect: string}) => effect === 'done')).toBe(true)
    },
  )

  it('is not sent a second time without a key, unless it had no effect', async () => {
    lose()
    await shop().run(PLAIN)
    expect(await shop().run(['requests', 'retry', 'last'])).toMatchObject({code: 10})
    expect(sent()).toHaveLength(1)
    shop().answer = () => reply(422, {message: 'not now'})
    await shop().run([...PLAIN, '--yes'])
    shop().answer = () => reply(200, {})
    const before = sent().length
    expect(await shop().run(['requests', 'retry', 'last'])).toMatchObject({code: 0})
    expect(sent()).toHaveLength(before + 1)
    expect(sent().at(-1)).toEqual(sent().at(-2))
  })

  it('is not sent by another document', async () => {
    lose()
    await shop().run([...KEYED, '--retries', '0'])
    await shop().importPaths(PATHS)
    // Running the command again could pay twice.
    const unknown = {
      code: 10,
      stderr: expect.stringMatching(/could have the effect twice.*requests resolve r_/s),
    }
    const {code, stderr} = await shop().run(['requests', 'retry', 'last'])
    expect({code, stderr}).toMatchObject(unknown)
    expect(stderr).toContain('imported again since')
    await shop().run(['contract', 'remove', 'own', '--yes'])
    expect(await shop().run(['requests', 'retry', 'last'])).toMatchObject(unknown)
    expect(sent()).toHaveLength(1)
    lose()
    await shop().run(['api', 'POST', '/elsewhere', '-F', 'amount=5', '--retries', '0', '--yes'])
    expect(await shop().run(['requests', 'retry', 'last'])).toMatchObject(unknown)
  })

  it('takes its key for no other resource, also where the path is masked', async () => {
    const line = (iban: string) => ['x', 'holders', 'send', iban, '-F', 'amount=5', '--idempotency-key', 'k']
    expect(await shop().run(line('FI2112345600000785'))).toMatchObject({code: 0})
    const other = await shop().run(line('FI5542345670000081'))
    expect(other).toMatchObject({code: 2, stderr: expect.stringContaining('KEY_REUSED')})
    expect(other.stderr).not.toContain('FI')
    expect(await shop().run(line('FI2112345600000785'))).toMatchObject({code: 0})
    expect(sent()).toHaveLength(2)
    const {stdout} = await shop().run(['requests', 'list', '-o', 'json'])
    expect(stdout).not.toContain('FI')
  })

  it('is not kept with a secret in a parameter', async () => {
    lose()
    const line = ['x', 'secret', 'send', '--x-pin', 'env:PIN', '-F', 'amount=5', '--retries', '0']
    expect(await shop().run(line, {env: {PIN: '9182'}})).toMatchObject({code: 10})
    const {code, stderr} = await shop().run(['requests', 'retry', 'last'])
    expect(code).toBe(2)
    expect(stderr).toContain('was not kept, because it holds a secret')
    expect(sent()).toHaveLength(1)
  })
})

it('of a row without a key is not said to be sent again by a row of the same path, or of the same values', async () => {
  await shop().importPaths(PATHS)
  let calls = 0
  shop().answer = () => {
    calls += 1
    return calls === 1 ? {status: 502, headers: {}, body: Buffer.alloc(0)} : reply(200, {})
  }
  const rows = ['bulk', 'run', 'x', 'plain', 'send', '--from', '-', '--concurrency', '1', '--retries', '0']
  const {code} = await shop().run(rows, {stdin: 'amount\n5\n7\n5\n'})
  expect(code).toBe(11)
  expect(sent().map(({line}) => line)).toEqual(
    [5, 7, 5].map(amount => `POST /base/plain {"amount":${amount}}`),
  )
  const {code: resolved, stdout, stderr} = await shop().run(['requests', 'resolve', 'last'])
  expect(resolved).toBe(10)
  expect(stdout + stderr).not.toContain('sent again as')
  // What a person found leads to one request for this row, which then counts as its repeat.
  const found = [
    'requests',
    'resolve',
    'last',
    '--found',
    'no-effect',
    '--because',
    'Not in their list',
    '--yes',
  ]
  expect(await shop().run(found)).toMatchObject({code: 0})
  expect(await shop().run(['bulk', 'resume', 'last', '--yes'])).toMatchObject({code: 0})
  expect(sent()).toHaveLength(4)
})
