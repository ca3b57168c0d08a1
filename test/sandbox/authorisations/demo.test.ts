// The authorisation of the demo data.
import {expect, test} from 'vitest'
import {testSandbox} from '../helpers/sandbox.ts'

test('is what the service makes of the same purchase', async () => {
  const sandbox = await testSandbox()
  const {body: demo} = await sandbox.op('sandbox.authorisations.get', {path: {id: 'a_0'}})
  const body = {cardId: '3003', scenario: 'wallet', amount: 4.2, currency: 'EUR'}
  const {body: made} = await sandbox.op('sandbox.authorisations.create', {body})
  expect([made.id, made.transactionId]).toEqual(['a_1', 't_1'])
  expect({...demo, durationMs: 0, availableAmount: null}).toEqual({
    ...made,
    ...{id: 'a_0', transactionId: 't_0', durationMs: 0, availableAmount: null},
  })
})

test('is cleared like any other', async () => {
  const sandbox = await testSandbox()
  const account = async () =>
    (await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2003'}})).body.balances
  expect(await account()).toMatchObject([{booked: 150, held: 4.2}])
  await sandbox.op('sandbox.authorisations.clear', {path: {id: 'a_0'}, body: {}})
  expect(await account()).toMatchObject([{booked: 145.8, held: 0}])
})

test('is released after 7 days', async () => {
  const sandbox = await testSandbox()
  sandbox.pass(7 * 24 * 60 * 60 * 1000)
  const {body} = await sandbox.op('sandbox.authorisations.get', {path: {id: 'a_0'}})
  expect(body).toMatchObject({holdStatus: 'RELEASED', hold: {amount: 0}})
})
