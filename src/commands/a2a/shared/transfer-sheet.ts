import {
  chooseSheet,
  emptyFile,
  noteFarRows,
  noteHiddenColumns,
  type SoughtRows,
  withoutHidden,
} from '../../../cli/sheet/choose-sheet.ts'
import {plainTitle, titlesOf} from '../../../cli/sheet/column-words.ts'
import {headingsOf, refuseOtherHeadings, type UsedMapping} from '../../../cli/sheet/named-mapping.ts'
import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {Failure} from '../../../errors/failure.ts'
import {type ReadNumber, readColumn} from '../../../money/column-numbers.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {DecimalSigns} from '../../../money/decimal-sign.ts'
import {findExponent} from '../../../money/exponents.ts'
import type {Row, RowProblem} from '../../../rows/problems.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import {cellFault, DoubtfulCell, heldNumber, plainCell} from '../../../rows/sheet/doubtful-cell.ts'
import {type Column, findTable, headingsIn, type Table} from '../../../rows/sheet/find-table.ts'
import {readSheets} from '../../../rows/sheet/read-sheets.ts'
import {rowFault} from '../../../rows/sheet/row-faults.ts'
import {type Cell, cellText, linesOf, type Sheet, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {cutAmounts} from './cut-amounts.ts'
import {type FieldColumn, NEEDED, placesOf, refuseMisspelt, splitAmount} from './sheet-columns.ts'
import {refuseLines, refuseNotes, refuseTexts} from './sheet-marks.ts'
import {SUM_LABEL} from './sheet-words.ts'
import {
  FIELD_NAMES,
  fitsHeading,
  readTransferHeading,
  TRANSFER_FIELDS,
  type TransferField,
  useOf,
} from './transfer-headings.ts'

export interface TransferSheet {
  /** What was read as what, to be kept by name. */
  readonly used: UsedMapping
  readonly rows: readonly Row[]
  readonly problems: readonly RowProblem[]
  /** What the amounts are, if decimals are written so. @throws Failure INPUT_INVALID for a sum that isn't one */
  settle(signs: DecimalSigns): SettledAmounts
}

export interface SettledAmounts {
  /** The amounts of rows, by their numbers. */
  readonly amounts: ReadonlyMap<number, ReadNumber>
  /** What was left out, or understood from elsewhere, in sentences. */
  readonly notes: readonly string[]
}

/**
 * The transfers in a spreadsheet of somebody else: finds the header, what its columns are, and how its amounts are
 * written. What is above and below the rows is left out only if it can't be a row, and is said.
 *
 * @throws Failure INPUT_INVALID for what can't be known, with what was found and which flag says it.
 */
export async function readTransferSheet(bytes: Uint8Array, given: SheetSource): Promise<TransferSheet> {
  const fitness = (row: SheetRow) => headingsIn(row, readTransferHeading)
  const sheets = await readSheets(bytes, {...given, fitness})
  const question = 'Which sheet has the transfers?'
  const {sheet, notes, chosen} = await chooseSheet(sheets, given, SOUGHT, question)
  const table = findTable(sheet, readTransferHeading, fitsHeading)
  if (table === undefined) {
    if (sheet.records.length === 0) throw emptyFile(given.source)
    throw noHeader(given.source)
  }
  refuseOtherHeadings(table, given.kept, given.source)
  const {columns, fill, ignored} = await placesOf(table, given)
  const unused = table.columns.filter(
    ({place, title}) =>
      ![...columns.values()].some(column => column.place === place) && plainTitle(title) !== 'reason',
  )
  const left = unused.filter(({place}) => !ignored.has(place))
  if (!columns.has('text')) refuseMisspelt(left, given.source)
  const hidden = noteHiddenColumns(sheet, table, [...columns.values()], given)
  const visible = await withoutHidden(table.rows, sheet, given)
  const {rows: body, below} = splitFooter(visible, columns)
  refuseLines([...table.above, ...below], given.source)
  await refuseNotes(left, body, columns, given)
  const textColumn = columns.get('text')
  if (textColumn !== undefined) refuseTexts(textColumn, body, given.source)
  const problems: RowProblem[] = []
  const rows: Row[] = []
  const amountPlace = columns.get('amount')?.place
  /** The currencies that formats of a workbook show. */
  const shown = new Map<number, string>()
  const cut = new Map(cutAmounts(body, columns, sheet).map(one => [one.line, one]))
  for (const [at, record] of body.entries()) {
    const row = at + 1
    const cutHere = cut.get(record.line)
    const fault = rowFault(record, row, table, sheet) ?? (cutHere && {row, column: 'amount', ...cutHere})
    const faults = fault !== undefined || 'fault' in record ? [fault] : cellFaults(record, row, columns)
    problems.push(...faults.filter(one => one !== undefined))
    if (faults.length > 0 || !('fields' in record)) continue
    const cell = amountPlace === undefined ? undefined : record.fields[amountPlace]
    if (cell instanceof DoubtfulCell) shown.set(row, cell.unit)
    rows.push({row, line: record.line, values: valuesOf(record, columns, fill)})
  }
  const unit = columns.get('amount')?.heading?.unit ?? ''
  const settled = rows.map(row => withCurrency(row, [shown.get(row.row) ?? '', unit], problems))
  const decimals = (row: Row) => findExponent(currencyIn(row.values.currency) ?? '')
  const written = settled.filter(({values}) => typeof values.amount === 'string' && values.amount !== '')
  const cells = written.map(row => ({text: String(row.values.amount), decimals: decimals(row)}))
  const above = aboveNotes(table, columns, given.source)
  const far = noteFarRows(body, table.line)
  return {
    used: {
      map: [
        ...[...columns].map(([field, {title}]) => `${title}=${FIELD_NAMES[field]}`),
        ...table.columns.flatMap(({place, title}) => (ignored.has(place) ? [`${title}=none`] : [])),
      ],
      fill: [...fill].map(([field, value]) => `${field}=${value}`),
      ...(chosen === undefined ? {} : {sheet: chosen}),
      headings: headingsOf(table),
    },
    rows: settled,
    problems,
    settle(signs) {
      const read = readColumn(cells, signs)
      const amounts = new Map(written.map((row, at) => [row.row, read[at]]))
      for (const row of settled) {
        const {amount} = row.values
        if (typeof amount === 'number')
          amounts.set(row.row, {number: String(Math.abs(amount)), isNegative: amount < 0})
      }
      // Without the rows that can't be read, a sum says nothing.
      const isWhole = rows.length === body.length
      const skipped = isWhole ? footerNotes(below, settled, amounts, columns, {...given, signs}) : []
      return {amounts, notes: [...notes, ...hidden, ...above, ...far, ...skipped, ...unusedNote(left)]}
    },
  }
}

function namesTransfers(sheet: Sheet): boolean {
  const table = findTable(sheet, readTransferHeading, fitsHeading)
  return table !== undefined && table.found.size + table.doubtful.size > 1 && table.rows.length > 0
}

/** Two accounts and an amount. */
const SOUGHT: SoughtRows = {isTable: namesTransfers, numbers: 3}

const noHeader = (source: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} has no line that names columns.`,
    hint: `Write one above the rows: ${NEEDED.map(field => FIELD_NAMES[field]).join(', ')} and, if you like, text.`,
    effect: 'none',
  })

type Columns = ReadonlyMap<TransferField, FieldColumn>

const cellIn = ({fields}: SheetRow, columns: Columns, field: TransferField): Cell => {
  const column = columns.get(field)
  const cell = column === undefined ? '' : (fields[column.place] ?? '')
  return cellFault(cell, useOf(field)) === undefined ? plainCell(cell, useOf(field)) : cell
}

/** What is wrong with single cells of a row. */
const cellFaults = (row: SheetRow, number: number, columns: Columns): readonly RowProblem[] =>
  [...columns.keys()].flatMap(field => {
    const message = cellFault(cellIn(row, columns, field), useOf(field))
    const held = field === 'amount' ? heldNumber(row.fields[columns.get(field)?.place ?? -1]) : {}
    return message === undefined ? [] : [{row: number, line: row.line, column: field, message, ...held}]
  })

/** The rows, and what is below the last of them that names an account. */
function splitFooter(
  rows: Table['rows'],
  columns: Columns,
): {rows: Table['rows']; below: readonly SheetRow[]} {
  const namesAccount = (row: SheetRow | FaultyRecord): boolean => {
    if ('fault' in row) return true
    const accounts = (['fromAccountId', 'toAccountId'] as const).map(field => cellIn(row, columns, field))
    // `Summe` under one of the columns is no account. What can't be read may be one.
    return (
      accounts.some(cell => typeof cell === 'object' || /\d/.test(String(cell))) ||
      accounts.every(cell => cellText(cell) !== '')
    )
  }
  const last = rows.findLastIndex(namesAccount)
  const below = rows.slice(last + 1).filter((row): row is SheetRow => !('fault' in row))
  return {rows: rows.slice(0, last + 1), below}
}

/** @throws Failure INPUT_INVALID for a sum that the rows don't come to, and for what may be a row. */
function footerNotes(
  below: readonly SheetRow[],
  rows: readonly Row[],
  amounts: ReadonlyMap<number, ReadNumber>,
  columns: Columns,
  {source, signs}: Pick<SheetSource, 'source'> & {readonly signs: DecimalSigns},
): readonly string[] {
  return below.flatMap(row => {
    const cell = cellIn(row, columns, 'amount')
    const written = cellText(cell)
    if (cellFault(cell, 'number') !== undefined) {
      throw new Failure('INPUT_INVALID', {
        message: `${source}: line ${row.line} below the rows has an amount that cannot be read, so it cannot be checked as their sum.`,
        hint: 'Open the file in a spreadsheet and save it, or remove the line.',
        effect: 'none',
      })
    }
    if (written === '')
      return [`Line ${row.line} below the rows is left out: it names no account and no amount.`]
    const sum = rows.reduce(
      (total, {row: number}) => total + Number(numberOf(amounts.get(number)) ?? Number.NaN),
      0,
    )
    const [read] =
      typeof cell === 'number'
        ? [{number: String(cell)}]
        : readColumn(
            [...rows.map(({values}) => String(values.amount)), splitAmount(written).number].map(text => ({
              text,
              decimals: undefined,
            })),
            signs,
          ).slice(-1)
    const total = Number(numberOf(read as ReadNumber))
    const filled = row.fields.filter(each => cellText(each) !== '')
    const isSum = filled.length === 1 || filled.some(each => SUM_LABEL.test(cellText(each)))
    const currencies = new Set(rows.map(({values}) => currencyIn(values.currency)))
    if (isSum && !Number.isNaN(sum) && currencies.size > 1) {
      throw new Failure('INPUT_INVALID', {
        message: `${source}: line ${row.line} has a sum of amounts in several currencies.`,
        hint: 'If it is a transfer, write its accounts. If it is a sum, remove the line.',
        effect: 'none',
      })
    }
    if (Number.isNaN(sum) || (isSum && Math.abs(total - sum) < 0.0005)) {
      return Number.isNaN(sum) ? [] : [`Line ${row.line} is left out: it is the sum of the rows.`]
    }
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${row.line} has an amount and no account, and is not the sum of the rows.`,
      hint: 'If it is a transfer, write its accounts. If it is a sum, a row may be missing or wrong; remove the line once that is clear.',
      effect: 'none',
    })
  })
}

