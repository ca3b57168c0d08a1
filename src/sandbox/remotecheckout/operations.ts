import {cardOf} from '../cards/card.ts'
import type {Call, Handlers} from '../handlers.ts'
import {conflict, existing, notFound} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import {type EnrolledCard, openTrace, traceStatus} from './traces.ts'

/** Sends a request about a card and its customer to the card network. */
async function askForCard(call: Call, operation: string, cardId: string, body: object) {
  const {customerId} = await cardOf(call.tx, cardId)
  return openTrace(call, {operation, customerId, cardId, body})
}

async function askForCustomer(call: Call, operation: string, customerId: string, body: object) {
  existing(await call.tx.customers.get(customerId), 'customer')
  return openTrace(call, {operation, customerId, body})
}

export const remotecheckout: Handlers<'remotecheckout'> = {
  'remotecheckout.enrollCustomer.v1': async (call, {path: {customerId}, body}) => {
    existing(await call.tx.customers.get(customerId), 'customer')
    const [cardId = ''] = body.cardId
    if ((await call.tx.cards.get(cardId))?.customerId !== customerId) {
      throw conflict('card-not-of-customer', '/cardId/0: not a card of this customer.')
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

/** An enrolled customer. @throws Problem 404 if it isn't enrolled under this BID. */
export async function enrolledCustomerView(tx: Transaction, id: string, customerBID: string) {
  const enrolled = await tx.enrolledCustomers.get(id)
  const customer = await tx.customers.get(id)
  if (customer === undefined || enrolled?.customerBID !== customerBID) throw notFound('enrolled customer')
  const cards = await tx.enrolledCards.list({where: {customerId: id}})
  return {
    customerInformation: {
      email: [...enrolled.emails],
      phone: [...enrolled.phones],
      locale: customer.locale,
      firstName: customer.firstName,
      middleName: customer.middleName,
      lastName: customer.lastName,
      countryCode: customer.countryCode,
      status: enrolled.active ? 'ACTIVE' : 'INACTIVE',
    },
    paymentInstruments: await Promise.all(cards.map(card => instrumentView(tx, card, customer.countryCode))),
  }
}

async function instrumentView(tx: Transaction, enrolled: EnrolledCard, homeCountry: string) {
  const card = await tx.cards.get(enrolled.id)
  const country = enrolled.billing.country
  return {
    cardId: enrolled.id,
    status: card?.status === 'CARD_OK' ? 'ACTIVE' : 'SUSPENDED',
    nameOnCard: `${card?.embossing.firstName ?? ''} ${card?.embossing.lastName ?? ''}`.trim(),
    tokenDetails: {
      tokenReferenceID: enrolled.tokenReferenceID,
      tokenRequestorID: enrolled.tokenRequestorID,
    },
    billingAddress: {country: typeof country === 'string' ? country : homeCountry},
  }
}
