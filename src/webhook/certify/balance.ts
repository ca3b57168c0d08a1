import type {Verdict} from '../send/caller.ts'

/** The balance in an answer, `4990 EUR`; undefined if it has none. */
export function balanceIn({reply}: Pick<Verdict, 'reply'>): string | undefined {
  const {transactionData} = Object(reply) as {transactionData?: {availableAmount?: unknown}}
  if (!transactionData?.availableAmount) return undefined
  const {amount, currency} = Object(transactionData.availableAmount) as {amount?: unknown; currency?: unknown}
  return `${amount} ${currency}`
}
