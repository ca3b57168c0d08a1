import type {RowProblem} from '../problems.ts'
import type {FaultyRecord} from '../read-csv.ts'
import type {Cell, Sheet, SheetRow} from './sheet.ts'

/** What a number may be cut into by commas between values: `1,234.50` and `12,50`. */
const STARTS = /^[^\d.,]{0,4}\d{1,3}$/
const GROUP = /^\d{3}(?<decimals>\.\d{1,4})?[^\d.,]{0,4}$/
const DECIMALS = /^\d{2}[^\d.,]{0,4}$/

/**
 * Rows in whose text a comma may be one of a number: `1,234.50` makes a 1, and a 234.50 in the column beside it. A value
 * in quotes, and a decimal point before the comma, show that it isn't.
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
  const cut = whole.flatMap(row => {
    const [first, second] = [bare(row, place), bare(row, place + 1)]
    if (first === undefined || second === undefined || !STARTS.test(first)) return []
    const group = GROUP.exec(second)
    if (!group && !DECIMALS.test(second)) return []
    return [{line: row.line, isSure: group?.groups?.decimals !== undefined, first, second}]
  })
  // A text of two or three digits is a text if other rows have other texts, or none.
  const isAll = cut.length === whole.length
  return cut
    .filter(({isSure}) => isSure || isAll)
    .map(({line, first, second}) => ({
      line,
      message: `may be ${first},${second}, cut at its comma, or ${first} and a ${second} beside it; put the number in quotes`,
    }))
}

function bare({fields, quoted}: SheetRow, place: number): string | undefined {
  const cell: Cell | undefined = fields[place]
  return typeof cell === 'string' && !quoted?.has(place) ? cell.trim() : undefined
}
