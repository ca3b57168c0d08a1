import {quotedCells, titleOf} from '../../../cli/sheet/column-words.ts'
import {remarkHeading} from '../../../cli/sheet/noted-columns.ts'
import {isPlainNote} from '../../../cli/sheet/plain-notes.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {cellText, type SheetRow} from '../../../rows/sheet/sheet.ts'
import type {RowFields} from './row-fields.ts'

/** Fields that remarks of somebody may be meant for. */
const FOR_REMARKS =
  /note|comment|remark|descri|text|message|info|memo|detail|purpose|narrat|explan|motiv|reason|cause|label|subject/i
const FOR_REASONS = /reason|cause/i
/** What they are reasons of. */
const STATE = /status|state/i

/**
 * Whether a column has reasons or remarks that nothing of the request can mean, and which give no number that may be
 * meant for the others: a reason for a status means nothing to rows that set none.
 *
 * @param taken the parameters and fields that columns fill
 */
export function isUnusedRemark(
  column: Column,
  table: Table,
  {names, given, isOpen}: RowFields,
  taken: ReadonlySet<string>,
): boolean {
  if (isOpen || remarkHeading(column) === undefined) return false
  const setsState =
    [...taken, ...given].some(name => STATE.test(name)) || !names.some(name => STATE.test(name))
  const canMean = (name: string): boolean =>
    !taken.has(name) && !given.has(name) && FOR_REMARKS.test(name) && (setsState || !FOR_REASONS.test(name))
  if (names.some(canMean)) return false
  return rowsOf(table).every(row => {
    const cell = cellText(row.fields[column.place])
    return !/\d/.test(cell) || isPlainNote(cell)
  })
}

/** What is said of such a column, with what is in it. */
export const unusedNote = (column: Column, table: Table): string => {
  const filled = rowsOf(table).filter(row => cellText(row.fields[column.place]) !== '')
  return `The column ${titleOf(column)} is not sent: it has remarks on the rows.${quotedCells(column, filled)}`
}

const rowsOf = ({rows}: Table): readonly SheetRow[] => rows.filter(row => 'fields' in row)
