import type {SoughtRows} from '../../../cli/sheet/choose-sheet.ts'
import {Failure} from '../../../errors/failure.ts'
import {findTable, type Table} from '../../../rows/sheet/find-table.ts'
import {FIRST_LINES} from '../../../rows/sheet/read-sheets.ts'
import {cellText, type Sheet} from '../../../rows/sheet/sheet.ts'
import {readHeadingPair} from './heading-pairs.ts'
import {FIELD_NAMES, fitsHeading, NEEDED, readTransferHeading} from './transfer-headings.ts'

/** The table of transfers in a sheet, if it has one. */
export const transferTable = (sheet: Sheet): Table | undefined =>
  findTable(sheet, readTransferHeading, fitsHeading, readHeadingPair)

function namesTransfers(sheet: Sheet): boolean {
  const table = transferTable(sheet)
  return table !== undefined && table.found.size + table.doubtful.size > 1 && table.rows.length > 0
}

/** Two accounts and an amount. */
export const SOUGHT: SoughtRows = {isTable: namesTransfers, tableIn: transferTable, numbers: 3}

export const noHeader = (source: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} has no line that names columns.`,
    hint: `Write one above the rows: ${NEEDED.map(field => FIELD_NAMES[field]).join(', ')} and, if you like, text.`,
    effect: 'none',
  })

/** @throws Failure INPUT_INVALID for a text whose values stand below each other, with spaces between them */
export function refuseFixedWidth({records, delimiter}: Sheet, source: string): void {
  if (delimiter === undefined) return
  const isHeader = (row: (typeof records)[number]): boolean => {
    if ('fault' in row) return false
    const titles = row.fields
      .map(cellText)
      .join(delimiter)
      .trim()
      .split(/\s{2,}/)
    return titles.length > row.fields.length && titles.filter(readTransferHeading).length > 2
  }
  const header = records.slice(0, FIRST_LINES).find(isHeader)
  if (header === undefined) return
  throw new Failure('INPUT_INVALID', {
    message: `${source} has spaces between its values, as line ${header.line} shows, so it does not say where one ends.`,
    hint: 'Open it in a spreadsheet as text of fixed width, and save it as XLSX or CSV.',
    effect: 'none',
  })
}
