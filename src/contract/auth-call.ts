import type {Scenario} from './scenarios.ts'
import type {WebhookBody} from './types.ts'

export type AuthCall = WebhookBody<'webhook.auth'>

/** An amount as sent: a number, exact up to 15 significant digits. */
interface Money {
  readonly amount: number
  readonly currency: string
}

/** The values of a call that its scenario leaves open. */
export interface CallFacts {
  readonly customerId: string
  readonly accountId: string
  /** The available amount before this purchase; undefined if unknown. */
  readonly available: Money | undefined
  readonly cardId: string
  readonly expiration: AuthCall['card']['expiration']
  readonly transactionId: string
  readonly transactionAmount: Money
  /** In the account's currency. */
  readonly billingAmount: Money
  /** Milliseconds since 1970. */
  readonly now: number
  newId(): string
  /** Returns this many random decimal digits. */
  digits(count: number): string
}

/** The fields that depend on the amount: cash back, the rest after a reversal, fees. `part` returns a percentage. */
export function partsOf(
  {
    transactionData,
    percent: {cashback, replacement, fee} = {},
  }: Pick<Scenario, 'transactionData'> & {readonly percent?: Scenario['percent'] | undefined},
  part: (of: 'asked' | 'billing', percent: number) => Money,
): Partial<AuthCall['transactionData']> {
  const fees = transactionData.transactionFees ?? []
  return {
    ...(cashback !== undefined && {cashbackAmount: part('asked', cashback)}),
    ...(replacement !== undefined && {replacementAmount: part('asked', replacement)}),
    ...(fee !== undefined && {
      transactionFees: fees.map(each => ({...each, feeAmount: part('billing', fee)})),
    }),
  }
}

/** A whole body of `POST /auth`. Its id is new each time: the same id would mean the same call. */
export function buildAuthCall(purchase: Omit<Scenario, 'summary' | 'example'>, facts: CallFacts): AuthCall {
  const {transactionId, billingAmount, available, newId, digits} = facts
  return {
    metadata: {
      id: newId(),
      traceId: newId(),
      transactionId,
      linkId: transactionId,
      messageCategory: purchase.messageCategory,
    },
    customer: {customerId: facts.customerId},
    account: {accountId: facts.accountId, ...(available && {availableAmount: available})},
    card: {cardId: facts.cardId, ...(facts.expiration && {expiration: facts.expiration})},
    transactionData: {
      settlementAmount: billingAmount,
      billingAmount,
      authValidityInDays: 7,
      transactionDateTime: new Date(facts.now).toISOString(),
      retrievalReferenceNumber: digits(12),
      authCode: digits(6),
      ...purchase.transactionData,
      transactionAmount: facts.transactionAmount,
    },
    merchantData: purchase.merchantData,
    ...(purchase.token && {token: purchase.token}),
  }
}
