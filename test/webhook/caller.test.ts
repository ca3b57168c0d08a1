import type {RequestListener, ServerResponse} from 'node:http'
import fc from 'fast-check'
import {expect, onTestFinished, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {declineAll} from '../../src/webhook/decide.ts'
import {type CallerOptions, judgeDecision, openCaller} from '../../src/webhook/send/caller.ts'
import {scenarioCall, someCard} from '../../src/webhook/send/scenario-call.ts'
import {pem} from '../http/listening.ts'
import {endpoint, listener} from './listener.ts'

let ids = 0
function callFor(name: string) {
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`There is no scenario ${name}.`)
  return scenarioCall({
    scenario,
    card: someCard,
    now: Date.now,
    newId: () => `id-${++ids}`,
    random: () => 0.5,
  })
}

function callerOf(url: string, more: Partial<CallerOptions> = {}) {
  const caller = openCaller({base: new URL(url), deadlineMs: 10_000, now: Date.now, ...more})
  onTestFinished(() => caller.close())
  return caller
}

const decided = (transactionData: object) => (response: ServerResponse) =>
  void response.end(JSON.stringify({transactionData}))

/** What a caller makes of an endpoint that answers so. */
async function against(
  answer: (response: ServerResponse, ...rest: Parameters<RequestListener>) => void,
  {name = 'chip', ...more}: Partial<CallerOptions> & {name?: string} = {},
) {
  const url = await endpoint((request, response) => {
    request.resume()
    request.on('end', () => answer(response, request, response))
  })
  return callerOf(url, more).authorise(callFor(name))
}

test('every scenario is answered by a listener of ours', async () => {
  const {url, events} = await listener()
  const caller = callerOf(url)
  expect(await caller.warmUp()).toMatchObject({outcome: 'ready', status: 200, violations: []})
  for (const name of Object.keys(scenarios)) {
    expect(await caller.authorise(callFor(name)), name).toMatchObject({outcome: 'approved', code: '00'})
  }
  expect(events.map(({type}) => type)).toEqual(['warm-up', ...Object.keys(scenarios).map(() => 'auth')])
})

test('a decision is read by its code or its name', async () => {
  const {url} = await listener({decider: declineAll('NOT_SUFFICIENT_FUNDS')})
  expect(await callerOf(url).authorise(callFor('chip'))).toMatchObject({outcome: 'declined', code: '51'})
  const partialApprovalAmount = {amount: 50, currency: 'EUR'}
  const part = decided({authResponseCode: {code: '10'}, partialApprovalAmount})
  expect(await against(part, {name: 'fuel'})).toMatchObject({outcome: 'partial', code: '10'})
})

test('the credentials and headers given are sent', async () => {
  const auth = {type: 'basic', user: 'service', password: new Secret('secret')} as const
  const {url} = await listener({credentials: {auth}})
  const caller = callerOf(url, {credentials: {auth}, headers: {'x-trace': '1'}})
  expect(await caller.authorise(callFor('chip'))).toMatchObject({outcome: 'approved'})
  const refused = await callerOf(url).authorise(callFor('chip'))
  expect(refused).toMatchObject({outcome: 'invalid', status: 401, reason: 'status 401'})
})

test.each<[string, Parameters<typeof against>[0], object]>([
  [
    'text',
    response => response.end('approved'),
    {reason: expect.stringMatching(/^the answer is not a JSON object; an approval is \{/), reply: 'approved'},
  ],
  [
    'a JSON string',
    response => response.end('"00"'),
    {reason: expect.stringContaining('the answer is not a JSON object')},
  ],
  ['nothing', response => response.end(), {reason: expect.stringContaining('the answer has no body')}],
  ['half of JSON', response => response.end('{"transactionData":'), {status: 200}],
  [
    'another form',
    response => response.end('{"transactionData":{}}'),
    {
      violations: [
        {pointer: '/transactionData/authResponseCode', message: expect.stringContaining('authResponseCode')},
      ],
    },
  ],
  [
    'a part for a merchant who takes none',
    decided({authResponseCode: {code: '10'}, partialApprovalAmount: {amount: 1, currency: 'EUR'}}),
    {violations: [{pointer: '/transactionData/authResponseCode/code', message: expect.any(String)}]},
  ],
  [
    'a code of nobody',
    decided({authResponseCode: {code: 'MAYBE'}}),
    {
      violations: [
        {
          pointer: '/transactionData/authResponseCode/code',
          message: expect.stringContaining('is not a response code; there are 00, 05, 10, 14'),
        },
      ],
    },
  ],
  [
    'a code that is a number',
    decided({authResponseCode: {code: 51}}),
    {
      reason: 'transactionData.authResponseCode.code must be text (webhook contract --code all)',
      violations: [{pointer: '/transactionData/authResponseCode/code', message: expect.any(String)}],
    },
  ],
  [
    'a redirect',
    response => response.writeHead(307, {location: '/elsewhere'}).end(),
    {status: 307, reason: 'status 307; redirects are not followed'},
  ],
  ['a fault', response => response.writeHead(500).end('{}'), {status: 500, reply: {}}],
  [
    'a huge body',
    response => response.end(' '.repeat(1 << 20)),
    {reason: 'the answer has more than 65536 bytes'},
  ],
  ['a cut before the answer', response => response.destroy(), {reason: expect.stringContaining('closed')}],
  [
    'a cut within the answer',
    response => {
      response.writeHead(200, {'content-length': '100'}).write('{')
      setTimeout(() => response.destroy(), 20)
    },
    {reason: expect.stringContaining('closed before the end')},
  ],
])('%s is an invalid answer', async (_, answer, expected) => {
  expect(await against(answer)).toMatchObject({outcome: 'invalid', ...expected})
})

test('no body makes the judge stumble', async () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({transactionData: fc.dictionary(fc.constantFrom('authResponseCode', 'x'), fc.jsonValue())})
      .map(each => JSON.stringify(each)),
    fc
      .tuple(fc.string(), fc.jsonValue())
      .map(([code, partialApprovalAmount]) =>
        JSON.stringify({transactionData: {authResponseCode: {code}, partialApprovalAmount}}),
      ),
  )
  const call = fc.oneof(fc.constant(callFor('fuel')), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(call, body, fc.constantFrom(200, 200, 204, 301, 500), async (sent, text, status) => {
      const {outcome, code, reason} = await judgeDecision(sent, {status, body: Buffer.from(text)})
      expect(['approved', 'partial', 'declined', 'invalid']).toContain(outcome)
      if (outcome === 'invalid') expect(reason).toBeTruthy()
      else expect(code).toMatch(/^[0-9A-Z]{2}$/)
    }),
    {numRuns: 300},
  )
})

