// One server with many sandboxes, one for each test of a program that uses the service.
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {beforeEach, expect, onTestFinished, test} from 'vitest'
import {Secret} from '../../src/sandbox/index.ts'
import {createIsolatedSandboxes, type IsolatedOptions} from '../../src/sandbox/isolated-sandboxes.ts'

interface Made {
  readonly name: string
  readonly url: string
}

let url: string
const open = async (options: IsolatedOptions = {}) => {
  const sandboxes = await createIsolatedSandboxes(options)
  const server = await sandboxes.serve()
  onTestFinished(async () => {
    await server.close()
    await sandboxes.close()
  })
  return server.url
}
beforeEach(async () => {
  url = await open()
})

const send = (method: string, to: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(to, {
    method,
    headers: {...(body === undefined ? {} : {'content-type': 'application/json'}), ...headers},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  })
const make = async (body?: unknown): Promise<Made> => {
  const response = await send('POST', `${url}/_sandboxes`, body)
  expect(response.status).toBe(201)
  return (await response.json()) as Made
}
const problem = async (response: Response) => {
  const {type, detail} = (await response.json()) as {type: string; detail: string}
  return [response.status, type.replace('urn:problem:', ''), detail]
}
const limitOf = async ({url}: Made) => {
  const response = await send('GET', `${url}/_sandbox/state/account/2001`)
  return ((await response.json()) as {creditLimit: number}).creditLimit
}
const patch = ({url}: Made, creditLimit: number, key = 'one') =>
  send('PATCH', `${url}/v4/CREDIT/2001?auditUser=test`, {creditLimit}, {'x-idempotency-key': key})

test('fifty at once see nothing of each other: rows, keys, clock, faults, requests', async () => {
  const all = await Promise.all(Array.from({length: 50}, () => make()))
  expect(new Set(all.map(({url}) => url)).size).toBe(50)
  const seen = await Promise.all(
    all.map(async (each, at) => {
      // The same key in each, for another change.
      expect((await patch(each, 6000 + at)).status).toBe(200)
      if (at % 2 === 0) await send('POST', `${each.url}/_sandbox/clock`, {advanceMs: (at + 1) * 86_400_000})
      if (at % 5 === 0)
        await send('POST', `${each.url}/_sandbox/faults`, {operation: 'cards.get.v4', status: 503})
      const card = await send('GET', `${each.url}/v4/3001?auditUser=test`)
      const clock = (await (await send('GET', `${each.url}/_sandbox/clock`)).json()) as {now: string}
      const {requests} = (await (await send('GET', `${url}/_sandboxes/${each.name}/calls`)).json()) as {
        requests: {operation: string; replayed: boolean}[]
      }
      const ahead = Math.round(Math.abs(Date.parse(clock.now) - Date.now()) / 86_400_000)
      return {
        limit: await limitOf(each),
        card: card.status,
        ahead,
        requests: requests.map(({replayed}) => replayed),
      }
    }),
  )
  expect(seen).toEqual(
    all.map((_, at) => ({
      limit: 6000 + at,
      card: at % 5 === 0 ? 503 : 200,
      ahead: at % 2 === 0 ? at + 1 : 0,
      requests: Array.from({length: 3 + (at % 2 === 0 ? 1 : 0) + (at % 5 === 0 ? 1 : 0)}, () => false),
    })),
  )
})

test('a sandbox is known by its name, until it is removed', async () => {
  const {url: own} = await make({name: 'test-1'})
  expect(own).toBe(`${url}/s/test-1`)
  expect((await problem(await send('POST', `${url}/_sandboxes`, {name: 'test-1'})))[1]).toBe('sandbox-exists')
  expect(await (await send('GET', `${url}/_sandboxes`)).json()).toEqual([{name: 'test-1', url: own}])
  expect(await (await send('GET', `${url}/_sandboxes/test-1`)).json()).toEqual({name: 'test-1', url: own})
  expect((await send('DELETE', `${url}/_sandboxes/test-1`)).status).toBe(204)
  expect((await send('DELETE', `${url}/_sandboxes/test-1`)).status).toBe(404)
  expect((await problem(await send('GET', `${own}/v4/3001?auditUser=test`)))[1]).toBe('sandbox-not-found')
  // Removed, the name is free, and what comes under it is new.
  await patch(await make({name: 'test-1'}), 6001)
  await send('DELETE', `${url}/_sandboxes/test-1`)
  expect(await limitOf(await make({name: 'test-1'}))).not.toBe(6001)
})

test.each([
  [{name: '..'}, 'name must be'],
  [{name: 'a/b'}, 'name must be'],
  [{nmae: 'a'}, 'Did you mean name?'],
  [{webhook: {}}, 'webhook.url is missing'],
  [{webhook: {url: 'http://10.0.0.1:3000'}}, 'https, or http on this machine'],
  [{webhook: {url: 'http://127.0.0.1:3000/auth'}}, 'without /auth'],
  [{webhook: {url: 'http://127.0.0.1:3000', deadlineMs: 0}}, 'webhook.deadlineMs'],
  [[], 'must be an object'],
])('%j is refused, and nothing is made', async (body, why) => {
  expect(await problem(await send('POST', `${url}/_sandboxes`, body))).toEqual([
    400,
    'invalid-sandbox',
    expect.stringContaining(why),
  ])
  expect(await (await send('GET', `${url}/_sandboxes`)).json()).toEqual([])
})

test('a request that names no sandbox is told how to get one', async () => {
  expect(await problem(await send('GET', `${url}/v4/3001?auditUser=test`))).toEqual([
    404,
    'sandbox-not-named',
    expect.stringContaining('POST /_sandboxes'),
  ])
  expect((await send('PUT', `${url}/_sandboxes`)).headers.get('allow')).toBe('GET, POST')
})

/** An endpoint that approves, and keeps the headers of its calls. */
async function endpoint() {
  const headers: unknown[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers.authorization)
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers}
}

