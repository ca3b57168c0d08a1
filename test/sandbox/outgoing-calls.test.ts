import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {describe, expect, onTestFinished, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import type {WebhookBody} from '../../src/contract/types.ts'
import {checkWebhookCall} from '../../src/contract/validate.ts'
import {createSandbox, type SandboxOptions, type WebhookOptions} from '../../src/sandbox/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type TestSandbox, temporaryFile, testSandbox} from '../helpers/sandbox.ts'

type AuthCall = WebhookBody<'webhook.auth'>

interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: AuthCall
}

/** A developer's endpoint; `answer` decides about `/auth`. */
async function client(
  answer: (call: AuthCall, response: ServerResponse) => void,
  onWarmUp = (response: ServerResponse): unknown => response.end(),
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as AuthCall
    received.push({path: request.url ?? '', headers: request.headers, body})
    if (request.url?.endsWith('/warm-up')) onWarmUp(response)
    else answer(body, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => stop())
  const {port} = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const auths = () => received.filter(({path}) => path.endsWith('/auth'))
  return {url: `http://127.0.0.1:${port}`, received, auths, stop}
}

const replying =
  (transactionData: object, status = 200) =>
  (_: AuthCall, response: ServerResponse) =>
    void response.writeHead(status).end(JSON.stringify({transactionData}))
const coded = (code: string, more: object = {}) => replying({authResponseCode: {code}, ...more})

async function against(answer: Parameters<typeof client>[0], options: Partial<WebhookOptions> = {}) {
  const endpoint = await client(answer)
  const sandbox = await testSandbox({
    webhook: {url: endpoint.url, ...options},
    monotonic: () => performance.now(),
  })
  return {...endpoint, sandbox}
}

const authorise = async (sandbox: TestSandbox, more: object = {}) =>
  (
    await sandbox.op('sandbox.authorisations.create', {
      body: {cardId: '3001', amount: 12.5, currency: 'EUR', ...more},
    })
  ).body

