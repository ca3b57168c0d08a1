import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  approve,
  approvePart,
  checkCall,
  decline,
  judgeAnswer,
  scenarioCall,
  scenarioNames,
} from '../../src/webhook/public/index.ts'

test.each(scenarioNames)('the call of %s matches the contract', async name => {
  expect(await checkCall(scenarioCall(name))).toEqual([])
})

test('a call has what was set, and a new id each time', () => {
  const call = scenarioCall('hotel-increment', {
    amount: '12.50',
    currency: 'EUR',
    transactionId: 't-1',
    card: {cardId: '77'},
    at: 0,
  })
  expect(call).toMatchObject({
    metadata: {transactionId: 't-1', messageCategory: 'INCREMENTAL_AUTHORIZATION'},
    card: {cardId: '77'},
    transactionData: {
      transactionAmount: {amount: 12.5, currency: 'EUR'},
      transactionDateTime: '1970-01-01T00:00:00.000Z',
    },
  })
  expect(scenarioCall('chip').metadata.id).not.toBe(scenarioCall('chip').metadata.id)
  expect(scenarioCall('chip', {id: 'same'}).metadata.id).toBe('same')
})

test('an unknown scenario and an impossible amount are refused', () => {
  expect(() => scenarioCall('hotell')).toThrow('Did you mean hotel?')
  expect(() => scenarioCall('chip', {amount: '1.5', currency: 'JPY'})).toThrow()
})

test('a call with a typing mistake is found', async () => {
  const call = {...scenarioCall('chip'), merchantdata: {}}
  expect(await checkCall(call)).toMatchObject([{pointer: '/merchantdata', suggestion: 'merchantData'}])
})

describe('an answer', () => {
  const fuel = scenarioCall('fuel', {amount: '100', currency: 'EUR'})

  test.each([
    [approve(), {outcome: 'approved', code: '00'}],
    [decline('NOT_SUFFICIENT_FUNDS'), {outcome: 'declined', code: '51'}],
    [decline(), {outcome: 'declined', code: '05'}],
    [approvePart(80, 'EUR'), {outcome: 'partial', code: '10', part: {amount: 80, currency: 'EUR'}}],
    [JSON.stringify(approve()), {outcome: 'approved'}],
  ])('%j is judged as the service does', async (answer, judged) => {
    expect(await judgeAnswer(fuel, answer)).toMatchObject({...judged, faults: [], ignored: []})
  })

  test.each([
    ['approve', ''],
    [decline('OK'), '/transactionData/authResponseCode/code'],
    [{transactionData: {}}, '/transactionData/authResponseCode'],
    [approvePart(100, 'EUR'), '/transactionData/partialApprovalAmount'],
    [approvePart(8, 'USD'), '/transactionData/partialApprovalAmount'],
  ])('%j is invalid, with its place', async (answer, pointer) => {
    expect(await judgeAnswer(fuel, answer)).toMatchObject({outcome: 'invalid', faults: [{pointer}]})
  })

  test('is no partial approval where the merchant supports none', async () => {
    const chip = scenarioCall('chip')
    expect(await judgeAnswer(chip, approvePart(1, 'EUR'))).toMatchObject({outcome: 'invalid'})
  })

  test('may have fields that the service ignores, which are named', async () => {
    const answer = {...approve(), approvedAmount: 1}
    expect(await judgeAnswer(fuel, answer)).toMatchObject({
      outcome: 'approved',
      ignored: [{pointer: '/approvedAmount', suggestion: 'transactionData.partialApprovalAmount'}],
    })
  })

  test('of any form is judged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (call, answer) => {
        expect(['approved', 'partial', 'declined', 'invalid']).toContain(
          (await judgeAnswer(call, answer)).outcome,
        )
      }),
    )
  })
})
