import type {Call} from '../call.ts'
import {cardOf} from '../cards/find-cards.ts'
import {conflict, notFound} from '../problems.ts'
import {enrolledCustomerView} from '../remotecheckout/customer-view.ts'
import {openTrace, traceStatus} from '../remotecheckout/traces.ts'
import type {Handlers} from './handler.ts'

/** Asks the card network about a card; its customer comes along. */
async function askForCard(call: Call, operation: string, cardId: string, body: object) {
  const {customerId} = await cardOf(call.tx, cardId)
  return openTrace(call, {operation, customerId, cardId, body})
}

async function askForCustomer(call: Call, operation: string, customerId: string, body: object) {
  if ((await call.tx.customers.get(customerId)) === undefined) throw notFound('customer')
  return openTrace(call, {operation, customerId, body})
}

export const remotecheckout: Handlers<'remotecheckout'> = {
  'remotecheckout.enrollCustomer.v1': async (call, {path: {customerId}, body}) => {
    if ((await call.tx.customers.get(customerId)) === undefined) throw notFound('customer')
    const [cardId = ''] = body.cardId
    if ((await call.tx.cards.get(cardId))?.customerId !== customerId) {
      throw conflict('card-not-of-customer', '/cardId/0: the customer has no such card.')
    }
    return openTrace(call, {operation: 'remotecheckout.enrollCustomer.v1', customerId, cardId, body})
  },

  'remotecheckout.enrollCard.v1': (call, {path, body}) =>
    askForCard(call, 'remotecheckout.enrollCard.v1', path.cardId, body),
  'remotecheckout.updateCard.v1': (call, {path, body}) =>
    askForCard(call, 'remotecheckout.updateCard.v1', path.cardId, body),
  'remotecheckout.deleteCard.v1': (call, {path, body}) =>
    askForCard(call, 'remotecheckout.deleteCard.v1', path.cardId, body),

  'remotecheckout.updateCustomer.v1': (call, {path, body}) =>
    askForCustomer(call, 'remotecheckout.updateCustomer.v1', path.customerId, body),
  'remotecheckout.updateCustomerStatus.v1': (call, {path, body}) =>
    askForCustomer(call, 'remotecheckout.updateCustomerStatus.v1', path.customerId, body),
  'remotecheckout.deleteCustomer.v1': (call, {path, body}) =>
    askForCustomer(call, 'remotecheckout.deleteCustomer.v1', path.customerId, body),

  'remotecheckout.getCustomer.v1': ({tx}, {path, body}) =>
    enrolledCustomerView(tx, path.customerId, body.customerBID),

  'remotecheckout.status.v1': ({tx}, {path}) => traceStatus(tx, path.traceId),
}
