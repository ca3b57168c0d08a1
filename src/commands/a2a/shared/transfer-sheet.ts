import {
  chooseSheet,
  emptyFile,
  noteFarRows,
  noteHeadings,
  noteHiddenColumns,
  noteHiddenRows,
  withoutHidden,
} from '../../../cli/sheet/choose-sheet.ts'
import {columnTitled, plainTitle, titlesOf} from '../../../cli/sheet/column-words.ts'
import {markedNotes, withoutMarked} from '../../../cli/sheet/marked-rows.ts'
import {headingsOf, refuseOtherHeadings, type UsedMapping} from '../../../cli/sheet/named-mapping.ts'
import {refuseUnitCell, refuseUnitNames} from '../../../cli/sheet/other-unit.ts'
import {seekHeadings} from '../../../cli/sheet/seek-headings.ts'
import {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import {refuseStruck} from '../../../cli/sheet/struck-rows.ts'
import {type ReadNumber, readColumn} from '../../../money/column-numbers.ts'
import type {DecimalSigns} from '../../../money/decimal-sign.ts'
import {findExponent} from '../../../money/exponents.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import type {Row} from '../../../rows/problems.ts'
import {placeKey} from '../../../rows/sheet/cell-marks.ts'
import {type Cell, cellFault, DoubtfulCell, heldNumber} from '../../../rows/sheet/doubtful-cell.ts'
import {type Column, headingsIn, type Table} from '../../../rows/sheet/find-table.ts'
import {readSheets} from '../../../rows/sheet/read-sheets.ts'
import {rowFault} from '../../../rows/sheet/row-faults.ts'
import {cellText, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {aboveNotes, refuseOtherCurrency} from './above-header.ts'
import {cutAmounts} from './cut-amounts.ts'
import {numbersOf, refuseEarly, refuseEarlyIn} from './early-faults.ts'
import {type Columns, cellIn, valuesOf} from './field-cells.ts'
import {refuseMisspelt, refuseMoreText} from './lost-texts.ts'
import {REPLACES, readReplaces} from './replaced-rows.ts'
import {askCurrency, currencyIn, withCurrency} from './row-currency.ts'
import {isTitle, refuseTitles, splitRows} from './row-kinds.ts'
import {placesOf, type TransferSource} from './sheet-columns.ts'
import {pastNotes, refuseLines, refuseNotes, refuseRemarks} from './sheet-marks.ts'
import {refuseSumRows, sumNotes} from './sheet-sums.ts'
import {FIELD_NAMES, readTransferHeading, useOf} from './transfer-headings.ts'
import {noHeader, refuseFixedWidth, SOUGHT, transferTable} from './transfer-table.ts'

export interface TransferSheet {
  /** What was read as what, to be kept by name. */
  readonly used: UsedMapping
  readonly rows: readonly Row[]
  readonly problems: readonly RowProblem[]
  /** Fields that the file lacks, of which no row says more. */
  readonly lacking: readonly string[]
  /** What else is wrong with the file. */
  readonly faults: SheetFaults
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
export async function readTransferSheet(bytes: Uint8Array, given: TransferSource): Promise<TransferSheet> {
  const fitness = (row: SheetRow) => headingsIn(row, readTransferHeading)
  const sheets = await readSheets(bytes, {...given, fitness})
  const question = 'Which sheet has the transfers?'
  const {sheet, notes, chosen} = await chooseSheet(sheets, given, SOUGHT, question)
  refuseFixedWidth(sheet, given.source)
  const found = transferTable(sheet)
  if (found === undefined) {
    if (sheet.records.length === 0) throw emptyFile(given.source)
    throw noHeader(given.source)
  }
  const table = await seekHeadings(sheet, found, readTransferHeading, 'from', given)
  refuseUnitNames(given.source, sheet.name)
  refuseOtherHeadings(table, given.kept, given.source)
  const {source} = given
  const faults = new SheetFaults({source, isAsked: given.prompter !== undefined})
  const {
    columns,
    fill,
    ignored,
    keptOut,
    open: lacking,
  } = await placesOf(table, given, places => refuseEarlyIn(sheet, table, places, given), faults)
  const replaces = replacesColumn(table)
  const unused = table.columns.filter(
    ({place, title}) =>
      ![...columns.values()].some(column => column.place === place) &&
      plainTitle(title) !== 'reason' &&
      place !== replaces,
  )
  const left = unused.filter(({place}) => !ignored.has(place))
  faults.try(
    () => (columns.has('text') ? refuseMoreText(table, left, source) : refuseMisspelt(left, source)),
    undefined,
  )
  const hidden = faults.try(() => noteHiddenColumns(sheet, table, [...columns.values()], given), [])
  const visible = await faults.tried(
    () => withoutHidden(table.rows, sheet, given),
    () => table.rows,
  )
  const amountPlace = columns.get('amount')?.place
  const isComputed = ({line}: SheetRow): boolean =>
    sheet.looks?.sums.has(placeKey(line, amountPlace ?? -1)) ?? false
  const {rows: split, others} = splitRows(visible, columns, isComputed)
  const words = split.filter((row): row is SheetRow => 'fields' in row && !row.fields.some(hasDigit))
  faults.try(() => refuseLines([...table.above, ...others, ...words], source), undefined)
  faults.try(() => refuseTitles(others, {rows: split}, source), undefined)
  for (const row of words) refuseUnitCell(row, columns.get('amount')?.place ?? -1, source)
  // What a mapping keeps was said of another file, whose rows had other states.
  const isSaid = (place: number): boolean => ignored.has(place) && !keptOut.has(place)
  faults.try(() => refuseStruck(split, sheet, isSaid, source), undefined)
  const textColumn = columns.get('text')
  // Who says what to do with marked rows means those of columns that aren't sent, too.
  const marking = given['marked-rows'] === undefined ? unused.filter(({place}) => !isSaid(place)) : unused
  const passed = markedNotes(
    unused.filter(column => !marking.includes(column)),
    split,
  )
  const withMarks = (said: TransferSource) => withoutMarked(split, {columns: marking, text: textColumn}, said)
  const marked = await faults.tried(
    () => withMarks(given),
    () => withMarks({...given, 'marked-rows': 'send'}),
  )
  const body = marked.rows
  const numberOf = numbersOf(split)
  if (given.prompter !== undefined) refuseEarly(body, {columns, fill}, given, numberOf)
  const open = body.filter(({line}) => !marked.decided.has(line))
  for (const column of unused) {
    const isKept = keptOut.has(column.place)
    if (!isKept && ignored.has(column.place)) continue
    await faults.tried(
      () => refuseNotes([column], open, columns, {...given, isKept, seen: marked.seen}),
      () => undefined,
    )
  }
  if (textColumn !== undefined) {
    // What the user names as the text is one.
    const isNamed = given.map?.some(
      pair => columnTitled(table, pair.slice(0, pair.lastIndexOf('=')))?.place === textColumn.place,
    )
    if (!isNamed)
      await faults.tried(
        () => refuseRemarks(textColumn, body, given),
        () => undefined,
      )
  }
  const problems: RowProblem[] = []
  const rows: Row[] = []
  /** The currencies that formats of a workbook show. */
  const shown = new Map<number, string>()
  const cut = new Map(cutAmounts(body, columns, sheet).map(one => [one.line, one]))
  for (const record of body) {
    const row = numberOf.get(record) ?? 0
    const cutHere = cut.get(record.line)
    const fault = rowFault(record, row, table, sheet) ?? (cutHere && {row, column: 'amount', ...cutHere})
    const faults = fault !== undefined || 'fault' in record ? [fault] : cellFaults(record, row, columns)
    problems.push(...faults.filter(one => one !== undefined))
    if (faults.length > 0 || !('fields' in record)) continue
    const cell = amountPlace === undefined ? undefined : record.fields[amountPlace]
    if (cell instanceof DoubtfulCell) shown.set(row, cell.unit)
    const values = valuesOf(record, columns, fill)
    const replaced = replaces === undefined ? '' : cellText(record.fields[replaces])
    rows.push({row, line: record.line, values: replaced === '' ? values : {...values, [REPLACES]: replaced}})
  }
  const unit = columns.get('amount')?.heading?.unit ?? ''
  const unitsOf = ({row}: Row): readonly string[] => [shown.get(row) ?? '', unit]
  const asked =
    fill.has('currency') || lacking.includes('currency') ? undefined : await askCurrency(rows, unitsOf, given)
  const said = asked ?? currencyIn(fill.get('currency'))
  const settled = rows.map(row => withCurrency(row, unitsOf(row), problems, said))
  const decimals = (row: Row) => findExponent(currencyIn(row.values.currency) ?? '')
  const written = settled.filter(({values}) => typeof values.amount === 'string' && values.amount !== '')
  const cells = written.map(row => ({text: String(row.values.amount), decimals: decimals(row)}))
  // Rows that are not sent may be in a sum below them.
  const known = new Set([...body, ...others])
  const leftOut = table.rows
    .filter((row): row is SheetRow => 'fields' in row && !known.has(row))
    .filter(row => cellFaults(row, 0, columns).length === 0)
    .map((row, at) => ({row: -1 - at, line: row.line, values: valuesOf(row, columns, fill)}))
    .map(row => withCurrency(row, unitsOf(row), [], said))
  const codes = new Set(settled.flatMap(({values}) => currencyIn(values.currency) ?? []))
  const titles = others.filter(row => isTitle(row, columns))
  faults.try(() => refuseOtherCurrency([...table.above, ...titles], codes, source), undefined)
  const above = faults.try(() => aboveNotes(table, columns, source), [])
  const far = noteFarRows(body, table.line)
  return {
    used: {
      map: [
        ...[...columns].map(([field, {title}]) => `${title}=${FIELD_NAMES[field]}`),
        ...table.columns.flatMap(({place, title}) => (ignored.has(place) ? [`${title}=none`] : [])),
      ],
      fill: [...fill, ...(asked === undefined ? [] : [['currency', asked]])].map(pair => pair.join('=')),
      ...(chosen === undefined ? {} : {sheet: chosen}),
      headings: headingsOf(table),
    },
    rows: settled,
    problems,
    lacking,
    faults,
    settle(signs) {
      const numbers = readColumn(cells, signs)
      const amounts = new Map(written.map((row, at) => [row.row, numbers[at]]))
      const lost = leftOut.map(({values}) => ({text: String(values.amount), decimals: undefined}))
      const readLost = readColumn([...cells, ...lost], signs).slice(cells.length)
      for (const [at, {row}] of leftOut.entries()) amounts.set(row, readLost[at])
      for (const row of [...settled, ...leftOut]) {
        const {amount} = row.values
        if (typeof amount === 'number')
          amounts.set(row.row, {number: String(Math.abs(amount)), isNegative: amount < 0})
      }
      // Without the rows that can't be read, or that may be two numbers, a sum says nothing.
      const isRead = settled.every(({row}) => !('readings' in (amounts.get(row) ?? {})))
      const isWhole = rows.length === body.length && isRead
      const readRows = {rows: settled, leftOut, records: body, amounts, columns}
      const read = {...readRows, signs, source, isComputed}
      if (isWhole) faults.try(() => refuseSumRows(read), undefined)
      const skipped = isWhole ? faults.try(() => sumNotes(others, read), []) : []
      return {
        amounts,
        notes: [
          ...notes,
          ...hidden,
          ...noteHiddenRows(table.rows, visible),
          ...marked.notes,
          ...passed,
          ...above,
          ...noteHeadings(table),
          ...far,
          ...skipped,
          ...pastNotes(left, body, given.today),
          ...unusedNote(left),
        ],
      }
    },
  }
}

/** The place of the column in which a file of failed transfers names them. */
function replacesColumn({columns, rows}: Table): number | undefined {
  const place = columns.find(({title}) => plainTitle(title) === REPLACES)?.place
  if (place === undefined) return undefined
  const cells = rows.flatMap(row => ('fields' in row ? cellText(row.fields[place]) : []))
  return cells.every(cell => cell === '' || readReplaces(cell) !== undefined) ? place : undefined
}

const hasDigit = (cell: Cell): boolean => /\d/.test(String(cell))

/** What is wrong with single cells of a row. */
const cellFaults = (row: SheetRow, number: number, columns: Columns): readonly RowProblem[] =>
  [...columns.keys()].flatMap(field => {
    const message = cellFault(cellIn(row, columns, field), useOf(field))
    const held = field === 'amount' ? heldNumber(row.fields[columns.get(field)?.place ?? -1]) : {}
    return message === undefined ? [] : [{row: number, line: row.line, column: field, message, ...held}]
  })

const unusedNote = (columns: readonly Column[]): readonly string[] =>
  columns.length === 0 ? [] : [`Columns that are not used: ${titlesOf(columns)}.`]
