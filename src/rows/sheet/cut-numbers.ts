import type {RowProblem} from '../problem-groups.ts'
import type {FaultyRecord} from '../read-csv.ts'
import type {Cell} from './doubtful-cell.ts'
import type {Sheet, SheetRow} from './sheet.ts'

/** What a number may be cut into by commas between values: `1,234.50`, `12,50` and `12,5`. */
const STARTS = /^[^\d.,]{0,4}\d{1,3}$/
const GROUP = /^\d{3}(?<decimals>\.\d{1,4})?(?:[^\d.,]{0,4}$|\s\D)/
/** Before a decimal comma any whole number may be, also one with thousands separators. */
const WHOLE = /^[^\d.,]{0,4}(?:\d+|\d{1,3}(?:[ .'’\u00a0\u202f]\d{3})+)$/
/** Words may follow: `1234,50 Rent` has a decimal comma. */
const DECIMALS = /^\d{1,2}(?:[^\d.,]{0,4}$|\s\D)/

/** Whole numbers of four digits: nobody who writes them so groups thousands. */
const UNGROUPED = /^\D{0,4}\d{4,}(?:\.\d+)?\D{0,4}$/
/** A point before decimals, which may be none of thousands. */
const WITH_POINT = /^\D{0,4}(?:\d+\.\d{1,2}|0\.\d+|\d{4,}\.\d+)\D{0,4}$/

/**
 * Rows in whose text a comma may be one of a number: `1,234.50` makes a 1, and a 234.50 in the column beside it. A value
 * in quotes, and a decimal point before the comma, show that it isn't. So do numbers of other rows: 1500 that nobody
 * groups thousands, 12.50 that nobody writes decimals after a comma.
 *
 * @param rows those of a table, whose cell beside the number is a text or isn't used.
 * @param place of the number.
 */
export function cutNumbers(
  rows: readonly (SheetRow | FaultyRecord)[],
  place: number,
  {delimiter}: Pick<Sheet, 'delimiter'>,
): readonly Pick<RowProblem, 'line' | 'message'>[] {
  if (delimiter !== ',') return []
  const whole = rows.filter((row): row is SheetRow => 'fields' in row)
  const others = whole.map(row => bare(row, place) ?? '')
  const isGrouped = !others.some(text => UNGROUPED.test(text))
  const hasComma = !others.some(text => WITH_POINT.test(text))
  return whole.flatMap(row => {
    const [first, second] = [bare(row, place), bare(row, place + 1)]
    if (first === undefined || second === undefined || !mayBeCut(first, second)) return []
    const group = GROUP.exec(second)
    const isCut = group
      ? isGrouped || group.groups?.decimals !== undefined
      : hasComma && DECIMALS.test(second)
    if (!isCut) return []
    const [rest = second] = /^[\d.]+/.exec(second) ?? []
    const message = `may be ${first},${rest}, cut at its comma, or ${first} and a ${rest} beside it; put the number in quotes`
    return [{line: row.line, message}]
  })
}

/** Whether two values may be one number that a comma cut. */
export const mayBeCut = (first: string, second: string): boolean =>
  (STARTS.test(first) && GROUP.test(second)) || (WHOLE.test(first) && DECIMALS.test(second))

function bare({fields, quoted}: SheetRow, place: number): string | undefined {
  const cell: Cell | undefined = fields[place]
  return typeof cell === 'string' && !quoted?.has(place) ? cell.trim() : undefined
}
