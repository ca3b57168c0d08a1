import {describe, expect, test} from 'vitest'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {validatorsFor} from '../../src/contract/schema.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {
  checkResponse,
  checkResponseStrict,
  checkWebhookAnswer,
  checkWebhookCall,
  responseDifferences,
} from '../../src/contract/validate.ts'

const ids = Object.keys(operations) as OperationId[]
const problem = {type: 'about:blank', title: 'Not found', status: 404}
const confirmation = {description: 'done', id: '2001'}
const batch = {
  id: 'b1',
  status: 'IN_PROGRESS',
  startTime: '2026-11-21T10:00:00',
  transferItemCount: 1,
  description: null,
  totalAmount: {EUR: 10.5},
}

describe('a reply', () => {
  test('with another successful status differs by the status, and its body is still checked', async () => {
    expect(await responseDifferences('accounts.patchCredit.v4', 201, confirmation)).toMatchObject([
      {pointer: '', message: 'the status is 201, not 200'},
    ])
    expect(
      await responseDifferences('accounts.patchCredit.v4', 201, {...confirmation, id: true}),
    ).toMatchObject([{pointer: ''}, {pointer: '/id'}])
  })

  test.each<[OperationId, number, unknown]>([
    ['accounts.patchCredit.v4', 200, confirmation],
    ['pin.set.v3', 200, {}],
    ['pin.tzpk.v3', 200, {tzpk: 'AAAA'}],
    ['a2a.create.v1', 200, batch],
    ['cards.listByCustomer.v4', 200, []],
    ['remotecheckout.updateCard.v1', 202, {requestTraceId: 't1'}],
    ['cards.get.v4', 404, problem],
    ['cards.get.v4', 401, undefined],
  ])('of %s with status %i that fits passes both checks', async (id, status, body) => {
    expect(await checkResponse(id, status, body)).toEqual([])
    expect(await checkResponseStrict(id, status, body)).toEqual([])
  })

  test('with later fields and values passes for its reader only', async () => {
    const later = {...batch, status: 'PAUSED', currency: {main: 'EUR'}}
    expect(await checkResponse('a2a.create.v1', 200, later)).toEqual([])
    expect(
      (await checkResponseStrict('a2a.create.v1', 200, later)).map(({pointer}) => pointer).sort(),
    ).toEqual(['/currency', '/status'])
  })

  test.each<[OperationId, number, unknown, string]>([
    ['accounts.patchCredit.v4', 200, {id: 2001, description: 'done'}, '/id'],
    ['accounts.patchCredit.v4', 200, undefined, ''],
    ['accounts.patchCredit.v4', 200, '<html>', ''],
    ['pin.view.v3', 200, {tzpk: 'AAAA'}, '/pinBlock'],
    ['a2a.create.v1', 200, {...batch, totalAmount: {EUR: '10.50'}}, '/totalAmount/EUR'],
    ['cards.listByCustomer.v4', 200, {cards: []}, ''],
    ['cards.get.v4', 404, {message: 4}, '/status'],
    ['cards.get.v4', 299, {}, ''],
  ])('of %s with status %i and %j does not fit', async (id, status, body, pointer) => {
    const places = (await checkResponse(id, status, body)).map(violation => violation.pointer)
    expect(places).toContain(pointer)
  })

  test('is checked for every success status of every operation', async () => {
    for (const id of ids) {
      const validators = await validatorsFor(id)
      const {success}: Operation = operations[id]
      for (const status of success) {
        if (status === 204) continue
        expect(validators[`${id} ${status} open`], `${id} ${status}`).toBeDefined()
        expect(validators[`${id} ${status} closed`], `${id} ${status}`).toBeDefined()
      }
      expect(validators[`${id} default open`], id).toBeDefined()
    }
  })

  test('never has its values repeated', async () => {
    const pan = '4111111111111111'
    const violations = await checkResponse('cards.get.v4', 200, {id: Number(pan), status: {[pan]: pan}})
    expect(violations).not.toEqual([])
    expect(JSON.stringify(violations)).not.toContain(pan)
  })
})

describe('a webhook', () => {
  const call = {
    metadata: {id: 'm1', messageCategory: 'LATER'},
    customer: {customerId: '1001'},
    account: {accountId: '2001'},
    card: {cardId: '3001', later: true},
    transactionData: {transactionType: 'LATER', transactionAmount: {amount: 5, currency: 'EUR'}},
    merchantData: {merchantZipCode: null},
    later: {},
  }
  const answer = {transactionData: {authResponseCode: {code: '00'}}}

  test('call with later members and values is taken', async () => {
    expect(await checkWebhookCall('webhook.auth', call)).toEqual([])
  })

  test('call that lacks what a decision needs is refused by name', async () => {
    const {card: _, ...without} = call
    expect(await checkWebhookCall('webhook.auth', without)).toEqual([
      {pointer: '/card', message: 'card is missing'},
    ])
    const amount = {...call, transactionData: {transactionAmount: {amount: '5.00', currency: 'EUR'}}}
    expect((await checkWebhookCall('webhook.auth', amount)).map(({pointer}) => pointer)).toContain(
      '/transactionData/transactionAmount/amount',
    )
  })

  test('answer with later members is taken, and one without a decision is not', async () => {
    expect(await checkWebhookAnswer('webhook.auth', {...answer, later: 1})).toEqual([])
    expect(await checkWebhookAnswer('webhook.auth', {})).toEqual([
      {pointer: '/transactionData', message: 'transactionData is missing'},
    ])
    expect(await checkWebhookAnswer('webhook.auth', undefined)).toEqual([
      {pointer: '', message: 'the body must be an object'},
    ])
  })

  test('answer to a warm-up may be anything', async () => {
    for (const body of [undefined, {}, 'ok']) {
      expect(await checkWebhookAnswer('webhook.warmUp', body)).toEqual([])
    }
  })
})

describe('how a success differs', () => {
  const card = {
    id: '3001',
    customerId: null,
    accountId: null,
    template: 'STANDARD',
    productCode: 'P100',
    cardRole: 'MAIN',
    status: 'CARD_OK',
    maskedCardNumber: '41111111____1111',
    statusDate: null,
    usageLimits: null,
  }
  const places = async (id: OperationId, status: number, body: unknown) =>
    (await responseDifferences(id, status, body)).map(({pointer}) => pointer)

  test('null is how absent values are written', async () => {
    expect(await places('cards.get.v4', 200, card)).toEqual([])
    expect(await places('cards.listByCustomer.v4', 200, [card, card])).toEqual([])
    expect(await places('a2a.list.v1', 200, {size: 0, items: [], lastEvaluatedKey: null})).toEqual([])
  })

  test('names what is missing or has another type, in every item', async () => {
    const {template: _, ...odd} = {...card, id: 3001}
    expect(await places('cards.get.v4', 200, odd)).toEqual(['/template', '/id'])
    expect(await places('cards.listByCustomer.v4', 200, [card, {...card, id: 3001}])).toEqual(['/1/id'])
  })

  test('a number that only text can hold is a number', async () => {
    const batch = {id: '1', status: 'COMPLETED', startTime: '2026-11-20T10:00:00', transferItemCount: 1}
    const body = {...batch, totalAmount: {EUR: '12345678901234567.89', SEK: 'many'}}
    expect(await places('a2a.status.v1', 200, body)).toEqual(['/totalAmount/SEK'])
  })
})
