import type {Account, Balance, Posting} from '../state/account.ts'
import type {Authorisation, Clearing, Hold} from '../state/authorisation.ts'
import type {Batch, TransferItem} from '../state/batch.ts'
import type {Card, Plastic} from '../state/card.ts'
import type {Customer, PriceList, PricePeriod} from '../state/customer.ts'
import type {EnrolledCard, EnrolledCustomer, Trace} from '../state/enrolment.ts'
import type {Fault} from '../state/fault.ts'
import type {KeptReply} from '../state/kept-reply.ts'
import type {CardDataToken, PinControl} from '../state/pin-control.ts'
import type {Stored} from './store.ts'

interface Table<Row extends Stored, Indexed extends string> {
  row: Row
  /** Top-level members that rows can be looked up by. */
  indexed: Indexed
}

/** Every kind of thing the sandbox keeps. */
export interface Tables {
  settings: Table<Setting, never>
  sequences: Table<Sequence, never>
  customers: Table<Customer, never>
  accounts: Table<Account, 'customerId' | 'number'>
  balances: Table<Balance, 'accountId'>
  postings: Table<Posting, 'accountId' | 'entryId'>
  cards: Table<Card, 'customerId' | 'accountId' | 'referenceNumber' | 'numberDigest'>
  plastics: Table<Plastic, 'cardId'>
  priceLists: Table<PriceList, 'code'>
  pricePeriods: Table<PricePeriod, 'priceListId'>
  batches: Table<Batch, 'status'>
  transferItems: Table<TransferItem, 'batchId'>
  pinControls: Table<PinControl, 'expiresAt'>
  cardDataTokens: Table<CardDataToken, 'expiresAt'>
  enrolledCustomers: Table<EnrolledCustomer, never>
  enrolledCards: Table<EnrolledCard, 'customerId'>
  traces: Table<Trace, 'ended'>
  keptReplies: Table<KeptReply, 'expiresAt'>
  faults: Table<Fault, never>
  authorisations: Table<Authorisation, 'cardId' | 'accountId' | 'transactionId'>
  clearings: Table<Clearing, 'authorisationId'>
  holds: Table<Hold, 'until'>
}

/** The same facts at run time, with the column types; the types demand that every indexed member stands here. */
export const indexedMembers: {
  readonly [Name in keyof Tables]: Readonly<Record<Tables[Name]['indexed'], 'TEXT' | 'INTEGER'>>
} = {
  settings: {},
  sequences: {},
  customers: {},
  accounts: {customerId: 'TEXT', number: 'TEXT'},
  balances: {accountId: 'TEXT'},
  postings: {accountId: 'TEXT', entryId: 'TEXT'},
  cards: {customerId: 'TEXT', accountId: 'TEXT', referenceNumber: 'TEXT', numberDigest: 'TEXT'},
  plastics: {cardId: 'TEXT'},
  priceLists: {code: 'TEXT'},
  pricePeriods: {priceListId: 'TEXT'},
  batches: {status: 'TEXT'},
  transferItems: {batchId: 'TEXT'},
  pinControls: {expiresAt: 'INTEGER'},
  cardDataTokens: {expiresAt: 'INTEGER'},
  enrolledCustomers: {},
  enrolledCards: {customerId: 'TEXT'},
  traces: {ended: 'INTEGER'},
  keptReplies: {expiresAt: 'INTEGER'},
  faults: {},
  authorisations: {cardId: 'TEXT', accountId: 'TEXT', transactionId: 'TEXT'},
  clearings: {authorisationId: 'TEXT'},
  holds: {until: 'INTEGER'},
}

export const tableNames = Object.keys(indexedMembers) as (keyof Tables)[]

/** A single value of the whole sandbox, e.g. the clock's offset. */
interface Setting extends Stored {
  readonly value: unknown
}

/** The next number of a kind of id. */
interface Sequence extends Stored {
  readonly next: number
}
