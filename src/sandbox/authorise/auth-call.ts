import {type AuthCall, buildAuthCall, partsOf} from '../../contract/auth-call.ts'
import {amountOf} from '../amounts.ts'
import {type RandomBytes, uuid} from '../ids.ts'
import type {Parties} from './check.ts'
import type {Transaction} from './transaction.ts'

/** What the client is told besides the purchase itself. */
interface Known {
  readonly parties: Parties
  readonly transactionId: string
  /** What may still be spent, before this purchase; in the account's currency, minor units. */
  readonly available: bigint
  readonly now: number
  readonly random: RandomBytes
}

/** The body of `POST /auth` for a purchase with the sandbox's own card and account. */
export function authCall(purchase: Transaction, known: Known): AuthCall {
  const {parties, transactionId, now, random} = known
  const {card, account, currency, billing = 0n} = parties
  const {messageCategory, data, percent, merchant, token} = purchase
  const wholes = {
    asked: {minor: purchase.minor, currency: purchase.currency},
    billing: {minor: billing, currency},
  }
  const parts = partsOf({transactionData: data, percent}, (of, share) => {
    const whole = wholes[of]
    return {amount: amountOf((whole.minor * BigInt(share)) / 100n, whole.currency), currency: whole.currency}
  })
  return buildAuthCall(
    {
      messageCategory,
      transactionData: {...data, ...parts},
      merchantData: merchant,
      ...(token && {token}),
    },
    {
      customerId: card.customerId,
      accountId: account.id,
      available: {amount: amountOf(known.available, currency), currency},
      cardId: card.id,
      expiration: card.expiration,
      transactionId,
      transactionAmount: {amount: amountOf(purchase.minor, purchase.currency), currency: purchase.currency},
      billingAmount: {amount: amountOf(billing, currency), currency},
      now,
      newId: () => uuid(random),
      digits: count => [...random(count)].map(byte => byte % 10).join(''),
    },
  )
}
