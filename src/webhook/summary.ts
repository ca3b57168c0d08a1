import {maskText} from '../sensitive/mask-text.ts'
import {type AuthCall, kindOf} from './call-kind.ts'
import type {CallSummary} from './events.ts'

/** What a line shows of a call. Text that others wrote is scanned for card numbers. */
export function summaryOf(call: AuthCall): Omit<CallSummary, 'deadlineMs'> {
  const {metadata, transactionData, merchantData, card} = call
  const {transactionType, transactionAmount, billingAmount} = transactionData
  const {amount, currency} = transactionAmount ?? billingAmount ?? {}
  const {messageCategory} = metadata
  return {
    id: maskText(metadata.id),
    kind: kindOf(call),
    ...(messageCategory === undefined ? {} : {messageCategory: maskText(messageCategory)}),
    transactionType: maskText(transactionType),
    merchant: maskText(merchantData.name ?? merchantData.id ?? ''),
    ...(amount === undefined || currency === undefined ? {} : {amount, currency}),
    cardId: maskText(card.cardId),
  }
}
