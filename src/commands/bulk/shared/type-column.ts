import {titleOf} from '../../../cli/sheet/column-words.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {BY_TYPE} from '../../accounts/shared/account-type.ts'
import type {RowFields} from './row-fields.ts'

/** What spreadsheets call the types of accounts: `Debit`, `Kreditkonto`, `compte à débit`. */
const WORDS: Readonly<Record<keyof typeof BY_TYPE, RegExp>> = {
  credit: /[ck]r[eé]dit/iu,
  debit: /d[eé]b[ei]t/iu,
  prepaid: /pre-?paid|prepago|pr[eé]pay/iu,
  fleet: /fleet/iu,
}
const TYPES = Object.keys(WORDS) as (keyof typeof WORDS)[]

/** Longer texts tell something else of a type. */
const LONGEST = 24

function typeIn(text: string): keyof typeof WORDS | undefined {
  const [type, other] = TYPES.filter(one => WORDS[one].test(text))
  return text.length <= LONGEST && !/\d/.test(text) && other === undefined ? type : undefined
}

interface TypeOptions {
  /** The operation of the job, which takes accounts of one type. */
  readonly operation: string
  readonly fields: RowFields
  readonly source: string
}

/**
 * The table without a column that says of each account which type it has, if one does: the operation of the job says it
 * for all of them.
 *
 * @throws Failure INPUT_INVALID if a row is of another type
 */
export function withoutTypes(
  table: Table,
  {operation, fields, source}: TypeOptions,
): {readonly table: Table; readonly notes: readonly string[]} {
  const own = TYPES.find(type => BY_TYPE[type] === operation)
  const column = own && table.columns.find(one => saysTypes(table, one, fields))
  if (own === undefined || column === undefined) return {table, notes: []}
  const title = titleOf(column)
  const typed = rowsOf(table).flatMap(row => {
    const type = typeIn(cellText(row.fields[column.place]))
    return type === undefined ? [] : [{type, line: row.line}]
  })
  const byType = [...Map.groupBy(typed, ({type}) => type)].map(([type, rows]) => ({
    type,
    lines: linesOf(rows),
  }))
  const others = byType.filter(({type}) => type !== own)
  if (others.length > 0)
    throw new Failure('INPUT_INVALID', {
      message: `${source}: by the column ${title}, not all accounts are ${own}, as this job has them: ${listOf(others)}.`,
      hint:
        byType.length === 1
          ? `Nothing was sent. If all of them are ${others[0]?.type}, pass --type ${others[0]?.type}.`
          : `Nothing was sent. A job has accounts of one type: write those of each into a file of its own, and run each with its --type. ${listOf(byType)}.`,
      effect: 'none',
      data: {types: byType.map(({type}) => type)},
    })
  return {
    table: {...table, columns: table.columns.filter(one => one !== column)},
    notes: [`The column ${title} is not sent: it says ${own}, as --type does.`],
  }
}

const listOf = (types: readonly {readonly type: string; readonly lines: string}[]): string =>
  types.map(({type, lines}) => `${type} in ${lines}`).join('; ')

const rowsOf = ({rows}: Table): readonly SheetRow[] => rows.filter(row => 'fields' in row)

/** A column that no field takes, with nothing but types in it. */
function saysTypes(table: Table, {place, title}: Column, fields: RowFields): boolean {
  if (fields.isKnown(fields.nameOf(title))) return false
  const texts = rowsOf(table).map(row => cellText(row.fields[place]).trim())
  const filled = texts.filter(text => text !== '')
  return filled.length > 0 && filled.every(text => typeIn(text) !== undefined)
}
