import {parseAmount} from '../money/index.ts'
import type {Account, Customer} from './accounts/account.ts'
import {makeDemoCards} from './demo-cards.ts'
import {post, systemAccounts} from './ledger.ts'
import type {PriceList, PricePeriod} from './pricelists/operations.ts'
import type {Sealer} from './seal.ts'
import type {Collection, Stored, Transaction} from './store/store.ts'

/** 5001 is the one to try the rules on; 5002 is where a period can be moved to. */
const demoPriceLists: readonly PriceList[] = [
  {id: '5001', code: 'STANDARD'},
  {id: '5002', code: 'BUSINESS'},
]

/** Fixed dates, so that the demo data is always the same: 6001 is active, 6002 expired, 6003 and 6004 are to come. */
const demoPricePeriods: readonly PricePeriod[] = [
  {
    id: '6001',
    priceListId: '5001',
    validFrom: '2024-01-01T00:00:00Z',
    validTo: '2090-01-01T00:00:00Z',
    value: 4.5,
  },
  {
    id: '6002',
    priceListId: '5001',
    validFrom: '2023-01-01T00:00:00Z',
    validTo: '2024-01-01T00:00:00Z',
    value: 4,
  },
  {id: '6003', priceListId: '5001', validFrom: '2090-01-01T00:00:00Z', validTo: null, value: 5},
  {id: '6004', priceListId: '5002', validFrom: '2090-01-01T00:00:00Z', validTo: null, value: 9.9},
]

const demoCustomers: readonly Customer[] = [
  {
    id: '1001',
    firstName: 'Aino',
    middleName: null,
    lastName: 'Virtanen',
    countryCode: 'FIN',
    locale: 'fi-FI',
  },
  {
    id: '1002',
    firstName: 'Erik',
    middleName: 'Johan',
    lastName: 'Lindqvist',
    countryCode: 'SWE',
    locale: 'sv-SE',
  },
  {
    id: '1003',
    firstName: 'Marja',
    middleName: null,
    lastName: 'Korhonen',
    countryCode: 'FIN',
    locale: 'fi-FI',
  },
]

/** An account of the demo data and what it starts with, as decimal text by currency. */
interface DemoAccount {
  readonly account: Account
  readonly opening: Readonly<Record<string, string>>
}

const address = {
  address1: 'Mannerheimintie 1',
  address2: null,
  address3: null,
  address4: null,
  city: 'Helsinki',
  country: 'FIN',
  region: null,
  zipCode: '00100',
}

function demo(
  id: string,
  type: string,
  customerId: string,
  opening: Readonly<Record<string, string>>,
  more: Partial<Account> = {},
): DemoAccount {
  const account: Account = {
    id,
    type,
    customerId,
    currencies: Object.keys(opening),
    status: 'ACCOUNT_OK',
    number: `500000${id}`,
    usageLimits: [],
    limitResets: {},
    members: {address},
    reminder: {},
    effects: 0,
    ...more,
  }
  return {account, opening}
}

const demoAccounts: readonly DemoAccount[] = [
  demo('2001', 'CREDIT', '1001', {EUR: '0.00'}, {members: {address, creditLimit: 5000}}),
  demo('2002', 'DEBIT', '1001', {EUR: '2500.00'}),
  demo('2003', 'PREPAID', '1002', {EUR: '150.00'}),
  demo('2004', 'FLEET', '1002', {EUR: '0.00'}, {members: {address, creditLimit: 20000}}),
  demo('2005', 'MULTICURR_EUR_FI', '1002', {EUR: '1000.00', SEK: '5000.00', NOK: '3000.00', JPY: '100000'}),
  demo('2006', 'DEBIT', '1003', {EUR: '10000.00'}),
  demo('2007', 'DEBIT', '1003', {EUR: '10000.00'}),
  demo('2008', 'DEBIT', '1003', {EUR: '0.00'}, {status: 'ACCOUNT_CLOSED'}),
]

const SEEDED = 'seeded'

/** Whether the store holds the demo data. */
export async function isSeeded(tx: Transaction): Promise<boolean> {
  return (await tx.settings.get(SEEDED)) !== undefined
}

/** Writes the demo data, always the same, into an empty store. */
export async function seed(tx: Transaction, sealer: Sealer, now: number): Promise<void> {
  const {cards, plastics} = makeDemoCards(sealer)
  await putAll(tx.customers, demoCustomers)
  await putAll(tx.cards, cards)
  await putAll(tx.plastics, plastics)
  await putAll(tx.priceLists, demoPriceLists)
  await putAll(tx.pricePeriods, demoPricePeriods)
  for (const {account, opening} of demoAccounts) {
    await tx.accounts.put(account)
    for (const [currency, amount] of Object.entries(opening)) {
      const {minor} = parseAmount(amount, currency)
      const legs = [
        {accountId: systemAccounts.opening, currency, minor: -minor},
        {accountId: account.id, currency, minor},
      ]
      await post(tx, {id: `opening/${account.id}/${currency}`, kind: 'opening', at: now, legs})
    }
  }
  await tx.settings.put({id: SEEDED, value: now})
}

async function putAll<Row extends Stored>(collection: Collection<Row, never>, rows: readonly Row[]) {
  for (const row of rows) await collection.put(row)
}
