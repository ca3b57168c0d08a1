import {describe, expect, it} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {responseShapes} from '../../src/contract/response-shapes.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {unproven} from '../../src/http/read-response.ts'

const why = (id: OperationId, body: unknown) => unproven(operations[id], responseShapes[id], body)

describe('a success proves itself', () => {
  it.each<[OperationId, unknown]>([
    // What a service may leave out or write in its own way.
    ['cards.get.v4', {id: 3001, unknown: true}],
    ['cards.get.v4', {}],
    ['cards.get.v4', {maskedCardNumber: '41111111____1111', status: 'REJECTED'}],
    ['cards.listByCustomer.v4', [{id: 3001, status: 'ERROR', maskedCardNumber: '41111111____1111'}]],
    ['accounts.patchCredit.v4', {id: '2001', errorCode: '0', errorMessage: 'Success'}],
    ['accounts.patchCredit.v4', {success: true, hasErrors: false, errorCount: 0}],
    ['cards.get.v4', {maskedCardNumber: '41111111____1111', error: 'pinAddress is not known'}],
    ['cards.listByCustomer.v4', []],
    ['cards.listByCustomer.v4', [{id: 3001}]],
    ['accounts.patchCredit.v4', undefined],
    ['accounts.patchCredit.v4', {}],
    ['accounts.patchCredit.v4', {ok: true}],
    ['accounts.patchCredit.v4', {code: 200, message: 'updated'}],
    ['accounts.patchCredit.v4', {responseCode: '00'}],
    ['accounts.patchCredit.v4', {isSuccess: 'true', data: {id: '2001'}}],
    ['accounts.patchCredit.v4', {id: '2001', error: null, errors: []}],
    ['accounts.patchCredit.v4', {status: 'ACCOUNT_OK', message: 'updated'}],
    ['pricelists.delete.v1', undefined],
    ['pin.set.v3', undefined],
    ['remotecheckout.deleteCard.v1', {}],
    ['a2a.create.v1', {id: 88001}],
    ['a2a.create.v1', {id: '88001', errors: [{row: 3}]}],
    ['a2a.list.v1', {items: [], lastEvaluatedKey: null}],
    ['remotecheckout.status.v1', {status: 'COMPLETED', details: {status: 'FAILED'}}],
  ])('%s by %j', (id, body) => expect(why(id, body)).toBeUndefined())
})

describe('a success proves nothing', () => {
  it.each<[OperationId, unknown, string]>([
    // Shapes of errors in the field, none of which the contract describes.
    ['accounts.patchCredit.v4', {code: 500, message: 'internal'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {Status: 'error'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {success: 'false'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {isSuccess: false}, 'it holds an error'],
    ['accounts.patchCredit.v4', {data: {success: false}}, 'it holds an error'],
    ['accounts.patchCredit.v4', {responseCode: '96'}, 'it holds an error'],
    ['cards.get.v4', {code: 500, message: 'internal'}, 'it holds an error'],
    ['cards.get.v4', undefined, 'it is empty'],
    ['cards.get.v4', [{id: '3001'}], 'it is a list'],
    ['cards.get.v4', 'OK', 'it is neither an object nor a list'],
    ['cards.get.v4', {error: 'rejected'}, 'it holds an error'],
    ['cards.get.v4', {status: 'ERROR', message: 'No such card'}, 'it holds an error'],
    ['cards.get.v4', {id: '3001', status: 'ERROR'}, 'it holds an error'],
    ['cards.get.v4', {status: 404, message: 'No such card'}, 'it holds an error'],
    ['cards.get.v4', {success: false, maskedCardNumber: '41111111____1111'}, 'it holds an error'],
    ['cards.get.v4', {ok: false}, 'it holds an error'],
    ['cards.listByCustomer.v4', {success: false}, 'it holds an error'],
    ['cards.listByCustomer.v4', [{status: 'ERROR', message: 'No'}], 'it holds an error'],
    ['accounts.patchCredit.v4', {result: 'FAILED'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {status: 'ERROR', message: 'x'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {error_code: 17}, 'it holds an error'],
    ['accounts.patchCredit.v4', {hasErrors: true}, 'it holds an error'],
    ['a2a.create.v1', {id: '88001', success: false}, 'it holds an error'],
    ['a2a.create.v1', {id: '88001', status: 'ERROR', transferItemCount: 1}, 'it holds an error'],
    ['cards.get.v4', {id: 'e-17', status: 'ERROR', errorCode: 'E17'}, 'it holds an error'],
    ['cards.listByCustomer.v4', {content: []}, 'it is no list'],
    ['cards.listByCustomer.v4', undefined, 'it is empty'],
    ['a2a.list.v1', {content: []}, 'it has no items'],
    ['a2a.list.v1', {items: null}, 'it has no items'],
    ['accounts.patchCredit.v4', {error: 'rejected'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {id: '2001', errors: [{code: 3}]}, 'it holds an error'],
    ['accounts.patchCredit.v4', {success: false}, 'it holds an error'],
    ['accounts.patchCredit.v4', {statusCode: 500, message: 'x'}, 'it holds an error'],
    ['accounts.patchCredit.v4', {type: 'about:blank', title: 'No', status: 200}, 'it holds an error'],
    ['accounts.patchCredit.v4', true, 'it is neither an object nor a list'],
    ['pricelists.delete.v1', {fault: {faultstring: 'x'}}, 'it holds an error'],
    ['a2a.create.v1', undefined, 'it is empty, and id is due'],
    ['a2a.create.v1', {}, 'it has no id'],
    ['a2a.create.v1', {id: ''}, 'it has no id'],
    ['a2a.create.v1', {id: null, status: 'IN_PROGRESS'}, 'it has no id'],
    ['a2a.create.v1', {error: 'rejected'}, 'it holds an error'],
    ['pin.view.v3', {tzpk: 'AAAA'}, 'it has no pinBlock'],
    ['pin.view.v3', {}, 'it has no tzpk and pinBlock'],
    ['remotecheckout.enrollCard.v1', undefined, 'it is empty, and requestTraceId is due'],
  ])('%s by %j', (id, body, reason) => expect(why(id, body)).toBe(reason))
})

describe.each(['read', 'write'] as const)('where the contract describes no response, a %s', effect => {
  it.each(['pong', 7, [], [{status: 'ERROR'}], {status: 'OK'}, {success: true}, {result: 404}])(
    'is done by %j',
    body => expect(unproven({effect}, undefined, body)).toBeUndefined(),
  )

  it.each([
    {error: 'rejected'},
    {status: 'ERROR', message: 'x'},
    {success: false},
    {statusCode: 500},
    {title: 'No', status: 403},
  ])('is not done by %j', body => expect(unproven({effect}, undefined, body)).toBe('it holds an error'))
})
