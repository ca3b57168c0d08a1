import {plainId} from '../../../contract/resource.ts'
import type {Journal} from '../../../journal/index.ts'
import {listAt} from '../../../output/fields.ts'
import {plainText} from './corrected.ts'
import type {Transfer} from './read-transfers.ts'
import {plainDecimal, rowLine} from './same-rows.ts'
import type {EarlierRequest} from './sent-earlier.ts'
import {lineOf, recordedTransfers} from './sent-texts.ts'
import {movedTransfers} from './undone-items.ts'

/** What a request has sent that did not fail, as far as it is known. */
export interface SentOf {
  readonly transfers: readonly Transfer[]
  readonly hasTexts: boolean
}

/** @param count how many transfers the request has sent */
export function sentOf(
  journal: Journal,
  {id}: EarlierRequest,
  batch: unknown,
  {count, hasFailed}: {readonly count: number; hasFailed(transfer: Transfer): boolean},
): SentOf {
  const recorded = recordedTransfers(journal, id)
  if (recorded.length > 0 && recorded.length === count)
    return {transfers: recorded.filter(one => !hasFailed(one)), hasTexts: true}
  return {transfers: movedTransfers(listAt(batch, 'transfers.items')), hasTexts: false}
}

/**
 * New rows that are perhaps transfers of an earlier batch, changed in the file since: the batch has other rows of the
 * file, and a transfer that the file no longer has: between the same accounts, with the same text or amount, or from or to
 * the same account, with the same text and amount. Sent as new, it would be paid twice.
 *
 * @param isNew whether the row at this place, from 1, was not sent as it is
 */
export function changedRows(
  transfers: readonly Transfer[],
  sent: SentOf,
  isNew: (row: number) => boolean,
): readonly {readonly row: number; readonly instead: Transfer}[] {
  const lineIn = sent.hasTexts ? rowLine : lineOf
  const inFile = Map.groupBy(transfers, lineIn)
  const gone = sent.transfers.filter(one => inFile.get(lineIn(one))?.pop() === undefined)
  // What failed in the batch is rightly sent again, beside anything else.
  if (gone.length === sent.transfers.length) return []
  const between = Map.groupBy(gone, accountsOf)
  const paid = Map.groupBy(gone, sumOf)
  return transfers.flatMap((transfer, at) => {
    const instead = isNew(at + 1)
      ? (between.get(accountsOf(transfer))?.find(one => !sent.hasTexts || isAlike(one, transfer)) ??
        paid.get(sumOf(transfer))?.find(one => isOtherAccount(one, transfer, sent)))
      : undefined
    return instead === undefined ? [] : {row: at + 1, instead}
  })
}

const accountsOf = ({fromAccountId, toAccountId}: Transfer): string =>
  JSON.stringify([plainId(fromAccountId), plainId(toAccountId)])

const sumOf = ({amount, currency}: Transfer): string =>
  JSON.stringify([plainDecimal(amount), String(currency).trim()])

/** Whether the one has the same sum and text, and one of its accounts is the same. */
const isOtherAccount = (one: Transfer, other: Transfer, {hasTexts}: SentOf): boolean =>
  (!hasTexts || plainText(one) === plainText(other)) &&
  (plainId(one.fromAccountId) === plainId(other.fromAccountId) ||
    plainId(one.toAccountId) === plainId(other.toAccountId))

const isAlike = (one: Transfer, other: Transfer): boolean =>
  plainText(one) === plainText(other) || plainDecimal(one.amount) === plainDecimal(other.amount)