const numberOf = (read: ReadNumber): string | undefined =>
  read !== undefined && 'number' in read ? read.number : undefined

/** @throws Failure INPUT_INVALID if a row above the header may be a transfer */
function aboveNotes({above, line}: Table, columns: Columns, source: string): readonly string[] {
  const mayBeRows = above.filter(row => {
    const [from, to, amount] = (['fromAccountId', 'toAccountId', 'amount'] as const).map(field =>
      cellText(cellIn(row, columns, field)),
    )
    const ids = [from, to].filter(id => /^\d+$/.test(id ?? '')).length
    return ids === 2 || (ids === 1 && /\d/.test(amount ?? ''))
  })
  if (mayBeRows.length > 0) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} names its columns on line ${line}, and what is above them may be rows: ${linesOf(mayBeRows)}.`,
      hint: 'Move the line with the headings to the top, or remove what is above it.',
      effect: 'none',
    })
  }
  if (above.length === 0) return []
  return [`Above the header, ${linesOf(above)} ${above.length === 1 ? 'is' : 'are'} left out.`]
}

const unusedNote = (columns: readonly Column[]): readonly string[] =>
  columns.length === 0 ? [] : [`Columns that are not used: ${titlesOf(columns)}.`]

function valuesOf(row: SheetRow, columns: Columns, fill: ReadonlyMap<string, string>): Row['values'] {
  const values: Record<string, Cell> = {}
  for (const field of TRANSFER_FIELDS) {
    const cell = cellIn(row, columns, field)
    const isEmpty = cellText(cell) === ''
    const value = isEmpty ? fill.get(FIELD_NAMES[field]) : cell
    if (value === undefined) continue
    values[field] = field === 'text' || field === 'currency' ? String(value) : value
  }
  return values
}

/** The amount without the currency beside it, which has to be the row's. */
function withCurrency(row: Row, units: readonly string[], problems: RowProblem[]): Row {
  const {amount, currency} = row.values
  const {number, word} = typeof amount === 'string' ? splitAmount(amount.trim()) : {number: amount, word: ''}
  const own = typeof currency === 'string' ? currency : ''
  const report = (message: string) =>
    void problems.push({row: row.row, line: row.line, column: 'currency', message})
  let chosen = own
  for (const sign of [word, ...units]) {
    const codes = currenciesOf(sign)
    if (codes.length === 0) continue
    const known = currencyIn(chosen)
    if (known !== undefined && !codes.includes(known))
      report(`is ${known}, but ${codes.join(' or ')} is beside the amount`)
    const [only, another] = codes
    if (chosen !== '') continue
    if (only !== undefined && another === undefined) chosen = only
    else report(`may be ${codes.join(', ')}; add --fill currency=CODE`)
  }
  return {...row, values: {...row.values, amount: number, ...(chosen === '' ? {} : {currency: chosen})}}
}

function currencyIn(text: unknown): string | undefined {
  try {
    return typeof text === 'string' && text !== '' ? readCurrency(text) : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}
