import {isOfNothing} from './read-amount.ts'
import {partOf, type ReceivedCall} from './received-call.ts'

/** What is asked, as far as an answer depends on it. */
export type CallKind =
  | 'payment'
  | 'credit'
  | 'reversal'
  | 'balance-inquiry'
  | 'pin-management'
  | 'verification'

const byType: ReadonlyMap<unknown, CallKind> = new Map([
  ['REVERSAL', 'reversal'],
  ['BALANCE_INQUIRY', 'balance-inquiry'],
  ['PIN_CHANGE', 'pin-management'],
  ['PIN_UNBLOCK', 'pin-management'],
  ['CREDIT', 'credit'],
  ['ORIGINAL_CREDIT', 'credit'],
  ['P2P_CREDIT', 'credit'],
])

const byCategory: ReadonlyMap<unknown, CallKind> = new Map([
  ['BALANCE_INQUIRY', 'balance-inquiry'],
  ['PIN_MANAGEMENT', 'pin-management'],
])

/** Values that nobody knows yet, or that cannot be read, make a payment: the kind that is judged most carefully. */
export function kindOf(call: ReceivedCall): CallKind {
  const data = partOf(call, 'transactionData')
  const known = byCategory.get(partOf(call, 'metadata').messageCategory) ?? byType.get(data.transactionType)
  if (known !== undefined) return known
  const {billingAmount, transactionAmount} = data
  const isVerification =
    isOfNothing(billingAmount ?? transactionAmount) && isOfNothing(transactionAmount ?? billingAmount)
  return isVerification ? 'verification' : 'payment'
}

/** Whether a call says of which kind it is; where it doesn't, `kindOf` assumes a payment. */
export const saysItsKind = (call: ReceivedCall): boolean =>
  byCategory.has(partOf(call, 'metadata').messageCategory) ||
  isName(partOf(call, 'transactionData').transactionType)

const isName = (value: unknown): boolean => typeof value === 'string' && /\S/.test(value)

/** FNV-1a, 32 bits with a sign: far less to remember than a text of 36 random characters. */
export function callNumber(id: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash
}
