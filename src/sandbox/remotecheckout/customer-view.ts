import {notFound} from '../problems.ts'
import type {EnrolledCard} from '../state/enrolment.ts'
import type {Transaction} from '../store/store.ts'

/** A customer as the card network knows it. @throws Problem 404 when it isn't enrolled under this BID. */
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