test('over TLS the endpoint is to be trusted, and may ask who calls', async () => {
  const tls = {cert: pem('service'), key: new Secret(pem('service.key')), clientCa: pem('ca')}
  const {url} = await listener({tls})
  const call = callFor('chip')
  const own = {cert: pem('client'), key: new Secret(pem('client.key'))}
  expect(await callerOf(url, {tls: {ca: pem('ca'), ...own}}).authorise(call)).toMatchObject({
    outcome: 'approved',
  })
  expect(await callerOf(url, {tls: own}).authorise(call)).toMatchObject({
    outcome: 'unreachable',
    reason: expect.stringContaining('no trusted TLS connection'),
  })
  // Where the connection is reset before the alert is read, there is nothing to tell this by.
  const nobody = await callerOf(url, {tls: {ca: pem('ca')}}).authorise(call)
  if (nobody.reason?.includes('ALERT')) expect(nobody.outcome).toBe('unreachable')
  else expect(nobody).toMatchObject({outcome: 'invalid', reason: expect.stringContaining('was closed')})
})

test('none within the deadline is late, also one that drips', async () => {
  const short = {deadlineMs: 60}
  const silent = await against(() => undefined, short)
  expect(silent).toMatchObject({outcome: 'late', reason: 'no answer within 60 ms'})
  expect(silent.durationMs).toBeGreaterThanOrEqual(55)
  const dripping = await against(response => {
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  }, short)
  expect(dripping).toMatchObject({outcome: 'late'})
})

test('where nobody listens is unreachable', async () => {
  const url = await endpoint(() => undefined)
  const {port} = new URL(url)
  const verdict = await callerOf(`http://127.0.0.1:${port === '1' ? 2 : 1}`).authorise(callFor('chip'))
  expect(verdict).toMatchObject({
    outcome: 'unreachable',
    reason: "the endpoint can't be reached (ECONNREFUSED)",
  })
  const overTls = await callerOf(url.replace('http:', 'https:')).authorise(callFor('chip'))
  expect(overTls).toMatchObject({
    outcome: 'unreachable',
    reason: expect.stringContaining('no trusted TLS connection'),
  })
})

test('a connection that was closed while idle is replaced silently', async () => {
  let calls = 0
  const url = await endpoint((request, response) => {
    request.resume()
    // The second call on a connection finds it closed.
    if (++calls === 2) request.socket.destroy()
    else decided({authResponseCode: {code: '00'}})(response)
  })
  const caller = callerOf(url)
  expect(await caller.authorise(callFor('chip'))).toMatchObject({outcome: 'approved'})
  expect(await caller.authorise(callFor('chip'))).toMatchObject({outcome: 'approved'})
  expect(calls).toBe(3)
})

test('a call can be given up', async () => {
  const url = await endpoint(() => undefined)
  const stop = new AbortController()
  const waiting = callerOf(url).authorise(callFor('chip'), {signal: stop.signal})
  stop.abort()
  expect(await waiting).toMatchObject({outcome: 'late'})
})

test('a body that fits no contract is sent as it is, and its answer judged by the schema alone', async () => {
  let received = ''
  const url = await endpoint((request, response) => {
    request.on('data', chunk => {
      received += chunk
    })
    request.on('end', () => decided({authResponseCode: {code: '00'}})(response))
  })
  expect(await callerOf(url).authorise({anything: 1})).toMatchObject({outcome: 'approved'})
  expect(received).toBe('{"anything":1}')
})
