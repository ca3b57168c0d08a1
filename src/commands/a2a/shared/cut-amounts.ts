import {currenciesOf} from '../../../money/currency-signs.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import {cutNumbers} from '../../../rows/sheet/cut-numbers.ts'
import {cellText, type Sheet, type SheetRow} from '../../../rows/sheet/sheet.ts'
import type {FieldColumn} from './field-cells.ts'
import type {TransferField} from './transfer-headings.ts'

/**
 * Amounts that a comma may have cut, with the rest in the column beside them. An account or a currency there is no rest,
 * unless all that follows could have moved by one column: 1 to account 234, or 1,234 to the account after it.
 */
export function cutAmounts(
  rows: readonly (SheetRow | FaultyRecord)[],
  columns: ReadonlyMap<TransferField, FieldColumn>,
  sheet: Pick<Sheet, 'delimiter'>,
): readonly Pick<RowProblem, 'line' | 'message'>[] {
  const {place} = columns.get('amount') ?? {}
  if (place === undefined) return []
  const fieldAt = new Map([...columns].map(([field, column]) => [column.place, field]))
  const beside = fieldAt.get(place + 1)
  if (beside === undefined || beside === 'text') return cutNumbers(rows, place, sheet)
  const moved = rows.filter(row => 'fields' in row && fitsMoved(row, place, fieldAt))
  return cutNumbers(rows, place, sheet).filter(({line}) => moved.some(row => row.line === line))
}

/** Whether a row is a transfer too if what is in the columns after the amount belongs one column before. */
const fitsMoved = (
  {fields}: SheetRow,
  amount: number,
  fieldAt: ReadonlyMap<number, TransferField>,
): boolean =>
  [...fieldAt].every(([place, field]) => {
    if (place <= amount || field === 'text') return true
    const cell = cellText(fields[place + 1])
    return field === 'currency' ? currenciesOf(cell).length > 0 : /^\d+$/.test(cell)
  })
