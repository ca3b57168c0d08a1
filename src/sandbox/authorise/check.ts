import {convert} from '../../money/index.ts'
import {available} from '../available.ts'
import {conflict, notFound} from '../problems.ts'
import type {Account} from '../state/account.ts'
import type {Hold} from '../state/authorisation.ts'
import type {Card} from '../state/card.ts'
import type {Customer} from '../state/customer.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import {type Refusal, refusedByState} from './card-state.ts'
import {refusedByLimit} from './limits.ts'
import {refusedByPin} from './pin-tries.ts'
import {blockedRegion} from './regions.ts'
import {isEcommerce, type Transaction, takesMoney} from './transaction.ts'

/** Card, account and customer of a purchase, and what it comes to in the account's currency. */
export interface Parties {
  readonly card: Card
  readonly account: Account
  readonly customer: Customer | undefined
  /** The hold's, else the transaction's own if the account has it, else the account's first. */
  readonly currency: string
  /** In that currency, minor units; undefined when there is no rate. */
  readonly billing: bigint | undefined
}

/**
 * @param hold what the transaction holds already: its currency is kept.
 * @throws Problem 404 for an unknown card.
 */
export async function partiesOf(
  tx: StoreTransaction,
  purchase: Pick<Transaction, 'cardId' | 'currency' | 'minor'>,
  hold?: Hold,
): Promise<Parties> {
  const card = await tx.cards.get(purchase.cardId)
  if (card === undefined) throw notFound('card')
  const account = await tx.accounts.get(card.accountId)
  if (account === undefined) throw notFound('account')
  const [first = purchase.currency] = account.currencies
  const own = account.currencies.includes(purchase.currency) ? purchase.currency : first
  const currency = hold?.currency ?? own
  return {
    card,
    account,
    customer: await tx.customers.get(card.customerId),
    currency,
    billing: convert(purchase.minor, purchase.currency, currency),
  }
}

/**
 * The hold that a purchase raises; a credit belongs to a transaction without touching what that holds.
 *
 * @throws Problem 404 for an unknown transaction; 409 for one of another card, or one that holds nothing to be raised.
 */
export async function holdToRaise(tx: StoreTransaction, purchase: Transaction): Promise<Hold | undefined> {
  const {cardId, transactionId} = purchase
  if (transactionId === undefined) return undefined
  const [earlier] = await tx.authorisations.list({where: {transactionId}, limit: 1})
  if (earlier === undefined) throw notFound('transaction', 'There is no such transaction.')
  if (earlier.cardId !== cardId) throw conflict('another-card', 'The transaction is of another card.')
  if (!takesMoney(purchase)) return undefined
  const hold = await tx.holds.get(transactionId)
  if (hold?.status !== 'HELD') throw conflict('not-held', 'The transaction holds nothing to be raised.')
  return hold
}

/** The service's own checks, in their order: what they refuse is never sent to the client. */
export async function refusal(
  tx: StoreTransaction,
  purchase: Transaction,
  {card, account, customer, currency, billing}: Parties,
  now: number,
): Promise<Refusal | undefined> {
  const byState = refusedByState(card, account, now)
  if (byState) return byState
  if (billing === undefined) return {code: '57', reason: `there is no rate for ${purchase.currency}`}
  const home = customer?.countryCode ?? ''
  const region = blockedRegion(
    card.regionAndEcommBlocking,
    purchase.merchant.country,
    home,
    isEcommerce(purchase),
  )
  if (region !== undefined) return {code: '62', reason: `the card is blocked for ${region}`}
  if (takesMoney(purchase)) {
    const inLimits = convert(billing, currency, account.currencies[0] ?? currency) ?? billing
    const byLimit = await refusedByLimit(tx, card, account, purchase, inLimits, now)
    if (byLimit) return byLimit
  }
  const byPin = await refusedByPin(tx, card, purchase)
  if (byPin) return byPin
  if (!takesMoney(purchase) || isCheckedElsewhere(account)) return undefined
  const enough = (await available(tx, account, currency)) >= billing
  return enough ? undefined : {code: '51', reason: 'insufficient funds'}
}

/** Whether the client's webhook checks the balance; for a debit account the key BALC switches ours off. */
function isCheckedElsewhere({members}: Account): boolean {
  const values = members.additionalValues as readonly {key: string; value: unknown}[] | undefined
  const isOff =
    values?.some(({key, value}) => key === 'BALC' && (value === true || value === 'true')) ?? false
  return members.externalBalanceCheck === true || isOff
}
