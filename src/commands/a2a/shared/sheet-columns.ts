import {columnsTitled, titleOf, titlesOf} from '../../../cli/sheet/column-words.ts'
import {refuseUnit, unitIn} from '../../../cli/sheet/other-unit.ts'
import type {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import {parsePairs, type SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {Failure} from '../../../errors/failure.ts'
import {type Cell, DoubtfulCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {cellText} from '../../../rows/sheet/sheet.ts'
import {ledgerSide} from './account-headings.ts'
import {askColumn} from './ask-columns.ts'
import {type FieldColumn, saidColumn} from './field-cells.ts'
import {splitAmount} from './row-currency.ts'
import {FIELD_NAMES, NEEDED, TRANSFER_FIELDS, type TransferField} from './transfer-headings.ts'
import {unknownColumns} from './unknown-columns.ts'

/** What is said of a spreadsheet of transfers. */
export interface TransferSource extends SheetSource {
  /** Any text may be the id of an account. */
  readonly unchecked?: boolean | undefined
}

/** Where the fields of a transfer are. */
export interface FieldPlaces {
  readonly columns: ReadonlyMap<TransferField, FieldColumn>
  /** Values for rows that have none. */
  readonly fill: ReadonlyMap<string, string>
  /** Columns that the user leaves out, by their places. */
  readonly ignored: ReadonlySet<number>
  /** Those of them that only a kept mapping leaves out: nobody has said so of this file. */
  readonly keptOut: ReadonlySet<number>
  /** Fields that no column has, and nothing else says. */
  readonly open: readonly TransferField[]
}

/**
 * The column of each field: as `--map` says, as its heading says, or as a person says.
 *
 * @param faults told of fields that no column has, if the rows can be read without them
 * @param beforeCurrency called when the other needed columns are known, before the currency is asked for. @throws Failure
 */
export async function placesOf(
  table: Table,
  given: TransferSource,
  beforeCurrency: (places: Pick<FieldPlaces, 'columns' | 'fill'>) => Promise<void>,
  faults: SheetFaults,
): Promise<FieldPlaces> {
  const {columns, ignored, keptOut} = columnsSaid(table, given)
  const fill = new Map(parsePairs('--fill', given.fill, Object.values(FIELD_NAMES)))
  const isOpen = (field: TransferField): boolean => {
    if (columns.has(field)) return false
    // Without headings, nothing else says that the rows have a text.
    if (!NEEDED.includes(field)) return table.doubtful.has(field) || table.headings.length === 0
    const isSaid = field === 'currency' && saysCurrency(table, columns.get('amount'))
    return !fill.has(FIELD_NAMES[field]) && !isSaid
  }
  if (isOpen('amount')) refuseOnlyUnits(table, columns, given.source)
  for (const field of TRANSFER_FIELDS) {
    if (given.prompter === undefined || !isOpen(field)) continue
    if (field === 'currency') await beforeCurrency({columns, fill})
    await askColumn(field, table, {columns, fill}, {...given, prompter: given.prompter})
  }
  const open = TRANSFER_FIELDS.filter(
    field => isOpen(field) && (given.prompter === undefined || NEEDED.includes(field)),
  )
  if (open.length > 0) {
    const unknown = unknownColumns(given.source, table, open)
    // Without amounts or any account, nothing tells the rows from what is around them.
    if (open.includes('amount') || (open.includes('fromAccountId') && open.includes('toAccountId')))
      throw unknown
    faults.add(unknown)
  }
  const amount = columns.get('amount')
  if (amount !== undefined) refuseUnit({...amount, rows: table.rows}, amountIn(table, given.source))
  return {columns, fill, ignored, keptOut, open}
}

const amountIn = ({line}: Table, source: string) => ({field: FIELD_NAMES.amount, source, line})

/** @throws Failure INPUT_INVALID if no column can be the amount but one that gives another unit */
function refuseOnlyUnits(
  table: Table,
  columns: ReadonlyMap<TransferField, FieldColumn>,
  source: string,
): void {
  const taken = new Set([...columns.values()].map(({place}) => place))
  const numbers = table.columns.filter(column => {
    const cells = table.rows.flatMap(row => ('fault' in row ? [] : [cellText(row.fields[column.place])]))
    const filled = cells.filter(cell => cell !== '')
    const isAmount = (cell: string): boolean => /^\D{0,5}\d[\d\s.,'’-]*\D{0,5}$/u.test(cell)
    return !taken.has(column.place) && filled.length > 0 && filled.every(isAmount)
  })
  const [first] = numbers
  if (first === undefined || numbers.some(({title}) => unitIn(title) === undefined)) return
  refuseUnit({...first, rows: table.rows}, amountIn(table, source))
}

/** The columns that flags name, and those whose headings are known. */
function columnsSaid(
  table: Table,
  {map, kept, source}: SheetSource,
): {
  columns: Map<TransferField, FieldColumn>
  ignored: ReadonlySet<number>
  keptOut: ReadonlySet<number>
} {
  const columns = new Map<TransferField, FieldColumn>()
  const mapped = new Set<number>()
  const ignored = new Set<number>()
  const keptOut = new Set<number>()
  const keptMap = mapsOf(kept?.map)
  for (const [title, name] of mapsOf(map)) {
    const [column, another] = columnsTitled(table, title)
    if (column === undefined) {
      throw new Failure('USAGE', {
        message: `--map names a column that ${source} does not have. It has ${titlesOf(table.columns)}.`,
        effect: 'none',
      })
    }
    if (another !== undefined) {
      throw new Failure('USAGE', {
        message: `--map names ${titleOf(column)}, which several columns of ${source} are called.`,
        hint: `Say which one by its place, for example --map "column ${column.place + 1}=${name}".`,
        effect: 'none',
      })
    }
    mapped.add(column.place)
    const field = TRANSFER_FIELDS.find(each => FIELD_NAMES[each] === name)
    if (field === undefined) {
      ignored.add(column.place)
      if (keptMap.has(title)) keptOut.add(column.place)
      continue
    }
    if (columns.has(field)) {
      throw new Failure('USAGE', {message: `--map names two columns as ${name}.`, effect: 'none'})
    }
    columns.set(field, saidColumn(column))
  }
  for (const field of TRANSFER_FIELDS) {
    const found = table.found.get(field)
    if (!columns.has(field) && found !== undefined && !mapped.has(found.place)) columns.set(field, found)
  }
  for (const [field, column] of ledgersIn(table))
    if (!columns.has(field) && !mapped.has(column.place)) columns.set(field, saidColumn(column))
  return {columns, ignored, keptOut}
}

/** `Debitor` and `Kreditor`, over ids, where no other column says who pays or who is paid. */
function ledgersIn(table: Table): ReadonlyMap<TransferField, Column> {
  const sides = ['fromAccountId', 'toAccountId'] as const
  if (sides.some(side => table.found.has(side) || table.doubtful.has(side))) return new Map()
  const [[payer, ...payers] = [], [payee, ...payees] = []] = sides.map(side =>
    table.columns.filter(({title}) => ledgerSide(title) === side),
  )
  if (payer === undefined || payee === undefined || payers.length + payees.length > 0) return new Map()
  // A line that sums up has text in one of them.
  const ids = table.rows.flatMap(row => {
    const cells = 'fault' in row ? [] : [payer, payee].map(({place}) => cellText(row.fields[place]))
    return cells.every(cell => cell !== '') ? cells : []
  })
  const areIds = ids.length > 0 && ids.every(cell => /^\d+$/.test(cell))
  return new Map(areIds ? [['fromAccountId', payer] as const, ['toAccountId', payee] as const] : [])
}

const mapsOf = (map: SheetSource['map']): ReadonlyMap<string, string> =>
  parsePairs('--map', map, [...Object.values(FIELD_NAMES), 'none'])

/** Whether each amount that a cell has comes with its currency. */
function saysCurrency(table: Table, column: FieldColumn | undefined): boolean {
  if (column === undefined) return false
  if (column.heading?.unit !== undefined) return true
  const cells = table.rows.flatMap(row => ('fault' in row ? [] : [row.fields[column.place]]))
  const filled = cells.filter(cell => cellText(cell) !== '')
  const isSaid = (cell: Cell | undefined) =>
    cell instanceof DoubtfulCell ? cell.unit !== '' : splitAmount(cellText(cell)).word !== ''
  return filled.length > 0 && filled.every(isSaid)
}
