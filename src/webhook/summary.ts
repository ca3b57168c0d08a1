import {type AuthCall, kindOf} from './call-kind.ts'
import type {CallSummary} from './events.ts'

/** What a line shows of a call that was masked. */
export function summaryOf(
  {metadata, transactionData, merchantData, card}: AuthCall,
  deadlineMs: number,
  {unknown = [], reusedId}: {unknown?: readonly string[]; reusedId?: string | undefined} = {},
): CallSummary {
  const {transactionType, transactionAmount, billingAmount} = transactionData
  const {amount, currency} = transactionAmount ?? billingAmount ?? {}
  const {messageCategory} = metadata
  const kind = kindOf({metadata, transactionData})
  return {
    id: metadata.id,
    kind,
    ...(messageCategory !== undefined && {messageCategory}),
    transactionType,
    merchant: merchantData.name ?? merchantData.id ?? '',
    ...(amount !== undefined && currency !== undefined && {amount, currency}),
    cardId: card.cardId,
    deadlineMs,
    ...(unknown.length > 0 && {unknown}),
    ...(reusedId !== undefined && {reusedId}),
  }
}