describe('the client decides', () => {
  test.each([
    ['00', '00', 'APPROVED', 12.5],
    ['APPROVED', '00', 'APPROVED', 12.5],
    ['05', '05', 'DECLINED', undefined],
    ['NOT_SUFFICIENT_FUNDS', '51', 'DECLINED', undefined],
    ['EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT', '65', 'DECLINED', undefined],
    ['75', '75', 'DECLINED', undefined],
  ])('%s is %s', async (word, responseCode, status, held) => {
    const {sandbox} = await against(coded(word))
    const done = await authorise(sandbox)
    expect(done).toMatchObject({
      responseCode,
      status,
      decidedBy: 'client',
      clientDurationMs: expect.any(Number),
    })
    expect(done.hold?.amount).toBe(held)
  })

  test.each(['OK', '93', 'approved'])('%s is no code, so the fallback decides', async word => {
    const {sandbox} = await against(coded(word))
    expect(await authorise(sandbox)).toMatchObject({
      decidedBy: 'fallback',
      reason: expect.stringContaining('the response code is unknown; there are 00, 05, 10'),
    })
  })

  test('a member that nobody reads is named with the decision', async () => {
    const {sandbox} = await against(coded('00', {avaliableAmount: {amount: 1, currency: 'EUR'}}))
    expect(await authorise(sandbox)).toMatchObject({
      decidedBy: 'client',
      reason: 'approved; avaliableAmount is not a member of transactionData; did you mean availableAmount',
    })
  })

  test('a part only where the merchant can take it, and only a true part', async () => {
    const part = (amount: number, currency = 'EUR') =>
      coded('10', {partialApprovalAmount: {amount, currency}})
    const tried = async (answer: ReturnType<typeof part>, more: object) => {
      const {sandbox} = await against(answer)
      return authorise(sandbox, more)
    }
    const fuel = {scenario: 'fuel'}
    expect(await tried(part(5), fuel)).toMatchObject({
      status: 'PARTIALLY_APPROVED',
      responseCode: '10',
      approvedAmount: {amount: 5},
      hold: {amount: 5, currency: 'EUR'},
      availableAmount: {amount: 4995},
    })
    const foreign = {...fuel, amount: 115, currency: 'NOK'}
    expect(await tried(part(5), foreign)).toMatchObject({
      approvedAmount: {amount: 57.5, currency: 'NOK'},
      hold: {amount: 5, currency: 'EUR'},
    })
    expect(await tried(part(57.5, 'NOK'), foreign)).toMatchObject({hold: {amount: 5, currency: 'EUR'}})
    expect(await tried(part(10), foreign)).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
    for (const answer of [part(12.5), part(0), part(13), part(5, 'SEK'), part(5.001)]) {
      expect(await tried(answer, fuel)).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
    }
    expect(await tried(part(5), {})).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
  })

  test('the call is what the contract says, for every scenario, and each has an id of its own', async () => {
    const {sandbox, auths} = await against(coded('00'))
    const names = Object.keys(scenarios).filter(name => !name.includes('reversal'))
    for (const scenario of names) await authorise(sandbox, {scenario, amount: 1})
    expect(auths()).toHaveLength(names.length)
    for (const {body} of auths()) expect(await checkWebhookCall('webhook.auth', body)).toEqual([])
    expect(new Set(auths().map(({body}) => body.metadata.id)).size).toBe(auths().length)
    expect(auths()[0]?.body).toMatchObject({
      metadata: {transactionId: 't_1', messageCategory: 'INITIAL_AUTHORIZATION'},
      customer: {customerId: '1001'},
      account: {accountId: '2001', availableAmount: {amount: 5000, currency: 'EUR'}},
      card: {cardId: '3001', expiration: {year: 2029, month: 12}},
      transactionData: {transactionAmount: {amount: 1, currency: 'EUR'}, cardEntryMode: 'CHIP_CONTACTLESS'},
      merchantData: {name: 'Kahvila Aino', country: 'FIN'},
    })
  })

  test('cash back and fees are parts of the amount', async () => {
    const {sandbox, auths} = await against(coded('00'))
    await authorise(sandbox, {scenario: 'cashback', amount: 50})
    await authorise(sandbox, {scenario: 'foreign', amount: 1150, currency: 'NOK'})
    expect(auths().map(({body}) => body.transactionData)).toMatchObject([
      {cashbackAmount: {amount: 20, currency: 'EUR'}},
      {transactionFees: [{feeType: 'FX_MARKUP', feeAmount: {amount: 2, currency: 'EUR'}}]},
    ])
  })

  test('a reversal tells the fee of what is reversed', async () => {
    const {sandbox, auths} = await against(coded('00'))
    const {id} = await authorise(sandbox, {scenario: 'foreign', amount: 1150, currency: 'NOK'})
    await sandbox.op('sandbox.authorisations.reverse', {path: {id}, body: {replacementAmount: 575}})
    expect(auths()[1]?.body.transactionData).toMatchObject({
      transactionType: 'REVERSAL',
      transactionAmount: {amount: 575, currency: 'NOK'},
      transactionFees: [{feeType: 'FX_MARKUP', feeAmount: {amount: 1, currency: 'EUR'}}],
    })
  })

  test('what the request sets takes the place of the scenario’s', async () => {
    const {sandbox, auths} = await against(coded('00'))
    await authorise(sandbox, {
      merchant: {name: 'Elsewhere'},
      transactionData: {cardEntryMode: 'MANUAL_ENTRY'},
      token: {id: '7', walletIdentifier: 'walletb'},
    })
    expect(auths()[0]?.body).toMatchObject({
      merchantData: {name: 'Elsewhere', city: 'Helsinki'},
      transactionData: {cardEntryMode: 'MANUAL_ENTRY'},
      token: {id: '7', walletIdentifier: 'walletb'},
    })
  })

  test('what the service refuses itself is never sent', async () => {
    const {sandbox, auths} = await against(coded('00'))
    expect(await authorise(sandbox, {cardId: '3002'})).toMatchObject({
      responseCode: '62',
      decidedBy: 'service',
    })
    expect(auths()).toEqual([])
  })

  test('a reversal tells the client, whose answer changes nothing', async () => {
    const {sandbox, auths} = await against(({transactionData}, response) =>
      coded(transactionData.transactionType === 'REVERSAL' ? '05' : '00')({} as AuthCall, response),
    )
    const {id, transactionId} = await authorise(sandbox)
    const partial = await sandbox.op('sandbox.authorisations.reverse', {
      path: {id},
      body: {replacementAmount: 4},
    })
    expect(partial.body).toMatchObject({
      hold: {amount: 4},
      reversals: [{amount: 8.5, clientAnswer: 'the client answered with status 200'}],
    })
    expect(auths()[1]?.body).toMatchObject({
      metadata: {transactionId},
      transactionData: {
        transactionType: 'REVERSAL',
        originalTransactionId: transactionId,
        transactionAmount: {amount: 8.5},
        replacementAmount: {amount: 4, currency: 'EUR'},
        cardEntryMode: 'CHIP_CONTACTLESS',
      },
      merchantData: auths()[0]?.body.merchantData,
    })
  })

  test.each([
    ['JPY', 100, undefined, 100],
    ['SEK', 10, undefined, 10],
    ['HUF', 100, undefined, 100],
    ['SEK', 100, 40, 60],
  ])(
    '%s %d, reversed down to %s: what was asked for, not what conversions make of it',
    async (currency, amount, replacementAmount, told) => {
      const {sandbox, auths} = await against(coded('00'))
      const {id} = await authorise(sandbox, {amount, currency})
      await sandbox.op('sandbox.authorisations.reverse', {path: {id}, body: {replacementAmount}})
      expect(auths()[1]?.body.transactionData.transactionAmount).toEqual({amount: told, currency})
    },
  )

  test('a reversal that the client could not be told of says so', async () => {
    const endpoint = await client(coded('00'))
    const sandbox = await testSandbox({webhook: {url: endpoint.url, deadlineMs: 300}})
    const {id} = await authorise(sandbox)
    endpoint.stop()
    const {body} = await sandbox.op('sandbox.authorisations.reverse', {path: {id}})
    expect(body).toMatchObject({
      hold: {amount: 0},
      reversals: [{amount: 12.5, clientAnswer: expect.stringContaining('cannot be reached')}],
    })
  })
})

