import type {AccountStatus} from '../state/account.ts'
import type {UsageLimit, UsageLimitValue} from '../state/card.ts'

/** The members of an account update that the sandbox looks at; all others it only keeps. */
export interface AccountChanges {
  readonly status?: AccountStatus
  readonly number?: string
  readonly customerId?: string
  readonly parentId?: string | null
  readonly creditLimit?: number
  readonly minimumToPay?: {readonly amount?: number}
  readonly paymentReference?: PaymentReference | null
  readonly usageLimits?: readonly LimitChange[]
}

export interface PaymentReference {
  readonly type?: 'MOD10' | 'FINNISH_7_3_1'
  readonly number?: string
}

interface LimitChange {
  readonly code: UsageLimit['code']
  readonly values: readonly (UsageLimitValue & {readonly reset?: boolean})[]
}
