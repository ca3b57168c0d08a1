import type {Row} from '../../../rows/problems.ts'
import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'
import {cellFault, plainCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import {cellText, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {
  FIELD_NAMES,
  readTransferHeading,
  TRANSFER_FIELDS,
  type TransferField,
  useOf,
} from './transfer-headings.ts'

/** A column of a field: what its heading says, and whether the user named it. */
export type FieldColumn = Column & {readonly heading?: {readonly unit?: string}; readonly isSaid?: boolean}

/** A column that flags or a person named may have its currency in the heading. */
export function saidColumn(column: Column): FieldColumn {
  const heading = readTransferHeading(column.title)
  return {...column, isSaid: true, ...(heading ? {heading} : {})}
}

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

/** What a row says of each field, or what was said for rows that say nothing. */
export function valuesOf(row: SheetRow, columns: Columns, fill: ReadonlyMap<string, string>): Row['values'] {
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
