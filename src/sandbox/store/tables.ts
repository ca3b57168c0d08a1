import type {Batch, TransferItem} from '../a2a/batch.ts'
import type {Account, Balance, Customer, Posting} from '../accounts/account.ts'
import type {Authorisation, Clearing, Hold} from '../authorisations/authorisation.ts'
import type {Card, Plastic} from '../cards/card.ts'
import type {Fault} from '../faults.ts'
import type {KeptReply} from '../idempotency.ts'
import type {CardDataToken, PinControl} from '../pincontrol/operations.ts'
import type {PriceList, PricePeriod} from '../pricelists/operations.ts'
import type {EnrolledCard, EnrolledCustomer, Trace} from '../remotecheckout/traces.ts'
import type {Stored} from './store.ts'

/**
 * The store's schema, step by step; append only. Each table keeps whole rows as JSON, with a column beside it for each
 * member it is looked up by. `seq` is the order in which rows were first written.
 */
const table = (name: string, columns: readonly string[] = []) => {
  const declared = columns.map(column => `, ${column}`).join('')
  const indexes = columns.map(column => {
    const member = column.split(' ')[0]
    return `CREATE INDEX ${name}_${member} ON ${name}(${member});`
  })
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE${declared}, row TEXT NOT NULL) STRICT;
${indexes.join('\n')}`
}

export const migrations: readonly string[] = [
  [
    table('settings'),
    table('sequences'),
    table('customers'),
    table('accounts', ['customerId TEXT', 'number TEXT']),
    table('balances', ['accountId TEXT']),
    table('postings', ['accountId TEXT', 'entryId TEXT']),
    table('cards', ['customerId TEXT', 'accountId TEXT', 'referenceNumber TEXT', 'numberDigest TEXT']),
    table('plastics', ['cardId TEXT']),
    table('priceLists', ['code TEXT']),
    table('pricePeriods', ['priceListId TEXT']),
    table('batches', ['status TEXT']),
    table('transferItems', ['batchId TEXT']),
    table('pinControls', ['expiresAt INTEGER']),
    table('cardDataTokens', ['expiresAt INTEGER']),
    table('enrolledCustomers'),
    table('enrolledCards', ['customerId TEXT']),
    table('traces', ['ended INTEGER']),
    table('keptReplies', ['expiresAt INTEGER']),
    table('faults'),
  ].join('\n'),
  [
    table('authorisations', ['cardId TEXT', 'accountId TEXT', 'transactionId TEXT']),
    table('clearings', ['authorisationId TEXT']),
    table('holds', ['until INTEGER']),
  ].join('\n'),
]

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
