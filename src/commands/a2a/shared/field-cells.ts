import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'
import {cellFault, plainCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {SheetRow} from '../../../rows/sheet/sheet.ts'
import type {FieldColumn} from './sheet-columns.ts'
import {type TransferField, useOf} from './transfer-headings.ts'

export type Columns = ReadonlyMap<TransferField, FieldColumn>

/** The cell of a field, as the field takes it if it can. */
export const cellIn = ({fields}: SheetRow, columns: Columns, field: TransferField): Cell => {
  const column = columns.get(field)
  const cell = column === undefined ? '' : (fields[column.place] ?? '')
  return cellFault(cell, useOf(field)) === undefined ? plainCell(cell, useOf(field)) : cell
}