test('an endpoint of its own gets the calls of one sandbox, which has them with their answers', async () => {
  const {url: to} = await endpoint()
  const one = await make({webhook: {url: to}})
  const other = await make()
  const buy = (at: Made) =>
    send('POST', `${at.url}/_sandbox/authorisations`, {cardId: '3001', scenario: 'contactless'})
  expect((await buy(one)).status).toBe(201)
  expect((await buy(other)).status).toBe(201)
  const callsOf = async ({name}: Made) =>
    (
      (await (await send('GET', `${url}/_sandboxes/${name}/calls`)).json()) as {
        webhook: {path: string; status: number}[]
      }
    ).webhook
  expect(await callsOf(one)).toMatchObject([
    {path: '/warm-up', status: 200},
    {path: '/auth', status: 200, answer: {transactionData: {authResponseCode: {code: '00'}}}},
  ])
  expect(await callsOf(other)).toEqual([])
})

test("the credentials of the server's endpoint go to no other host or port", async () => {
  const [its, another] = [await endpoint(), await endpoint()]
  url = await open({webhook: {url: its.url, user: 'service', password: new Secret('made-up')}})
  const calls = async (webhook?: unknown) => {
    const {url: own} = await make(webhook === undefined ? {} : {webhook})
    await send('POST', `${own}/_sandbox/authorisations`, {cardId: '3001', scenario: 'contactless'})
  }
  await calls()
  await calls({url: `${its.url}/test-2`})
  await calls({url: another.url})
  expect(its.headers).toHaveLength(4)
  expect(new Set(its.headers)).toEqual(
    new Set([`Basic ${Buffer.from('service:made-up').toString('base64')}`]),
  )
  expect(another.headers).toEqual([undefined, undefined])
})

test('with credentials, nothing is made without them; and never for the page of a browser', async () => {
  expect((await send('POST', `${url}/_sandboxes`, {}, {origin: 'https://elsewhere.example'})).status).toBe(
    403,
  )
  expect((await send('POST', `${url}/_sandboxes`, {}, {'sec-fetch-site': 'same-site'})).status).toBe(403)
  url = await open({auth: {type: 'bearer', token: new Secret('made-up')}})
  expect((await send('POST', `${url}/_sandboxes`)).status).toBe(401)
  const made = await send('POST', `${url}/_sandboxes`, undefined, {authorization: 'Bearer made-up'})
  const {url: own} = (await made.json()) as Made
  expect((await send('GET', `${own}/v4/3001?auditUser=test`)).status).toBe(401)
})

test('when as many are open as may be, the next is refused and says what to do', async () => {
  url = await open({most: 3})
  await Promise.all([make(), make(), make()])
  expect(await problem(await send('POST', `${url}/_sandboxes`))).toEqual([
    507,
    'too-many-sandboxes',
    expect.stringContaining('DELETE /_sandboxes/NAME'),
  ])
  expect((await send('DELETE', `${url}/_sandboxes/1`)).status).toBe(204)
  await make()
})
