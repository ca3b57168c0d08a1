import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'
import {cellFault, plainCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import type {SheetRow} from '../../../rows/sheet/sheet.ts'
import {readTransferHeading, type TransferField, useOf} from './transfer-headings.ts'

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
