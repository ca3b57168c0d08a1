import type {Account} from '../state/account.ts'

/** An account of the demo data and what it starts with, as decimal text by currency. */
export interface DemoAccount {
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

export const demoAccounts: readonly DemoAccount[] = [
  demo('2001', 'CREDIT', '1001', {EUR: '0.00'}, {members: {address, creditLimit: 5000}}),
  demo('2002', 'DEBIT', '1001', {EUR: '2500.00'}),
  demo('2003', 'PREPAID', '1002', {EUR: '150.00'}),
  demo('2004', 'FLEET', '1002', {EUR: '0.00'}, {members: {address, creditLimit: 20000}}),
  demo('2005', 'MULTICURR_EUR_FI', '1002', {EUR: '1000.00', SEK: '5000.00', NOK: '3000.00', JPY: '100000'}),
  demo('2006', 'DEBIT', '1003', {EUR: '10000.00'}),
  demo('2007', 'DEBIT', '1003', {EUR: '10000.00'}),
  demo('2008', 'DEBIT', '1003', {EUR: '0.00'}, {status: 'ACCOUNT_CLOSED'}),
]
