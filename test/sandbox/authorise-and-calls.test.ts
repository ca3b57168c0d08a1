import {expect, onTestFinished, test} from 'vitest'
import {createSandbox, type SandboxOptions, Secret} from '../../src/sandbox/index.ts'
import {coded, startEndpoint} from './authorisations/endpoint.ts'

async function open(options: SandboxOptions) {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}
const coding = (code: string) => () => ({transactionData: {authResponseCode: {code}}})

test('authorise asks a handler in this process, and says what was decided', async () => {
  const sandbox = await open({webhook: {handler: coding('51')}})
  const authorisation = await sandbox.authorise({cardId: '3004', amount: 12.5, currency: 'EUR'})
  expect(authorisation).toMatchObject({
    status: 'DECLINED',
    responseCode: '51',
    decidedBy: 'client',
    webhookCall: {status: 200, answer: {transactionData: {authResponseCode: {code: '51'}}}, why: null},
  })
})

test('without amount and currency, a purchase has those of its scenario', async () => {
  const sandbox = await open({})
  expect(await sandbox.authorise({cardId: '3004', scenario: 'atm'})).toMatchObject({
    amount: 100,
    currency: 'EUR',
  })
  expect(await sandbox.authorise({cardId: '3004', scenario: 'contactless', currency: 'JPY'})).toMatchObject({
    amount: 4,
    currency: 'JPY',
  })
})

test('calls has each call with its answer, oldest first', async () => {
  const endpoint = await startEndpoint(coded('00'))
  const sandbox = await open({webhook: {url: endpoint.url}})
  const {transactionId} = await sandbox.authorise({cardId: '3004', amount: 1, currency: 'EUR'})
  const [warmUp, auth, ...more] = sandbox.calls
  expect(warmUp).toMatchObject({path: '/warm-up', status: 200, call: {type: 'WARM_UP'}})
  expect(auth).toMatchObject({
    path: '/auth',
    call: {metadata: {transactionId}, card: {cardId: '3004'}},
    status: 200,
    answer: {transactionData: {authResponseCode: {code: '00'}}},
  })
  expect(more).toEqual([])
})

test('a handler that fails, and one that is late, leave the decision to the fallback', async () => {
  const failing = await open({
    webhook: {
      handler: () => {
        throw new Error('no database')
      },
    },
  })
  const failed = await failing.authorise({cardId: '3004', amount: 1, currency: 'EUR'})
  expect(failed).toMatchObject({decidedBy: 'fallback', reason: 'the endpoint answered with status 500'})
  const late = await open({
    webhook: {handler: () => new Promise(() => {}), deadlineMs: 20, fallback: 'approve'},
  })
  const approved = await late.authorise({cardId: '3004', amount: 1, currency: 'EUR'})
  expect(approved).toMatchObject({status: 'APPROVED', decidedBy: 'fallback'})
  expect(late.calls.at(-1)).toMatchObject({path: '/auth', why: 'no answer within 20 ms'})
})

test('what a handler does to a call changes no record', async () => {
  const sandbox = await open({
    webhook: {
      handler: call => {
        Object.assign(call.card, {cardId: '1'})
        return coding('00')()
      },
    },
  })
  await sandbox.authorise({cardId: '3004', amount: 1, currency: 'EUR'})
  expect(sandbox.calls.at(-1)?.call).toMatchObject({card: {cardId: '3004'}})
})

test('a sandbox with credentials authorises too', async () => {
  const basic = await open({auth: {type: 'basic', user: 'bank', password: new Secret('geheim-1')}})
  const bearer = await open({auth: {type: 'bearer', token: new Secret('geheim-2')}})
  for (const sandbox of [basic, bearer]) {
    const {status} = await sandbox.authorise({cardId: '3004', amount: 1, currency: 'EUR'})
    expect(status).toBe('APPROVED')
  }
})

test.each([
  [{cardId: '9999'}, /^authorise: .*card/i],
  [{cardId: '3004', scenario: 'hotell'}, /^authorise: .*scenario/],
  [{cardId: '3004', amonut: 1}, /^authorise: .*amonut/],
])('%j is refused by name', async (purchase, message) => {
  const sandbox = await open({})
  const refused = sandbox.authorise(purchase as never)
  await expect(refused).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(message),
  })
})
