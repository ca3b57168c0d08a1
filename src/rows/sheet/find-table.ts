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
  /** The line of the header, or the lower one of two. */
  readonly line: number
  /** The rows that name the columns. None if the user says that the first line is a row. */
  readonly headings: readonly SheetRow[]
  /** Rows below that are the same as the header, as lists have them at the top of each page. */
  readonly repeated: readonly SheetRow[]
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

/** What two cells name together, one above the other: `Recipient` over `Account`, `Amount` over `EUR`. */
export interface PairedHeading {
  readonly title: string
  readonly heading: Heading | undefined
  /** Whether both are words of headings. */
  readonly isKnown: boolean
}

/**
 * Reads two headings, of which either may be empty.
 *
 * @param isSpread whether the upper one stands over another column, and may go on over this one.
 */
export type ReadPair = (above: string, below: string, isSpread: boolean) => PairedHeading

/** How many fields a row names as a header would. */
export function headingsIn({fields}: SheetRow, read: ReadHeading): number {
  const named = new Set(fields.map(cell => (typeof cell === 'string' ? read(cell)?.field : undefined)))
  named.delete(undefined)
  return named.size
}

/** Whether a row has more ids and numbers than known words: it may be one of those that a header is sought for. */
export const looksLikeRow = (row: SheetRow, read: ReadHeading): boolean =>
  row.fields.filter(isNumberLike).length > headingsIn(row, read)

function isNumberLike(cell: Cell): boolean {
  const text = cellText(cell)
  return text.replaceAll(/\D/g, '').length > text.replaceAll(/\P{L}/gu, '').length
}

interface Header {
  readonly rows: readonly SheetRow[]
  readonly titles: readonly string[]
  readonly headings: readonly (Heading | undefined)[]
}

/** The header of a sheet: the first of the rows that name the most fields, or that row and the one above or below it. */
function findHeader(
  rows: readonly SheetRow[],
  read: ReadHeading,
  readPair: ReadPair | undefined,
): Header | undefined {
  const first = rows.slice(0, FIRST_LINES)
  // `a` and `Sum` may be the text of a row.
  const named = (row: SheetRow): number => (looksLikeRow(row, read) ? 0 : headingsIn(row, read))
  const most = Math.max(0, ...first.map(named))
  const isHeader = (row: SheetRow): boolean =>
    most > 0 ? named(row) === most : row.fields.filter(cell => cellText(cell) !== '').length > 1
  const at = first.findIndex(isHeader)
  const header = first[at]
  if (header === undefined) return undefined
  const titles = header.fields.map(cellText)
  const single = {rows: [header], titles, headings: titles.map(read)}
  if (readPair === undefined) return single
  const pairs = [at, at + 1].flatMap(place => {
    const [above, below] = [rows[place - 1], rows[place]]
    const pair = above && below && pairOf(above, below, readPair)
    if (!pair) return []
    const fields = new Set(pair.headings.flatMap(heading => heading?.field ?? []))
    const isBetter = fields.size > most || (above === header && fields.size === most && pair.isKnown)
    return isBetter ? [{...pair, size: fields.size}] : []
  })
  const [best] = pairs.toSorted((a, b) => b.size - a.size)
  return best ?? single
}

/** Two rows as one header. Undefined if they aren't beside each other, or one of them has a digit, as every row of data has. */
function pairOf(
  above: SheetRow,
  below: SheetRow,
  readPair: ReadPair,
): (Header & {readonly isKnown: boolean}) | undefined {
  if (below.line !== above.line + 1) return undefined
  const areWords = [above, below].every(({fields}) =>
    // `Sender: Smith` says something of all rows.
    fields.every(cell => typeof cell === 'string' && !/\d|:\s*$/.test(cell)),
  )
  if (!areWords) return undefined
  let spread = ''
  const width = Math.max(above.fields.length, below.fields.length)
  const paired = Array.from({length: width}, (_, place) => {
    const own = cellText(above.fields[place])
    const isSpread = own === ''
    spread = isSpread ? spread : own
    return readPair(spread, cellText(below.fields[place]), isSpread)
  })
  return {
    rows: [above, below],
    titles: paired.map(({title}) => title),
    headings: paired.map(({heading}) => heading),
    isKnown: paired.every(({isKnown}) => isKnown),
  }
}

/**
 * The table of a sheet: under the first of the rows that name the most fields. Undefined if the sheet has no row with
 * two cells.
 *
 * @param isAccepted whether the cells of a column may be what its heading says.
 * @param readPair for headings in two rows.
 */
export function findTable(
  {records}: Sheet,
  read: ReadHeading,
  isAccepted: (heading: Heading, cells: readonly Cell[]) => boolean,
  readPair?: ReadPair,
): Table | undefined {
  const rows = records.filter((each): each is SheetRow => !('fault' in each) && !isEmptyRow(each))
  const header = findHeader(rows, read, readPair)
  const [top] = header?.rows ?? []
  const last = header?.rows.at(-1)
  if (header === undefined || top === undefined || last === undefined) return undefined
  const {titles, headings} = header
  const isRepeated = (row: SheetRow): boolean => header.rows.some(one => isSame(one, row))
  const below = rows.filter(row => row.line > last.line && !isRepeated(row))
  const cellsOf = ({place}: Pick<Column, 'place'>) => below.map(({fields}) => fields[place] ?? '')
  const width = below.reduce((most, {fields}) => Math.max(most, fields.length), titles.length)
  const columns = Array.from({length: width}, (_, place) => place).flatMap(place => {
    const title = titles[place] ?? ''
    if (title !== '') return [{place, title}]
    return cellsOf({place}).every(cell => cellText(cell) === '') ? [] : [{place, title: placeTitle(place)}]
  })
  const byField = Map.groupBy(
    columns.flatMap(column => {
      const heading = headings[column.place]
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
    line: last.line,
    headings: header.rows,
    repeated: rows.filter(row => row.line > last.line && isRepeated(row)),
    columns,
    width: titles.findLastIndex(title => title !== '') + 1,
    found,
    doubtful,
    above: rows.filter(({line}) => line < top.line),
    rows: records.filter(
      each => each.line > last.line && ('fault' in each || !(isEmptyRow(each) || isRepeated(each))),
    ),
  }
}

/** The table whose header is a row: each column is named by its place. */
export function withoutHeadings({records}: Sheet, {line, above}: Table): Table {
  const rows = records.filter(each => each.line >= line && ('fault' in each || !isEmptyRow(each)))
  const places = rows.flatMap(row =>
    'fault' in row ? [] : row.fields.flatMap((cell, place) => (cellText(cell) === '' ? [] : [place])),
  )
  const columns = [...new Set(places)]
    .toSorted((a, b) => a - b)
    .map(place => ({place, title: placeTitle(place)}))
  return {
    line: line - 1,
    headings: [],
    repeated: [],
    columns,
    width: (columns.at(-1)?.place ?? -1) + 1,
    found: new Map(),
    doubtful: new Map(),
    above,
    rows,
  }
}

/** What a column without a heading is called. */
const placeTitle = (place: number): string => `column ${place + 1}`

/** Whether two rows have the same texts, and more than one. */
function isSame(one: SheetRow, other: SheetRow): boolean {
  const width = Math.max(one.fields.length, other.fields.length)
  const areSame = Array.from({length: width}, (_, place) => place).every(
    place => cellText(one.fields[place]) === cellText(other.fields[place]),
  )
  return areSame && one.fields.filter(cell => /\p{L}/u.test(cellText(cell))).length > 1
}