describe('the fallback decides when the client does not', () => {
  const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  const broken: [string, Parameters<typeof client>[0]][] = [
    ['another status', replying({authResponseCode: {code: '00'}}, 500)],
    ['no JSON', (_, response) => void response.end('APPROVED')],
    ['no decision', replying({})],
    ['a code that is none', coded('maybe')],
    ['a cut connection', (_, response) => void response.destroy()],
    ['an endless answer', (_, response) => void response.end('x'.repeat(70_000))],
    ['silence', () => undefined],
    ['another protocol', (_, response) => void response.socket?.end(SWITCHING)],
  ]

  test.each(broken)('%s', async (_, answer) => {
    const {sandbox} = await against(answer, {deadlineMs: 200})
    const done = await authorise(sandbox)
    expect(done).toMatchObject({decidedBy: 'fallback', status: 'DECLINED', responseCode: '96', hold: null})
    expect(done.availableAmount?.amount).toBe(5000)
  })

  test('it may approve, and then holds', async () => {
    const {sandbox} = await against(() => undefined, {deadlineMs: 50, fallback: 'approve'})
    const done = await authorise(sandbox)
    expect(done).toMatchObject({decidedBy: 'fallback', responseCode: '00', hold: {amount: 12.5}})
    expect(done.reason).toBe('no answer within 50 ms')
  })

  test('nobody there', async () => {
    const sandbox = await testSandbox({webhook: {url: 'http://127.0.0.1:9'}})
    expect(await authorise(sandbox)).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
  })

  test('others are answered while the client thinks, and its money is reserved', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const {sandbox} = await against((_, response) => asked.resolve(response), {deadlineMs: 20_000})
    const waiting = authorise(sandbox, {amount: 1500})
    const response = await asked.promise
    const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2001'}})
    expect(body.balances).toMatchObject([{held: 1500, available: 3500}])
    coded('05')({} as AuthCall, response)
    expect(await waiting).toMatchObject({status: 'DECLINED', availableAmount: {amount: 5000}})
  })
})

