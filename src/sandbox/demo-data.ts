import {parseAmount} from '../money/amount.ts'
import type {Account, Customer} from './accounts/account.ts'
import {homeAddress, makeDemoCards} from './demo-cards.ts'
import {seedAuthorisation, seedBatch} from './demo-payments.ts'
import {move, systemAccounts} from './ledger.ts'
import type {PriceList, PricePeriod} from './pricelists/operations.ts'
import type {EnrolledCard, EnrolledCustomer} from './remotecheckout/traces.ts'
import type {Sealer} from './seal.ts'
import type {Collection, Stored, Transaction} from './store/store.ts'
import {SEEDED} from './store/tables.ts'

/** 5001 has periods in every state. 5002 is there to move a period to. */
const demoPriceLists: readonly PriceList[] = [
  {id: '5001', code: 'STANDARD'},
  {id: '5002', code: 'BUSINESS'},
]

/** 6001 is active, 6002 has expired, 6003 and 6004 are in the future. */
const demoPricePeriods: readonly PricePeriod[] = [
  demoPeriod('6001', '5001', 2024, 2090, 4.5),
  demoPeriod('6002', '5001', 2023, 2024, 4),
  demoPeriod('6003', '5001', 2090, null, 5),
  demoPeriod('6004', '5002', 2090, null, 9.9),
]

function demoPeriod(
  id: string,
  priceListId: string,
  from: number,
  to: number | null,
  value: number,
): PricePeriod {
  const validTo = to === null ? null : `${to}-01-01T00:00:00Z`
  return {id, priceListId, validFrom: `${from}-01-01T00:00:00Z`, validTo, value}
}

const demoCustomers: readonly Customer[] = [
  demoCustomer('1001', 'Aino', null, 'Virtanen', 'FIN', 'fi-FI'),
  demoCustomer('1002', 'Erik', 'Johan', 'Lindqvist', 'SWE', 'sv-SE'),
  demoCustomer('1003', 'Marja', null, 'Korhonen', 'FIN', 'fi-FI'),
  demoCustomer('1004', 'Nora', null, 'Berg', 'NOR', 'nb-NO'),
]

function demoCustomer(
  id: string,
  firstName: string,
  middleName: string | null,
  lastName: string,
  countryCode: string,
  locale: string,
): Customer {
  return {id, firstName, middleName, lastName, countryCode, locale}
}

/** An account of the demo data, with its opening balances by currency. */
interface DemoAccount {
  readonly account: Account
  readonly opening: Readonly<Record<string, string>>
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
    members: {address: homeAddress},
    reminder: {},
    effects: 0,
    ...more,
  }
  return {account, opening}
}

const demoAccounts: readonly DemoAccount[] = [
  demo('2001', 'CREDIT', '1001', {EUR: '0.00'}, {members: {address: homeAddress, creditLimit: 5000}}),
  demo('2002', 'DEBIT', '1001', {EUR: '2500.00'}),
  demo('2003', 'PREPAID', '1002', {EUR: '150.00'}),
  demo('2004', 'FLEET', '1002', {EUR: '0.00'}, {members: {address: homeAddress, creditLimit: 20000}}),
  demo('2005', 'MULTICURR_EUR_FI', '1002', {EUR: '1000.00', SEK: '5000.00', NOK: '3000.00', JPY: '100000'}),
  demo('2006', 'DEBIT', '1003', {EUR: '10000.00'}),
  demo('2007', 'DEBIT', '1003', {EUR: '10000.00'}),
  demo('2008', 'DEBIT', '1003', {EUR: '0.00'}, {status: 'ACCOUNT_CLOSED'}),
  demo('2010', 'DEBIT', '1004', {EUR: '-37.40'}),
  demo('2011', 'DEBIT', '1004', {EUR: '820.00'}),
]

/** At the remote checkout service, with the customerBID of the embedded sandbox. */
const demoEnrolment: EnrolledCustomer = {
  id: '1003',
  customerBID: 'SANDBOX',
  active: true,
  emails: ['marja@example.com'],
  phones: [],
}

const demoEnrolledCard: EnrolledCard = {
  id: '3101',
  customerId: '1003',
  tokenReferenceID: `TEST${'0'.repeat(28)}3101`,
  tokenRequestorID: '90000000001',
  billing: {},
}

/** Writes the demo data into an empty store. The data is always the same. */
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
      const entry = {id: `opening/${account.id}/${currency}`, kind: 'opening', at: now}
      await move(tx, {...entry, from: systemAccounts.opening, to: account.id, currency, minor})
    }
  }
  await tx.enrolledCustomers.put(demoEnrolment)
  await tx.enrolledCards.put(demoEnrolledCard)
  await seedBatch(tx, now)
  await seedAuthorisation(tx, now)
  await tx.settings.put({id: SEEDED, value: now})
}

async function putAll<Row extends Stored>(collection: Collection<Row, never>, rows: readonly Row[]) {
  for (const row of rows) await collection.put(row)
}
