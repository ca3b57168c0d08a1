import type {FixMark} from '../../../output/batch-marks.ts'
import type {Transfer} from './read-transfers.ts'
import {lettersOf} from './reference.ts'
import {rowLine} from './same-rows.ts'

/** A failed transfer of a batch. A file of failed transfers names it beside each row, so that what was corrected in the row can't hide which one it was. */
export interface FailedItem {
  readonly batch: string
  /** Its id at the service; empty if it has none. */
  readonly item: string
}

/** The failed transfers that rows of a file replace, by the lines of the rows. */
export type Replaced = ReadonlyMap<string, readonly FailedItem[]>

/** The column of a file of failed transfers that names them. */
export const REPLACES = 'replaces'

/** `88003#88003-2`: no spreadsheet takes it for a number or a day. */
export const replacesCell = ({batch, item}: FailedItem): string => `${batch}#${item}`

export function readReplaces(cell: unknown): FailedItem | undefined {
  const [, batch, item = ''] = (typeof cell === 'string' && /^([^\s#]+)#(\S*)$/.exec(cell.trim())) || []
  return batch === undefined ? undefined : {batch, item}
}

export function addReplaced(replaced: Map<string, FailedItem[]>, transfer: Transfer, cell: unknown): void {
  const item = readReplaces(cell)
  if (item === undefined) return
  const line = rowLine(transfer)
  replaced.set(line, [...(replaced.get(line) ?? []), item])
}

const lettersOfItem = (item: string): string => lettersOf(item, 5)

/**
 * What the description of a batch says of the failed transfers that it replaces, for all machines. Where there is no
 * room to name them, it names only their batches.
 *
 * @param room characters that are left
 */
export function fixMarks(transfers: readonly Transfer[], replaced: Replaced, room: number): string {
  const items = new Set(transfers.flatMap(transfer => replaced.get(rowLine(transfer)) ?? []))
  const byBatch = [...Map.groupBy(items, ({batch}) => batch)]
  const whole = byBatch.map(([batch, some]) =>
    some.every(({item}) => item !== '')
      ? `fixes:${batch}#${[...new Set(some.map(({item}) => lettersOfItem(item)))].join(',')}`
      : `fixes:${batch}`,
  )
  const short = byBatch.map(([batch]) => `fixes:${batch}`)
  return [whole, short].map(marks => marks.join(' ')).find(({length}) => length <= room) ?? ''
}

export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a batch with this mark has sent the corrected transfer; undefined if the mark doesn't name transfers. */
export function isFixedBy({batch, items}: FixMark, failed: FailedItem): boolean | undefined {
  if (!isSameId(batch, failed.batch)) return false
  if (items === undefined || failed.item === '') return undefined
  return items.includes(lettersOfItem(failed.item))
}
