import type {Stored} from '../store/store.ts'
import type {UsageLimit} from './card.ts'

export type AccountStatus =
  | 'ACCOUNT_OK'
  | 'ACCOUNT_BLOCKED'
  | 'ACCOUNT_TO_CLOSE'
  | 'ACCOUNT_COLLECTION'
  | 'ACCOUNT_CLOSED'

export interface Account extends Stored {
  /** CREDIT, DEBIT, PREPAID, FLEET or a multicurrency segment such as MULTICURR_EUR_FI. */
  readonly type: string
  readonly customerId: string
  /** The first is the account's own; a multicurrency account has more. */
  readonly currencies: readonly string[]
  readonly status: AccountStatus
  /** Unique among accounts. */
  readonly number: string | null
  readonly usageLimits: readonly UsageLimit[]
  /** By `PERIOD/CODE` of a usage limit: when its counters were last set to zero. */
  readonly limitResets: Readonly<Record<string, number>>
  /** Every other member that an update has set, as it came. */
  readonly members: Readonly<Record<string, unknown>>
  /** Dates of the reminder process; credit accounts only. */
  readonly reminder: Readonly<Record<string, unknown>>
  /** How many updates took effect, so that a test can prove that a repeated request did nothing. */
  readonly effects: number
}
