import {Failure} from '../../errors/failure.ts'
import {escapeText} from '../../output/styled.ts'
import {looksLikeRow, type ReadHeading, type Table, withoutHeadings} from '../../rows/sheet/find-table.ts'
import {cellText, type Sheet} from '../../rows/sheet/sheet.ts'
import {maskWithin} from '../../sensitive/mask-text.ts'
import {columnTitled} from './column-words.ts'
import type {SheetSource} from './sheet-source.ts'

/** What a column without a heading is called in flags. */
const BY_PLACE = /^\s*column \d+\s*$/i

/**
 * The table as it is, or with its header as the first row, if a line that looks like one is none: as `--map` shows by the
 * names that it uses, or as a person says.
 *
 * @param field that a column has to have, for the hint
 * @throws Failure INPUT_INVALID if nobody says it
 */
export async function seekHeadings(
  sheet: Sheet,
  table: Table,
  read: ReadHeading,
  field: string,
  {source, map = [], prompter}: SheetSource,
): Promise<Table> {
  const [header, ...others] = table.headings
  if (header === undefined || others.length > 0 || !looksLikeRow(header, read)) return table
  const titles = map.map(pair => pair.slice(0, pair.lastIndexOf('=')))
  if (titles.some(title => !BY_PLACE.test(title) && columnTitled(table, title.trim()) !== undefined))
    return table
  if (titles.some(title => BY_PLACE.test(title))) return withoutHeadings(sheet, table)
  const {line} = table
  if (prompter === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${line} should name the columns, but looks like a row.`,
      hint: `Write a name above each column, or say what each is by its place, for example --map "column 1=${field}".`,
      effect: 'none',
    })
  }
  const cells = header.fields.map(cellText).filter(text => text !== '')
  const chosen = await prompter.choose(`Line ${line} looks like a row: does the file have headings?`, [
    {value: 'no', name: `No, line ${line} is a row: ${escapeText(maskWithin(cells.join('; '), 60))}`},
    {value: 'yes', name: `Yes, line ${line} names the columns`},
  ])
  return chosen === 'no' ? withoutHeadings(sheet, table) : table
}
