import type {WebhookBody} from '../contract/types.ts'

export type AuthCall = WebhookBody<'webhook.auth'>

/** What is asked, as far as an answer depends on it. */
export type CallKind =
  | 'payment'
  | 'credit'
  | 'reversal'
  | 'balance-inquiry'
  | 'pin-management'
  | 'verification'

const byType: ReadonlyMap<string, CallKind> = new Map([
  ['REVERSAL', 'reversal'],
  ['BALANCE_INQUIRY', 'balance-inquiry'],
  ['PIN_CHANGE', 'pin-management'],
  ['PIN_UNBLOCK', 'pin-management'],
  ['CREDIT', 'credit'],
  ['ORIGINAL_CREDIT', 'credit'],
  ['P2P_CREDIT', 'credit'],
])

const byCategory: ReadonlyMap<string, CallKind> = new Map([
  ['BALANCE_INQUIRY', 'balance-inquiry'],
  ['PIN_MANAGEMENT', 'pin-management'],
])

/** Values that nobody knows yet make a payment: the kind that is judged most carefully. */
export function kindOf({
  metadata,
  transactionData,
}: Pick<AuthCall, 'metadata' | 'transactionData'>): CallKind {
  const known = byCategory.get(metadata.messageCategory ?? '') ?? byType.get(transactionData.transactionType)
  if (known !== undefined) return known
  const {billingAmount, transactionAmount} = transactionData
  const isOfNothing =
    (billingAmount ?? transactionAmount)?.amount === 0 && (transactionAmount ?? billingAmount)?.amount === 0
  return isOfNothing ? 'verification' : 'payment'
}
