import {minorOf} from './amounts.ts'
import {standing} from './ledger.ts'
import type {Account} from './state/account.ts'
import type {Transaction} from './store/store.ts'

/** What may still be spent from an account in one of its currencies, in minor units: booked, less held, plus credit. */
export async function available(tx: Transaction, account: Account, currency: string): Promise<bigint> {
  const {booked, held} = await standing(tx, account.id, currency)
  return booked - held + creditLine(account, currency)
}

/** A credit limit is in the account's first currency. */
function creditLine(account: Account, currency: string): bigint {
  const limit = account.members.creditLimit
  return typeof limit === 'number' && currency === account.currencies[0]
    ? minorOf(limit, currency, '/creditLimit')
    : 0n
}
