import type {RowProblem} from '../problem-groups.ts'
import {columnLabel} from '../problems.ts'
import {type FaultyRecord, fieldsCount} from '../read-csv.ts'
import type {Table} from './find-table.ts'
import {cellText, type Sheet, type SheetRow} from './sheet.ts'

/**
 * What is wrong with a row of a table as a whole. Text with a field too many or too few, such as an amount with a comma
 * between commas, has other columns than it seems; a workbook has none of that.
 */
export function rowFault(
  record: SheetRow | FaultyRecord,
  row: number,
  table: Table,
  {name}: Pick<Sheet, 'name'>,
): RowProblem | undefined {
  const faulty = 'fault' in record ? record : name === undefined ? otherWidth(record, table) : undefined
  if (faulty === undefined) return undefined
  const {line, place, fault} = faulty
  const title = table.columns.find(each => each.place === place)?.title
  const column = place === undefined ? {} : {column: columnLabel(title, place + 1)}
  return {row, line, ...column, message: fault}
}

function otherWidth({line, fields}: SheetRow, {width, headings}: Table): FaultyRecord | undefined {
  const filled = fields.findLastIndex(cell => cellText(cell) !== '') + 1
  const count = filled > width ? filled : fields.length
  const isWhole = filled <= width && fields.length >= width
  return isWhole
    ? undefined
    : {
        line,
        fault: `has ${fieldsCount(count)}, ${headings.length === 0 ? 'another row' : 'the header'} has ${fieldsCount(width)}`,
      }
}
