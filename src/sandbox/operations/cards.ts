import {cardV3, cardV4, plasticView, summaryV3, summaryV4} from '../cards/card-view.ts'
import {controlToken} from '../cards/control-token.ts'
import {cardByReference, cardOf, cardsOfAccount, cardsOfCustomer} from '../cards/find-cards.ts'
import type {Handlers} from './handler.ts'

export const cards: Handlers<'cards'> = {
  'cards.get.v4': async ({tx}, {path}) => cardV4(await cardOf(tx, path.id)),
  'cards.get.v3': async ({tx}, {path}) => cardV3(await cardOf(tx, path.id)),
  'cards.getByReference.v4': async ({tx}, {path}) => cardV4(await cardByReference(tx, path.refNumber)),

  'cards.getByNumber.v4': {
    across: async (call, {body}) => {
      const {findByNumber} = await import('../cards/find-by-number.ts')
      return cardV4(await findByNumber(call, body))
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
      const {paymentInfo} = await import('../cards/payment-info.ts')
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
