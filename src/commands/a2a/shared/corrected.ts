import {plainId} from '../../../contract/resource.ts'
import type {FixMark} from '../../../output/batch-marks.ts'
import type {Transfer} from './read-transfers.ts'
import {isFixedBy} from './replaced-rows.ts'
import {plainDecimal} from './same-rows.ts'
import type {SentEarlier} from './sent-earlier.ts'
import {lineOf} from './sent-texts.ts'

/** A row that failed for certain in an earlier batch. */
export interface FailedRow {
  /** Its place in the set, from 1. */
  readonly row: number
  readonly transfer: Transfer
  readonly batch: string | undefined
  /** The ids of the transfers that it may have been there. */
  readonly items: readonly string[]
  /** When that batch was sent, in milliseconds since 1970. */
  readonly at: number | undefined
  /** The set that it was sent with: the other rows of it correct nothing. */
  readonly set: string | undefined
}

/** A batch that was sent later, and what of it didn't fail. */
export interface LaterBatch {
  readonly sent: Omit<SentEarlier, 'row' | 'isOther' | 'instead'>
  readonly at: number | undefined
  readonly set: string | undefined
  readonly fixes: readonly FixMark[]
  /** Undefined if it can't be read. */
  readonly moved: readonly Transfer[] | undefined
  /** Whether it may have moved money of the account, if it can't be read. */
  touches(account: string): boolean
}

/**
 * Failed rows that were perhaps corrected and sent since: as a batch itself says, or because it has a transfer so near
 * to one that it may be the same payment with another account, amount or text. One may be near to several rows: nobody
 * knows which it is.
 */
export function correctedIn(
  failed: readonly FailedRow[],
  later: readonly LaterBatch[],
): readonly SentEarlier[] {
  const open = new Map(failed.map(one => [one.row, one]))
  const found: SentEarlier[] = []
  const take = ({row}: FailedRow, {sent}: LaterBatch, instead: SentEarlier['instead']): void => {
    open.delete(row)
    found.push({...sent, row, isOther: true, instead})
  }
  for (const batch of later)
    for (const one of open.values())
      if (one.items.some(item => batch.fixes.some(fix => isFixedBy(fix, {batch: one.batch ?? '', item}))))
        take(one, batch, 'replaced')
  for (const batch of later) {
    // What it says that it replaces is no row that it doesn't name.
    if (batch.fixes.length > 0 && batch.fixes.every(({items}) => items !== undefined)) continue
    for (const one of open.values()) {
      if (!isLater(batch, one)) continue
      const {fromAccountId: from, toAccountId: to} = one.transfer
      if (batch.moved === undefined) {
        if (batch.touches(from) || batch.touches(to)) take(one, batch, undefined)
        continue
      }
      const near = batch.moved.find(transfer => isNear(one.transfer, transfer))
      if (near !== undefined) take(one, batch, near)
    }
  }
  return found
}

function isLater(batch: LaterBatch, failed: FailedRow): boolean {
  if (batch.sent.request.replyId === failed.batch && failed.batch !== undefined) return false
  if (batch.set !== undefined && batch.set === failed.set) return false
  // A service may count whole seconds only.
  return batch.at === undefined || failed.at === undefined || batch.at >= failed.at
}

/** Whether one may be the other with an account, the amount or the text corrected. */
function isNear(one: Transfer, other: Transfer): boolean {
  if (isBetweenSame(one, other)) return true
  const isFrom = plainId(one.fromAccountId) === plainId(other.fromAccountId)
  const isTo = plainId(one.toAccountId) === plainId(other.toAccountId)
  const [text, otherText] = [plainText(one), plainText(other)]
  const hasTexts = text !== '' && otherText !== ''
  const isText = hasTexts && (text.includes(otherText) || otherText.includes(text))
  const isSum =
    plainDecimal(one.amount) === plainDecimal(other.amount) && one.currency.trim() === other.currency.trim()
  if (!isFrom && !isTo) return isText && isSum
  return isSum ? isText || !hasTexts : isText
}

export const isBetweenSame = (one: Transfer, other: Transfer): boolean =>
  plainId(one.fromAccountId) === plainId(other.fromAccountId) &&
  plainId(one.toAccountId) === plainId(other.toAccountId)

export const plainText = ({text}: Transfer): string =>
  String(text ?? '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Without those that stand for rows already, by their lines. */
export function withoutLines(moved: readonly Transfer[], lines: readonly string[]): readonly Transfer[] {
  const known = [...lines]
  return moved.filter(transfer => {
    const at = known.indexOf(lineOf(transfer))
    if (at === -1) return true
    known.splice(at, 1)
    return false
  })
}