const purchase = (url: string) =>
  fetch(`${url}/_sandbox/authorisations`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({cardId: '3001', amount: 12.5, currency: 'EUR'}),
  })

describe('while the client is asked', () => {
  const DAY = 24 * 60 * 60 * 1000

  /** A first purchase of 40 is held, and an increment of 30 waits for the client. */
  async function raising({age = 6 * DAY, ...options}: Partial<SandboxOptions> & {age?: number} = {}) {
    const asked = Promise.withResolvers<ServerResponse>()
    const endpoint = await client((call, response) => {
      if (call.metadata.messageCategory === 'INCREMENTAL_AUTHORIZATION') asked.resolve(response)
      else coded('00')(call, response)
    })
    const webhook = {url: endpoint.url, deadlineMs: 20_000}
    const sandbox = await testSandbox({...options, webhook, monotonic: () => performance.now()})
    const {id, transactionId} = await authorise(sandbox, {amount: 40})
    sandbox.pass(age)
    const raise = authorise(sandbox, {amount: 30, transactionId})
    const response = await asked.promise
    const on = (operation: 'clear' | 'reverse', body: object = {}) =>
      sandbox.op(`sandbox.authorisations.${operation}`, {path: {id}, body})
    const account = async () => {
      const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2001'}})
      return (body.balances as {booked: number; held: number}[])[0]
    }
    const listed = async () => (await sandbox.op('sandbox.authorisations.list', {query: {}})).body
    const answer = (code: string) => {
      coded(code)({} as AuthCall, response)
      return raise
    }
    return {sandbox, id, transactionId, raise, answer, on, account, listed}
  }

  test('it is listed as pending, and can neither be cleared nor reversed', async () => {
    const {sandbox, listed, account, answer} = await raising()
    const [pending] = await listed()
    expect(pending).toMatchObject({status: 'PENDING', responseCode: null, decidedBy: null, hold: null})
    expect((await account())?.held).toBe(70)
    const path = {id: pending?.id ?? ''}
    expect((await sandbox.op('sandbox.authorisations.clear', {path, body: {amount: 1}})).status).toBe(409)
    expect((await sandbox.op('sandbox.authorisations.reverse', {path, body: {}})).status).toBe(409)
    expect(await answer('00')).toMatchObject({id: pending?.id, hold: {amount: 70}})
    expect(await listed()).toMatchObject([{status: 'APPROVED'}, {hold: {amount: 70}}])
  })

  test.each([
    ['declined', '51', {booked: -40, held: 0}],
    ['approved', '00', {booked: -40, held: 30}],
  ])('the transaction is cleared without it, then it is %s', async (_, code, left) => {
    const {on, answer, account} = await raising()
    expect((await on('clear')).body).toMatchObject({amount: 40})
    await answer(code)
    expect(await account()).toMatchObject(left)
  })

  test.each([
    ['down to 25, then declined', {replacementAmount: 25}, '51', 25],
    ['down to 25, then approved', {replacementAmount: 25}, '00', 55],
    ['whole, then approved', {}, '00', 30],
  ])('the transaction is reversed %s', async (_, body, code, held) => {
    const {on, answer, account} = await raising()
    expect((await on('reverse', body)).status).toBe(200)
    await answer(code)
    expect((await account())?.held).toBe(held)
  })

  test('limits count what waits for the client, and less after a reversal meanwhile', async () => {
    const {sandbox, on, answer} = await raising({age: 0})
    const left = async () => {
      const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'card', id: '3001'}})
      return body.usageLimits
    }
    const retail = (availableAmount: number) => [{values: [{}, {code: 'RETAIL', availableAmount}]}]
    expect(await left()).toMatchObject(retail(1930))
    await on('reverse', {replacementAmount: 25})
    expect(await left()).toMatchObject(retail(1945))
    await answer('00')
    expect(await left()).toMatchObject(retail(1945))
  })

  test.each([
    ['declined', '51', 0],
    ['approved', '00', 70],
  ])('an increment that is %s: what was held before is released at its time', async (_, code, held) => {
    const {sandbox, answer, account} = await raising()
    await answer(code)
    sandbox.pass(2 * DAY)
    expect((await account())?.held).toBe(held)
    sandbox.pass(5 * DAY)
    expect((await account())?.held).toBe(0)
  })

  test('a question without an end leaves a decline, and nothing reserved, five minutes later', async () => {
    const {sandbox, account, listed} = await raising()
    sandbox.pass(5 * 60 * 1000)
    expect(await account()).toMatchObject({held: 40})
    expect((await listed())[0]).toMatchObject({
      status: 'DECLINED',
      responseCode: '96',
      decidedBy: 'service',
      reason: 'no answer of the client was known after five minutes of the sandbox clock',
    })
  })

  test('a decline that is listed stands, whatever the client answers then', async () => {
    const {sandbox, answer, account, listed} = await raising()
    await sandbox.op('sandbox.clock.advance', {body: {advanceMs: 10 * 60 * 1000}})
    expect((await listed())[0]).toMatchObject({status: 'DECLINED', availableAmount: {amount: 4960}})
    expect(await answer('00')).toMatchObject({status: 'DECLINED', responseCode: '96', hold: null})
    expect((await account())?.held).toBe(40)
  })

  test('a reset leaves nothing of the question', async () => {
    const {sandbox, answer, account, listed} = await raising()
    await sandbox.op('sandbox.reset')
    const answered = answer('00')
    await expect(answered).resolves.toMatchObject({status: 409, detail: expect.stringContaining('reset')})
    expect(await listed()).toEqual([])
    expect((await account())?.held).toBe(0)
  })

  test.each(['refund', 'balance-inquiry', 'contactless'])(
    'a question about a %s ends too',
    async scenario => {
      const endpoint = await client(() => undefined)
      const file = await temporaryFile()
      const sandbox = await testSandbox({file, webhook: {url: endpoint.url, deadlineMs: 20_000}})
      void authorise(sandbox, {scenario, amount: 20})
      await expect.poll(() => endpoint.auths().length).toBe(1)
      sandbox.pass(5 * 60 * 1000)
      const {body} = await sandbox.op('sandbox.authorisations.list', {query: {}})
      expect(body).toMatchObject([{status: 'DECLINED', responseCode: '96', decidedBy: 'service'}])
    },
  )

  test('a server that ends while another goes on cuts nobody short', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const endpoint = await client((_, response) => asked.resolve(response))
    const sandbox = await createSandbox({webhook: {url: endpoint.url, deadlineMs: 20_000}})
    const [first, second] = [await sandbox.serve({drainMs: 30}), await sandbox.serve()]
    const cut = purchase(first.url).catch(() => undefined)
    await asked.promise
    const other = Promise.withResolvers<ServerResponse>()
    asked.resolve = other.resolve
    const reply = purchase(second.url)
    const response = await other.promise
    await first.close()
    coded('00')({} as AuthCall, response)
    expect(await (await reply).json()).toMatchObject({status: 'APPROVED', decidedBy: 'client'})
    await cut
    await second.close()
    await sandbox.close()
  })

  test('a sandbox that is closed during the warm-up asks nobody any more', async () => {
    const warmed = Promise.withResolvers<void>()
    const endpoint = await client(coded('00'), () => warmed.resolve())
    const webhook = {url: endpoint.url, deadlineMs: 20_000}
    const sandbox = await testSandbox({file: await temporaryFile(), webhook})
    const waiting = authorise(sandbox)
    await warmed.promise
    await sandbox.close()
    expect(await waiting).toMatchObject({status: 'DECLINED', decidedBy: 'fallback'})
    expect(endpoint.auths()).toEqual([])
  })

  test('a server that ends lets the fallback decide, and answers', async () => {
    const endpoint = await client(() => undefined)
    const sandbox = await createSandbox({webhook: {url: endpoint.url, deadlineMs: 20_000}})
    const server = await sandbox.serve({drainMs: 600})
    const reply = purchase(server.url)
    await expect.poll(() => endpoint.auths().length).toBe(1)
    await server.close()
    expect(await (await reply).json()).toMatchObject({status: 'DECLINED', decidedBy: 'fallback'})
    await sandbox.close()
  })

  test('a sandbox that is closed lets the fallback decide, and writes it down', async () => {
    const file = await temporaryFile()
    const {sandbox, raise} = await raising({file})
    await sandbox.close()
    const reason = 'the sandbox was closed before the client answered'
    expect(await raise).toMatchObject({status: 'DECLINED', decidedBy: 'fallback', reason})
    const next = await testSandbox({file})
    const {body} = await next.op('sandbox.authorisations.list', {query: {}})
    expect(body[0]).toMatchObject({status: 'DECLINED', reason})
  })
})

