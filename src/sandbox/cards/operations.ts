import type {Handlers} from '../handlers.ts'
import {
  cardByReference,
  cardOf,
  cardsOfAccount,
  cardsOfCustomer,
  cardV3,
  cardV4,
  plasticView,
  summaryV3,
  summaryV4,
} from './card.ts'
import {controlToken} from './card-data-page.ts'
import {paymentInfo} from './payment-info.ts'
import {findByNumber} from './service-key.ts'

export const cards: Handlers<'cards'> = {
  'cards.get.v4': async (call, {path}) => cardV4(call.tx, await cardOf(call.tx, path.id), call),
  'cards.get.v3': async (call, {path}) => cardV3(call.tx, await cardOf(call.tx, path.id), call),
  'cards.getByReference.v4': async (call, {path}) =>
    cardV4(call.tx, await cardByReference(call.tx, path.refNumber), call),

  'cards.getByNumber.v4': {
    across: async (call, {body}) => {
      const card = await findByNumber(call, body)
      return call.store.read(tx => cardV4(tx, card, call))
    },
  },

  'cards.listByCustomer.v4': async (call, {path, query}) =>
    (await cardsOfCustomer(call, path.customerId, query)).map(summaryV4),
  'cards.listByAccount.v4': async (call, {path, query}) =>
    (await cardsOfAccount(call, path.accountId, query)).map(summaryV4),
  'cards.listByCustomer.v3': async (call, {path, query}) =>
    (await cardsOfCustomer(call, path.customerId, query)).map(summaryV3),
  'cards.listByAccount.v3': async (call, {path, query}) =>
    (await cardsOfAccount(call, path.accountId, query)).map(summaryV3),

  'cards.paymentInfo.v3': {
    across: async ({store, ...call}, {path, body}) => {
      return store.read(tx =>
        paymentInfo({...call, tx, sealer: () => call.service.sealer(tx)}, path.id, body),
      )
    },
  },

  'cards.controlToken.v4': (call, {path}) => controlToken(call, path.cardId),

  'cards.plastics.v3': async ({tx}, {path}) => {
    const {id: cardId} = await cardOf(tx, path.id)
    return (await tx.plastics.list({where: {cardId}})).map(plasticView)
  },
}
