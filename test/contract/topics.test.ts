import {expect, test} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {topicNames, validatorsFor} from '../../src/contract/schema.ts'
import {checkWebhookAnswer, checkWebhookCall} from '../../src/contract/validate.ts'

test('every topic of the contract has its loader, and no other', () => {
  const topics = new Set(Object.values(operations).map(({topic}) => topic))
  expect([...topicNames].sort()).toEqual([...topics, 'webhook'].sort())
})

test.each(topicNames)('the validators of %s load', async topic => {
  const validators = await validatorsFor(`${topic}.any`)
  expect(Object.keys(validators).length).toBeGreaterThan(0)
})

test('a warm-up call is taken, with members that came later', async () => {
  const call = {type: 'WARM_UP', timestamp: '2026-11-21T10:00:00Z', later: 1}
  expect(await checkWebhookCall('webhook.warmUp', call)).toEqual([])
})

test('an answer without a response code is refused by name', async () => {
  const [violation] = await checkWebhookAnswer('webhook.auth', {transactionData: {}})
  expect(violation?.pointer).toBe('/transactionData/authResponseCode')
})
