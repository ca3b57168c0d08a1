import {expect, test} from 'vitest'
import {testSandbox} from '../helpers/sandbox.ts'
import {authorise, show} from './calls.ts'

test('the first one of the guide: a hold of 12.50 leaves 4,987.50 of the credit limit', async () => {
  const sandbox = await testSandbox()
  const done = await authorise(sandbox, {cardId: '3001', scenario: 'contactless'})
  expect(done).toMatchObject({
    status: 'APPROVED',
    responseCode: '00',
    decidedBy: 'service',
    merchantName: 'Kahvila Aino',
    hold: {amount: 12.5, currency: 'EUR'},
    holdStatus: 'HELD',
    holdUntil: '2026-06-22T12:00:00.000Z',
    availableAmount: {amount: 4987.5, currency: 'EUR'},
  })
  expect(await show(sandbox, done.id)).toEqual(done)
})

test('unknown cards and scenarios are refused; lists are newest first and by card', async () => {
  const sandbox = await testSandbox()
  const create = async (body: object) =>
    (await sandbox.op('sandbox.authorisations.create', {body: {amount: 1, currency: 'EUR', ...body}})).status
  expect(await create({cardId: '9'})).toBe(404)
  expect(await create({cardId: '3004', scenario: 'heist'})).toBe(400)
  const [first, second] = [await authorise(sandbox), await authorise(sandbox, {cardId: '3001'})]
  const list = async (query: object) => {
    const {body} = await sandbox.op('sandbox.authorisations.list', {query})
    return body.map(({id}) => id)
  }
  expect(await list({})).toEqual([second.id, first.id, 'a_0'])
  expect(await list({cardId: '3004'})).toEqual([first.id])
})
