import {Failure} from '../../errors/failure.ts'
import {type CellMark, type CellMarks, placeKey} from './cell-marks.ts'
import type {Cell} from './doubtful-cell.ts'
import {DoubtfulCell} from './doubtful-cell.ts'
import type {NumberMark} from './number-format.ts'
import type {Sheet, SheetRow} from './sheet.ts'
import {readSheetParts, tooLarge, unknownSheet, unreadable} from './sheet-parts.ts'

/** Whether the bytes begin as a ZIP file does: an XLSX workbook is one. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/**
 * The sheets of an XLSX workbook (ECMA-376), in order. Numbers are as they are stored, in the 15 digits that
 * spreadsheets keep; a formula has the value that was saved with it. What may not be what somebody wrote is doubtful.
 *
 * @throws Failure INPUT_INVALID
 */
export async function readWorkbook(bytes: Uint8Array, source: string): Promise<readonly Sheet[]> {
  try {
    const parts = await readSheetParts(bytes, source)
    const {default: readXlsx} = await import('read-excel-file/universal')
    const whole = new Uint8Array(parts.bytes).buffer
    const sheets = await readXlsx(whole, {trim: false, parseNumber: text => new StoredNumber(text)})
    return sheets.map(({sheet, data}) => {
      const {rows, columns, isHidden, marks, looks} = parts.sheets.get(sheet) ?? unknownSheet(source)
      return {
        name: sheet,
        isHidden,
        hiddenLines: rows,
        hiddenColumns: columns,
        records: recordsOf(data, marks),
        looks,
      }
    })
  } catch (error) {
    if (error instanceof Failure) throw error
    // Its reader calls itself for each piece of a sheet.
    if (causes(error).some(one => one instanceof RangeError))
      throw tooLarge(source, 'more rows than can be read at once', error)
    throw unreadable(source, error)
  }
}

function causes(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}

/** A number as the file has it. */
class StoredNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Digits that a spreadsheet keeps of a number; a computed 55.1 is stored as 55.100000000000001. */
const KEPT_DIGITS = 15

/** Larger whole numbers have lost digits already, whatever is stored. */
const LEAST_LOST = 10 ** KEPT_DIGITS

/** The rows, also those of which the reader sees nothing: formulas without values are no empty cells. */
function recordsOf(data: readonly (readonly unknown[])[], marks: CellMarks): readonly SheetRow[] {
  const count = Math.max(data.length, marks.lines)
  return Array.from({length: count}, (_, at) => {
    const line = at + 1
    const cells = data[at] ?? []
    const width = Math.max(cells.length, marks.widths.get(line) ?? 0)
    const fields = Array.from({length: width}, (_, place) =>
      cellOf(cells[place], marks.cells.get(placeKey(line, place))),
    )
    return {line, fields}
  })
}

function cellOf(value: unknown, mark: CellMark | undefined): Cell {
  if (mark === 'formula') return new DoubtfulCell('formula', '')
  if (mark === 'error') return new DoubtfulCell('error', String(value ?? ''))
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return new DoubtfulCell('boolean', String(value))
  if (value instanceof Date) return new DoubtfulCell('date', dateText(value))
  if (value instanceof StoredNumber) return numberCell(value.text, mark)
  return String(value)
}

function numberCell(text: string, mark: NumberMark | undefined): Cell {
  const stored = Number(text)
  if (!Number.isFinite(stored)) return new DoubtfulCell('error', text)
  if (Math.abs(stored) >= LEAST_LOST) return new DoubtfulCell('digits', text)
  const number = Number(stored.toPrecision(KEPT_DIGITS))
  if (typeof mark === 'object')
    return new DoubtfulCell('unit' in mark ? 'unit' : 'shown', String(number), number, mark)
  if (mark !== undefined) return new DoubtfulCell(mark, String(number), number)
  return number === stored ? number : new DoubtfulCell('digits', String(number), number)
}

/** An ISO date, with the time if the cell has one. */
function dateText(date: Date): string {
  const [day, time] = date.toISOString().split(/[T.]/)
  return time === '00:00:00' ? `${day}` : `${day} ${time}`
}
