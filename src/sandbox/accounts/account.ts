import {minorOf} from '../amounts.ts'
import type {UsageLimit} from '../cards/card.ts'
import {standing} from '../ledger.ts'
import type {Stored, Transaction} from '../store/store.ts'

export type AccountStatus =
  | 'ACCOUNT_OK'
  | 'ACCOUNT_BLOCKED'
  | 'ACCOUNT_TO_CLOSE'
  | 'ACCOUNT_COLLECTION'
  | 'ACCOUNT_CLOSED'

export interface Customer extends Stored {
  readonly firstName: string
  readonly middleName: string | null
  readonly lastName: string
  /** ISO 3166-1 alpha-3. */
  readonly countryCode: string
  /** BCP 47, e.g. `fi-FI`. */
  readonly locale: string
}

export interface Account extends Stored {
  /** CREDIT, DEBIT, PREPAID, FLEET or a multicurrency segment such as MULTICURR_EUR_FI. */
  readonly type: string
  readonly customerId: string
  /** The first is the main currency. Only a multicurrency account has more. */
  readonly currencies: readonly string[]
  readonly status: AccountStatus
  /** Unique among accounts. */
  readonly number: string | null
  readonly usageLimits: readonly UsageLimit[]
  /** By `PERIOD/CODE` of a usage limit: when its counters were last set to zero. */
  readonly limitResets: Readonly<Record<string, number>>
  /** All other fields, as updates set them. */
  readonly members: Readonly<Record<string, unknown>>
  /** Dates of the reminder process; credit accounts only. */
  readonly reminder: Readonly<Record<string, unknown>>
  /** How many updates had an effect, so that a test can prove that a replayed request had none. */
  readonly effects: number
}

/** The balance of one account in one currency. `id` is `ACCOUNT/CURRENCY`. Sums are minor units as decimal text. */
export interface Balance extends Stored {
  readonly accountId: string
  readonly currency: string
  /** Sum of all postings; negative for a debt. */
  readonly booked: string
  /** Sum of the open holds of authorisations, never negative. */
  readonly held: string
}

/** One side of a double entry. The postings of one `entryId` add up to zero in each currency. */
export interface Posting extends Stored {
  readonly entryId: string
  readonly accountId: string
  readonly currency: string
  /** Minor units as decimal text, negative for a debit. */
  readonly minor: string
  /** Why: `opening`, `transfer`, `clearing`, `write-off` … */
  readonly kind: string
  /** Epoch milliseconds by the sandbox clock. */
  readonly at: number
}

/** The available amount of an account in one currency, in minor units: booked, minus held, plus the credit limit. */
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
