import {withoutHidden} from '../../../cli/sheet/choose-sheet.ts'
import {withoutMarked} from '../../../cli/sheet/marked-rows.ts'
import {Failure} from '../../../errors/failure.ts'
import {readColumn, unreadNumber} from '../../../money/column-numbers.ts'
import {RowProblems} from '../../../rows/problems.ts'
import {placeKey} from '../../../rows/sheet/cell-marks.ts'
import type {Table} from '../../../rows/sheet/find-table.ts'
import type {Sheet, SheetRow} from '../../../rows/sheet/sheet.ts'
import {type Columns, valuesOf} from './field-cells.ts'
import {negativeAmount, toTransfer} from './read-transfers.ts'
import {currencyIn, splitAmount} from './row-currency.ts'
import {splitRows} from './row-kinds.ts'
import type {FieldPlaces, TransferSource} from './sheet-columns.ts'

/** The numbers of rows as who looks at the sheet counts them, from 1. */
export const numbersOf = (rows: Table['rows']): ReadonlyMap<Table['rows'][number], number> =>
  new Map(rows.map((row, at) => [row, at + 1]))

/**
 * Finds what is wrong with rows whatever is answered to the questions that are left: nobody answers those for a file that
 * is refused. Currencies and decimals are still open, so amounts are only looked at for their sign.
 *
 * @param numberOf the numbers of the rows in the sheet, which has more if some are left out
 * @throws Failure INPUT_INVALID, which lists all bad rows by number
 */
export function refuseEarly(
  rows: Table['rows'],
  {columns, fill}: {readonly columns: Columns; readonly fill: ReadonlyMap<string, string>},
  {source, unchecked}: TransferSource,
  numberOf: ReadonlyMap<Table['rows'][number], number> = numbersOf(rows),
): void {
  const problems = new RowProblems({source})
  for (const record of rows) {
    if (!('fields' in record)) continue
    const values = valuesOf(record, columns, fill)
    // What is wrong with a cell itself is said with what it may be.
    if (Object.values(values).some(value => typeof value === 'object')) continue
    const {amount, currency} = values
    const known = {
      ...values,
      currency: currencyIn(currency) ?? 'EUR',
      ...(typeof amount === 'number' && amount > 0 ? {amount: 1} : {}),
    }
    const report = (column: string, message: string, facts: object): void =>
      problems.add({row: numberOf.get(record) ?? 0, line: record.line, column, message, ...facts})
    toTransfer(known, report, signChecked, unchecked)
  }
  problems.throwIfAny()
}

/** As `refuseEarly`, if no question may still leave rows out. */
export async function refuseEarlyIn(
  sheet: Sheet,
  table: Table,
  places: Pick<FieldPlaces, 'columns' | 'fill'>,
  given: TransferSource,
): Promise<void> {
  const {columns} = places
  const taken = new Set([...columns.values()].map(({place}) => place))
  const unused = table.columns.filter(({place}) => !taken.has(place))
  const unasked = {...given, prompter: undefined}
  const amount = columns.get('amount')?.place ?? -1
  const isComputed = ({line}: SheetRow): boolean => sheet.looks?.sums.has(placeKey(line, amount)) ?? false
  let whole: Table['rows'] = []
  try {
    const shown = await withoutHidden(table.rows, sheet, unasked)
    const {rows} = splitRows(shown, columns, isComputed)
    await withoutMarked(rows, {columns: unused, text: columns.get('text')}, unasked)
    whole = rows
  } catch (error) {
    // A person is asked about what is hidden or marked.
    if (!(error instanceof Failure)) throw error
  }
  refuseEarly(whole, places, given)
}

/** Stands for any amount that is not negative. @throws Failure for one that is, or that is no number */
function signChecked(written: string): string {
  const {number: text} = splitAmount(written)
  const read = (['comma', 'point'] as const).map(
    decimal => readColumn([{text, decimals: undefined}], {decimal})[0],
  )
  if (read.every(one => one === undefined)) return unreadNumber(text, {})
  if (read.some(one => one && 'isNegative' in one && one.isNegative)) throw negativeAmount()
  return '1'
}
