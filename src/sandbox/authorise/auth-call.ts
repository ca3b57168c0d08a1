import type {WebhookBody} from '../../contract/types.ts'
import {amountOf} from '../amounts.ts'
import {instant} from '../clock.ts'
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

/** The body of `POST /auth`. Its id is new each time: the same id would mean the same question. */
export function authCall(purchase: Transaction, known: Known): WebhookBody<'webhook.auth'> {
  const {parties, transactionId, now, random} = known
  const {card, account, currency, billing = 0n} = parties
  const transactionAmount = {amount: amountOf(purchase.minor, purchase.currency), currency: purchase.currency}
  const billingAmount = {amount: amountOf(billing, currency), currency}
  return {
    metadata: {
      id: uuid(random),
      traceId: uuid(random),
      transactionId,
      linkId: transactionId,
      messageCategory: purchase.messageCategory,
    },
    customer: {customerId: card.customerId},
    account: {
      accountId: account.id,
      availableAmount: {amount: amountOf(known.available, currency), currency},
    },
    card: {cardId: card.id, expiration: card.expiration},
    transactionData: {
      settlementAmount: billingAmount,
      billingAmount,
      authValidityInDays: 7,
      transactionDateTime: instant(now),
      retrievalReferenceNumber: digits(random, 12),
      authCode: digits(random, 6),
      ...purchase.data,
      transactionAmount,
    },
    merchantData: purchase.merchant,
    ...(purchase.token && {token: purchase.token}),
  }
}

function digits(random: RandomBytes, count: number): string {
  return [...random(count)].map(byte => byte % 10).join('')
}
