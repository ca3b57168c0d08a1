import type {Batch, TransferItem} from '../a2a/batch.ts'
import type {Account, Balance, Customer, Posting} from '../accounts/account.ts'
import type {Authorisation, Clearing, Hold} from '../authorisations/authorisation.ts'
import type {Card, Plastic} from '../cards/card.ts'
import type {Fault} from '../faults.ts'
import type {StoredResponse} from '../idempotency.ts'
import type {CardDataToken, PinControl} from '../pincontrol/operations.ts'
import type {PriceList, PricePeriod} from '../pricelists/operations.ts'
import type {EnrolledCard, EnrolledCustomer, Trace} from '../remotecheckout/traces.ts'
import type {Stored} from './store.ts'

/** Every kind of row that the sandbox stores. */
interface Rows {
  settings: Setting
  sequences: Sequence
  customers: Customer
  accounts: Account
  balances: Balance
  postings: Posting
  cards: Card
  plastics: Plastic
  priceLists: PriceList
  pricePeriods: PricePeriod
  batches: Batch
  transferItems: TransferItem
  pinControls: PinControl
  cardDataTokens: CardDataToken
  enrolledCustomers: EnrolledCustomer
  enrolledCards: EnrolledCard
  traces: Trace
  keptReplies: StoredResponse
  faults: Fault
  authorisations: Authorisation
  clearings: Clearing
  holds: Hold
}

/** For each table, the fields at the top of a row to look rows up by, with the types of their columns. */
export const indexedFields = {
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
} as const satisfies {
  readonly [Name in keyof Rows]: {readonly [Field in keyof Rows[Name]]?: 'TEXT' | 'INTEGER'}
}

export type TableName = keyof Rows
export type RowOf<Name extends TableName> = Rows[Name]
export type IndexedOf<Name extends TableName> = keyof (typeof indexedFields)[Name] & string

export const tableNames = Object.keys(indexedFields) as TableName[]

/**
 * Each table stores whole rows as JSON, with a column for each indexed field. `seq` is the order in which rows were
 * first written.
 */
const createTable = (name: string, columns: readonly string[] = []) => {
  const indexes = columns.map(column => {
    const [field] = column.split(' ')
    return `CREATE INDEX ${name}_${field} ON ${name}(${field});`
  })
  const declared = ['seq INTEGER PRIMARY KEY', 'id TEXT NOT NULL UNIQUE', ...columns, 'row TEXT NOT NULL']
  return [`CREATE TABLE ${name} (${declared.join(', ')}) STRICT;`, ...indexes].join('\n')
}

/** The schema, one text per version: after the first release append, never change. */
export const migrations: readonly string[] = [
  [
    createTable('settings'),
    createTable('sequences'),
    createTable('customers'),
    createTable('accounts', ['customerId TEXT', 'number TEXT']),
    createTable('balances', ['accountId TEXT']),
    createTable('postings', ['accountId TEXT', 'entryId TEXT']),
    createTable('cards', ['customerId TEXT', 'accountId TEXT', 'referenceNumber TEXT', 'numberDigest TEXT']),
    createTable('plastics', ['cardId TEXT']),
    createTable('priceLists', ['code TEXT']),
    createTable('pricePeriods', ['priceListId TEXT']),
    createTable('batches', ['status TEXT']),
    createTable('transferItems', ['batchId TEXT']),
    createTable('pinControls', ['expiresAt INTEGER']),
    createTable('cardDataTokens', ['expiresAt INTEGER']),
    createTable('enrolledCustomers'),
    createTable('enrolledCards', ['customerId TEXT']),
    createTable('traces', ['ended INTEGER']),
    createTable('keptReplies', ['expiresAt INTEGER']),
    createTable('faults'),
    createTable('authorisations', ['cardId TEXT', 'accountId TEXT', 'transactionId TEXT']),
    createTable('clearings', ['authorisationId TEXT']),
    createTable('holds', ['until INTEGER']),
  ].join('\n'),
]

/** The id of the setting that a store with the demo data has. */
export const SEEDED = 'seeded'

/** A single value of the whole sandbox, e.g. the clock's offset. */
interface Setting extends Stored {
  readonly value: unknown
}

/** The next number of a kind of id. */
interface Sequence extends Stored {
  readonly next: number
}
