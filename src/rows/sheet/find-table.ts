import type {FaultyRecord} from '../read-csv.ts'
import type {Cell} from './doubtful-cell.ts'
import {FIRST_LINES} from './read-sheets.ts'
import {cellText, isEmptyRow, type Sheet, type SheetRow} from './sheet.ts'

/** What a heading says: which field its column has. */
export interface Heading {
  readonly field: string
  /** Another column is preferred to it: `Recipient` may be an account or a name. */
  readonly weak?: boolean
  /** What is beside the word: the currency of `Betrag (EUR)`. */
  readonly unit?: string
}

export interface Column {
  /** From 0. */
  readonly place: number
  /** `column 6` over cells that nothing names. */
  readonly title: string
}

/** A table in a sheet: the columns under a header. */
export interface Table {
  /** The line of the header. */
  readonly line: number
  readonly columns: readonly Column[]
  /** Number of columns that the header names, with those between them that it doesn't. */
  readonly width: number
  /** The column of each field, with its heading. */
  readonly found: ReadonlyMap<string, Column & {readonly heading: Heading}>
  /** Fields that several columns may have. */
  readonly doubtful: ReadonlyMap<string, readonly Column[]>
  /** Rows above the header. */
  readonly above: readonly SheetRow[]
  readonly rows: readonly (SheetRow | FaultyRecord)[]
}

export type ReadHeading = (title: string) => Heading | undefined

/** How many fields a row names as a header would. */
export function headingsIn({fields}: SheetRow, read: ReadHeading): number {
  const named = new Set(fields.map(cell => (typeof cell === 'string' ? read(cell)?.field : undefined)))
  named.delete(undefined)
  return named.size
}

/**
 * The table of a sheet: under the first of the rows that name the most fields. Undefined if the sheet has no row with
 * two cells.
 *
 * @param isAccepted whether the cells of a column may be what its heading says.
 */
export function findTable(
  {records}: Sheet,
  read: ReadHeading,
  isAccepted: (heading: Heading, cells: readonly Cell[]) => boolean,
): Table | undefined {
  const rows = records.filter((each): each is SheetRow => !('fault' in each) && !isEmptyRow(each))
  const first = rows.slice(0, FIRST_LINES)
  const most = Math.max(0, ...first.map(row => headingsIn(row, read)))
  const isHeader = (row: SheetRow): boolean =>
    most > 0 ? headingsIn(row, read) === most : row.fields.filter(cell => cellText(cell) !== '').length > 1
  const header = first.find(isHeader)
  if (header === undefined) return undefined
  const below = rows.filter(({line}) => line > header.line)
  const cellsOf = ({place}: Pick<Column, 'place'>) => below.map(({fields}) => fields[place] ?? '')
  const width = below.reduce((most, {fields}) => Math.max(most, fields.length), header.fields.length)
  const columns = Array.from({length: width}, (_, place) => place).flatMap(place => {
    const title = cellText(header.fields[place])
    if (title !== '') return [{place, title}]
    return cellsOf({place}).every(cell => cellText(cell) === '')
      ? []
      : [{place, title: `column ${place + 1}`}]
  })
  const byField = Map.groupBy(
    columns.flatMap(column => {
      const heading = read(column.title)
      return heading && isAccepted(heading, cellsOf(column)) ? [{...column, heading}] : []
    }),
    ({heading}) => heading.field,
  )
  const found = new Map<string, Column & {readonly heading: Heading}>()
  const doubtful = new Map<string, readonly Column[]>()
  for (const [field, named] of byField) {
    const strong = named.filter(({heading}) => !heading.weak)
    const [only, ...others] = strong.length > 0 ? strong : named
    if (only === undefined) continue
    if (others.length === 0) found.set(field, only)
    else doubtful.set(field, [only, ...others])
  }
  return {
    line: header.line,
    columns,
    width: header.fields.findLastIndex(cell => cellText(cell) !== '') + 1,
    found,
    doubtful,
    above: rows.filter(({line}) => line < header.line),
    rows: records.filter(each => each.line > header.line && ('fault' in each || !isEmptyRow(each))),
  }
}
