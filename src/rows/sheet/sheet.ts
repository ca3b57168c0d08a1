import type {Delimiter} from '../dialect.ts'
import type {FaultyRecord} from '../read-csv.ts'
import type {CellLooks} from './cell-looks.ts'
import type {Cell} from './doubtful-cell.ts'

export interface SheetRow {
  /** Line of the file or of the sheet, from 1. */
  readonly line: number
  readonly fields: readonly Cell[]
  /** In a text, the fields that stand in quotes, by their places from 0. */
  readonly quoted?: ReadonlySet<number>
}

/** A table as somebody saved it, with all that stands above and below its rows. Empty lines may be left out. */
export interface Sheet {
  /** Its name in a workbook. */
  readonly name?: string
  /** What is between the values of a text. */
  readonly delimiter?: Delimiter
  readonly records: readonly (SheetRow | FaultyRecord)[]
  /** Whether a person who opens the workbook doesn't see the sheet. */
  readonly isHidden?: boolean
  /** Lines that a person who opens the sheet doesn't see. */
  readonly hiddenLines?: ReadonlySet<number>
  /** What a workbook shows of cells beside their values. */
  readonly looks?: CellLooks
  /** Places of columns, from 0, that a person who opens the sheet doesn't see. */
  readonly hiddenColumns?: ReadonlySet<number>
}

/** Whether nothing is in a row. */
export const isEmptyRow = ({fields}: SheetRow): boolean =>
  fields.every(cell => typeof cell === 'string' && cell.trim() === '')

/** A cell as text. */
export const cellText = (cell: Cell | undefined): string => (cell === undefined ? '' : String(cell).trim())

/** "line 5", "lines 5, 13, 20 and 40 more" */
export function linesOf(rows: readonly {readonly line: number}[]): string {
  const most = 5
  const named = rows
    .slice(0, most)
    .map(({line}) => line)
    .join(', ')
  const more = rows.length > most ? ` and ${rows.length - most} more` : ''
  return `${rows.length === 1 ? 'line' : 'lines'} ${named}${more}`
}
