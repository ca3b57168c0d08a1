import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'
import {cellFault, plainCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {SheetRow} from '../../../rows/sheet/sheet.ts'
import type {FieldColumn} from './sheet-columns.ts'
import {type TransferField, useOf} from './transfer-headings.ts'

export type Columns = ReadonlyMap<TransferField, FieldColumn>

/** How spreadsheets mark a number as text, if the mark is saved with it: `'0012` and `="0012"`. */
const bareNumber = (text: string): string =>
  /^\s*="([^"]*)"\s*$/.exec(text)?.[1] ?? text.replace(/^\s*'(?=[-+−(]?\d)/, '')

/** The cell of a field, as the field takes it if it can. */
export const cellIn = ({fields}: SheetRow, columns: Columns, field: TransferField): Cell => {
  const column = columns.get(field)
  const written = column === undefined ? '' : (fields[column.place] ?? '')
  const cell = typeof written === 'string' && field !== 'text' ? bareNumber(written) : written
  return cellFault(cell, useOf(field)) === undefined ? plainCell(cell, useOf(field)) : cell
}
