import type {DecimalReading} from '../../../cli/ask-decimal.ts'
import {
  chooseSheet,
  emptyFile,
  noteFarRows,
  noteHeadings,
  noteHiddenColumns,
  noteHiddenRows,
  withoutHidden,
} from '../../../cli/sheet/choose-sheet.ts'
import {quotedLines} from '../../../cli/sheet/column-words.ts'
import {withoutMarked} from '../../../cli/sheet/marked-rows.ts'
import {headingsOf, refuseOtherHeadings, type UsedMapping} from '../../../cli/sheet/named-mapping.ts'
import {refuseUnit, refuseUnitLines, refuseUnitNames} from '../../../cli/sheet/other-unit.ts'
import {seekHeadings} from '../../../cli/sheet/seek-headings.ts'
import {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {refuseStruck} from '../../../cli/sheet/struck-rows.ts'
import {Failure} from '../../../errors/failure.ts'
import {decimalText} from '../../../money/amount.ts'
import type {Decimal, DecimalSigns} from '../../../money/decimal-sign.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import {columnLabel, type ProblemSink, type Row, shownValue} from '../../../rows/problems.ts'
import {cutNumbers} from '../../../rows/sheet/cut-numbers.ts'
import {type Cell, type CellUse, cellFault, heldNumber, plainCell} from '../../../rows/sheet/doubtful-cell.ts'
import {findTable, headingsIn, type Table} from '../../../rows/sheet/find-table.ts'
import {readSheets} from '../../../rows/sheet/read-sheets.ts'
import {rowFault} from '../../../rows/sheet/row-faults.ts'
import {cellText, linesOf, type Sheet, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {type Numbers, refuseAbove, withoutSums, withoutUnits} from './around-rows.ts'
import type {RowFields} from './row-fields.ts'
import type {ColumnMap} from './row-input.ts'
import {type NamedColumn, nameColumns} from './sheet-columns.ts'
import {decimalReadings, NumberColumn} from './sheet-numbers.ts'
import {withoutTypes} from './type-column.ts'

/** What is said of a file of rows, and who may be asked about it. */
export interface RowSheetSource extends SheetSource {
  /** `--map`. */
  readonly columns: ColumnMap
  readonly signs: DecimalSigns
  readonly fields: RowFields
  /** Id of the operation of the job. */
  readonly operation: string
  /** Whether a parameter or field takes numbers. */
  takesNumber(field: string): boolean
  /** What a parameter or field makes of a cell. */
  useOf(field: string): CellUse
  /** Asks a person how decimals are written. */
  readonly chooseDecimal?: ((readings: readonly DecimalReading[]) => Promise<Decimal>) | undefined
}

/** The rows of a spreadsheet, and what was left out of it. */
export interface RowSheet {
  readonly map: ColumnMap
  /** What was read as what, to be kept by name. */
  readonly used: UsedMapping
  readonly notes: readonly string[]
  /** What is wrong with the sheet beside its rows. */
  readonly faults: SheetFaults
  /** Whether it isn't known of each column what it is, so that the rows are no whole requests. */
  readonly isOpen: boolean
  /** The rows with plain numbers. What is wrong with one goes to the sink. */
  rows(problems: ProblemSink): Generator<Row>
}

/**
 * Finds the rows in a spreadsheet of somebody else: its header, which parameter or field each column is, and how its
 * numbers are written.
 *
 * @throws Failure INPUT_INVALID, USAGE for what can't be known, with what was found and the flag that says it.
 */
export async function readRowSheet(bytes: Uint8Array, given: RowSheetSource): Promise<RowSheet> {
  const {fields, source} = given
  const read = fields.heading
  const fitness = (row: SheetRow) => headingsIn(row, read)
  const sheets = await readSheets(bytes, {...given, fitness})
  const tableIn = (one: Sheet) => findTable(one, read, () => true)
  const fits = (one: Sheet): boolean => (tableIn(one)?.found.size ?? 0) > 0
  const {sheet, notes, chosen} = await chooseSheet(
    sheets,
    given,
    {isTable: fits, tableIn, numbers: 2},
    'Which sheet has the rows?',
  )
  const found = tableIn(sheet) ?? soleColumn(sheet)
  if (found === undefined) throw emptyFile(source)
  const table = await seekHeadings(sheet, found, read, fields.needed[0] ?? 'FIELD', given)
  refuseOtherHeadings(table, given.kept, source)
  const faults = new SheetFaults({source, isAsked: given.prompter !== undefined})
  const typed = withoutTypes(table, given, faults)
  const {columns, map, isOpen, notes: unused} = await nameColumns(typed.table, fields, given, faults)
  const counted = columns.filter(({field}) => given.takesNumber(field))
  for (const {title, place, field} of counted)
    faults.try(
      () => refuseUnit({title, place, rows: table.rows}, {field, source, line: table.line}),
      undefined,
    )
  const hidden = faults.try(() => noteHiddenColumns(sheet, table, columns, given), [])
  faults.try(() => refuseAbove(table, columns, fields, source), undefined)
  if (counted.length > 0) {
    faults.try(() => refuseUnitNames(source, sheet.name), undefined)
    faults.try(() => refuseUnitLines(table.above, source), undefined)
  }
  const {rows: all} = typed.table
  const visible = await faults.tried(
    () => withoutHidden(all, sheet, given),
    () => all,
  )
  const units = faults.try(() => withoutUnits(visible, counted, source), {rows: visible, notes: []})
  const numbers = await numbersOf(columns, units.rows, given)
  const sent = new Set(columns.map(({place}) => place))
  const unsent = new Set(table.columns.flatMap(({place}) => (sent.has(place) ? [] : [place])))
  const remarks = typed.table.columns.filter(({place}) => unsent.has(place))
  const withMarks = (said: RowSheetSource) =>
    withoutMarked(units.rows, {columns: remarks, text: undefined, areUnsent: true}, said)
  const marked = await faults.tried(
    () => withMarks(given),
    () => withMarks({...given, 'marked-rows': 'send'}),
  )
  const leftOut = [...typed.leftOut, ...units.rows.filter(row => !marked.rows.includes(row))]
  const {body, notes: skipped} = withoutSums(marked.rows, columns, numbers, {...given, leftOut, faults})
  faults.try(() => refuseStruck(body, sheet, place => unsent.has(place), source), undefined)
  const cut = new Map(cutIn(body, columns, sheet, given).map(one => [one.line, one]))
  const {above} = table
  const title = `Above the header, ${linesOf(above)} ${above.length === 1 ? 'is' : 'are'} left out.${quotedLines(above)}`
  return {
    map,
    faults,
    isOpen,
    used: {
      map: Object.entries(map).map(([column, target]) => `${column}=${target}`),
      fill: [],
      ...(chosen === undefined ? {} : {sheet: chosen}),
      headings: headingsOf(table),
    },
    notes: [
      ...notes,
      ...hidden,
      ...noteHiddenRows(all, visible),
      ...(above.length > 0 ? [title] : []),
      ...noteHeadings(table),
      ...typed.notes,
      ...unused,
      ...noteFarRows(body, table.line),
      ...units.notes,
      ...marked.notes,
      ...skipped,
    ],
    *rows(problems) {
      for (const [at, record] of body.entries()) {
        const row = at + 1
        const cutHere = cut.get(record.line)
        const fault = rowFault(record, row, table, sheet) ?? (cutHere && {row, ...cutHere})
        if (fault !== undefined) problems.add(fault)
        else if ('fields' in record) {
          const {line} = record
          const values = valuesOf(record, columns, numbers, {row, line, problems, useOf: given.useOf})
          if (values !== undefined) yield {row, line, values}
        }
      }
    },
  }
}

/**
 * Numbers that a comma may have cut, where the rest would be a text beside them, or in a column that isn't sent. What the
 * user names by `--map` is what they say it is.
 */
const cutIn = (
  rows: Table['rows'],
  columns: readonly NamedColumn[],
  sheet: Sheet,
  {takesNumber, useOf, fields, columns: said}: RowSheetSource,
): readonly Pick<RowProblem, 'line' | 'column' | 'message'>[] =>
  columns.flatMap(({field, name, place}) => {
    const beside = columns.find(one => one.place === place + 1)
    const mayBeRest =
      beside === undefined ||
      (!Object.hasOwn(said, beside.name) &&
        ['text', 'any'].includes(useOf(beside.field)) &&
        !fields.ids.includes(beside.field))
    if (!takesNumber(field) || !mayBeRest) return []
    return cutNumbers(rows, place, sheet).map(one => ({...one, column: columnLabel(name, place + 1)}))
  })

/** A sheet of one column, whose title isn't known. */
function soleColumn({records}: Sheet): Table | undefined {
  const [first, ...rows] = records
  if (first === undefined || 'fault' in first) return undefined
  const columns = [{place: 0, title: cellText(first.fields[0])}]
  const nothing = {headings: [first], repeated: [], found: new Map(), doubtful: new Map(), above: []}
  return {line: first.line, columns, width: 1, ...nothing, rows}
}

/** The columns of numbers, each read as a whole. A person says how decimals are written if they don't show it. */
async function numbersOf(
  columns: readonly NamedColumn[],
  rows: Table['rows'],
  {signs, chooseDecimal, takesNumber}: RowSheetSource,
): Promise<Numbers> {
  const textsOf = ({place}: NamedColumn): readonly string[] =>
    rows.flatMap(row => {
      const cell = 'fault' in row ? undefined : row.fields[place]
      // A number that a workbook stores has one reading.
      return typeof cell === 'string' && cell.trim() !== '' ? [cell.trim()] : []
    })
  const texts = columns
    .filter(({field}) => takesNumber(field))
    .map(column => [column.place, textsOf(column)] as const)
  const readWith = (chosen: DecimalSigns): Numbers =>
    new Map(texts.map(([place, cells]) => [place, new NumberColumn(cells, chosen)]))
  if (signs.decimal !== undefined || chooseDecimal === undefined) return readWith(signs)
  const readings = decimalReadings(
    texts.map(([, cells]) => cells),
    signs,
  )
  return readWith(readings.length === 0 ? signs : {decimal: await chooseDecimal(readings)})
}

function valuesOf(
  {fields}: SheetRow,
  columns: readonly NamedColumn[],
  numbers: Numbers,
  {
    row,
    line,
    problems,
    useOf,
  }: {readonly row: number; readonly line: number; readonly problems: ProblemSink} & Pick<
    RowSheetSource,
    'useOf'
  >,
): Row['values'] | undefined {
  let isGood = true
  const textOf = ({place, name, field}: NamedColumn): string => {
    const stored: Cell = fields[place] ?? ''
    const fault = cellFault(stored, useOf(field))
    if (fault !== undefined) {
      isGood = false
      const held = useOf(field) === 'number' ? heldNumber(stored) : {}
      problems.add({row, line, column: columnLabel(name, place + 1), message: fault, ...held})
      return ''
    }
    const cell = plainCell(stored, useOf(field))
    if (typeof cell === 'number') return decimalText(cell)
    const column = numbers.get(place)
    if (column === undefined || cell.trim() === '') return cell
    try {
      return column.plain(cell.trim())
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const {kind} = error.details.data ?? {}
      isGood = false
      problems.add({
        row,
        line,
        column: columnLabel(name, place + 1),
        message: error.message,
        value: shownValue(cell),
        ...(typeof kind === 'string' && {kind}),
      })
      return ''
    }
  }
  const values = Object.fromEntries(columns.map(column => [column.name, textOf(column)]))
  return isGood ? values : undefined
}
