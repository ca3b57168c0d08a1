import {textAt} from '../../../output/fields.ts'
import type {Transfer} from './read-transfers.ts'
import {itemTransfer} from './sent-texts.ts'

/** Whether nothing of a failed transfer was booked, or it was reversed. */
export function isUndone(item: unknown): boolean {
  if (textAt(item, 'creditTransaction.id') !== '') return false
  if (textAt(item, 'debitTransaction.id') === '') return true
  return (
    textAt(item, 'reversalTransaction.id') !== '' && textAt(item, 'reversalTransaction.errorMessage') === ''
  )
}

/** The transfers among the items of a batch that didn't fail for certain. */
export const movedTransfers = (items: readonly unknown[]): readonly Transfer[] =>
  items.filter(item => textAt(item, 'status') !== 'FAILED' || !isUndone(item)).map(item => itemTransfer(item))
