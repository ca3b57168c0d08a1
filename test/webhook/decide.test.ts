import {expect, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import {checkWebhookAnswer} from '../../src/contract/validate.ts'
import {approveAll, declineAll, declineCode} from '../../src/webhook/index.ts'
import {callOf, requestFor} from './calls.ts'

const scenarioNames = Object.keys(scenarios)
const decided = async (decider: typeof approveAll, name: string, more?: object) => {
  const decision = await decider.decide(requestFor(callOf(name, '1', more)))
  if (decision?.answer.kind !== 'reply') throw new Error('no answer of the contract')
  const {reply} = decision.answer
  expect(await checkWebhookAnswer('webhook.auth', reply)).toEqual([])
  return reply.transactionData
}

test.each(scenarioNames)('%s can be approved', async name => {
  const {authResponseCode, availableAmount} = await decided(approveAll, name)
  expect(authResponseCode.code).toBe('00')
  expect(availableAmount).toEqual(name === 'balance-inquiry' ? {amount: 4987.5, currency: 'EUR'} : undefined)
})

const neverSpending = [
  'refund',
  'original-credit',
  'p2p-credit',
  'balance-inquiry',
  'pin-change',
  'pin-unblock',
  'verification',
]
const reversals = ['reversal', 'partial-reversal']

test.each(scenarioNames)('%s is declined where the code can mean something', async name => {
  for (const code of ['51', '61', '65', 'NOT_SUFFICIENT_FUNDS']) {
    const answer = await decided(declineAll(code), name)
    expect(answer.authResponseCode.code).toBe([...neverSpending, ...reversals].includes(name) ? '00' : code)
  }
  for (const code of ['05', '62', 'RESTRICTED_CARD']) {
    const answer = await decided(declineAll(code), name)
    expect(answer.authResponseCode.code).toBe(reversals.includes(name) ? '00' : code)
  }
})

test('an unknown type and category count as a payment', async () => {
  const {authResponseCode} = await decided(declineAll('51'), 'chip', {transactionType: 'TELEPATHY'})
  expect(authResponseCode.code).toBe('51')
})

test('only codes that decline are taken', () => {
  expect(declineCode('51')).toBe('51')
  expect(declineCode('do_not_honor')).toBe('DO_NOT_HONOR')
  for (const text of ['00', '10', 'APPROVED', 'PARTIALLY_APPROVED', '5', '511', 'no', 'toString', '']) {
    expect(() => declineCode(text)).toThrow(expect.objectContaining({code: 'USAGE'}))
  }
})
