import {type AuthCall, kindOf} from './call-kind.ts'
import type {CallSummary} from './events.ts'

/** What a line shows of a call that was masked. @param unknown where it holds what the contract doesn't know. */
export function summaryOf(call: AuthCall, unknown: readonly string[] = []): Omit<CallSummary, 'deadlineMs'> {
  const {metadata, transactionData, merchantData, card} = call
  const {transactionType, transactionAmount, billingAmount} = transactionData
  const {amount, currency} = transactionAmount ?? billingAmount ?? {}
  const {messageCategory} = metadata
  return {
    id: metadata.id,
    kind: kindOf(call),
    ...(messageCategory === undefined ? {} : {messageCategory: messageCategory}),
    transactionType: transactionType,
    merchant: merchantData.name ?? merchantData.id ?? '',
    ...(amount === undefined || currency === undefined ? {} : {amount, currency}),
    cardId: card.cardId,
    ...(unknown.length === 0 ? {} : {unknown}),
  }
}