describe('connections', () => {
  test('a warm-up goes out at the start and after idleness, with the credentials of every call', async () => {
    let now = 0
    const endpoint = await client(coded('00'))
    const webhook = {
      url: `${endpoint.url}/hooks/`,
      user: 'bank',
      password: new Secret('s3cret'),
      idleMs: 1000,
    }
    const sandbox = await testSandbox({webhook, monotonic: () => now})
    await expect.poll(() => endpoint.received.length, {timeout: 10_000}).toBe(1)
    await authorise(sandbox)
    now = 999
    await authorise(sandbox)
    now = 1999
    await authorise(sandbox)
    const paths = endpoint.received.map(({path}) => path)
    expect(paths).toEqual(['/hooks/warm-up', '/hooks/auth', '/hooks/auth', '/hooks/warm-up', '/hooks/auth'])
    const [warmUp] = endpoint.received
    expect(warmUp?.headers['x-warmup']).toBe('true')
    expect(await checkWebhookCall('webhook.warmUp', warmUp?.body)).toEqual([])
    const basic = `Basic ${Buffer.from('bank:s3cret').toString('base64')}`
    expect(new Set(endpoint.received.map(({headers}) => headers.authorization))).toEqual(new Set([basic]))
  })

  test('a warm-up without an answer is told of, once until there is one again', async () => {
    let isUp = false
    const whenUp = (answer: (response: ServerResponse) => unknown) => (response: ServerResponse) =>
      void (isUp ? answer(response) : response.destroy())
    const endpoint = await client(
      (call, response) => whenUp(each => coded('00')(call, each))(response),
      whenUp(response => response.end()),
    )
    const told: string[] = []
    const webhook = {url: endpoint.url, idleMs: 0}
    const sandbox = await testSandbox({webhook, onUnreachable: why => told.push(why)})
    await expect.poll(() => told.length, {timeout: 10_000}).toBe(1)
    expect(told[0]).toContain('cannot be reached')
    for (const [now, times] of [
      [false, 1],
      [true, 1],
      [false, 2],
      [false, 2],
    ] as const) {
      isUp = now
      expect(await authorise(sandbox)).toMatchObject({decidedBy: now ? 'client' : 'fallback'})
      expect(told).toHaveLength(times)
    }
  })
})
