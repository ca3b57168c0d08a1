import {titleOf} from '../../../cli/sheet/column-words.ts'
import type {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
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
export type OwnType = keyof typeof WORDS
const TYPES = Object.keys(WORDS) as OwnType[]

/** Longer texts tell something else of a type. */
const LONGEST = 24

function typeIn(text: string): OwnType | undefined {
  const [type, other] = TYPES.filter(one => WORDS[one].test(text))
  return text.length <= LONGEST && !/\d/.test(text) && other === undefined ? type : undefined
}

/** A column that says of accounts which type they have. */
export interface TypeColumn {
  readonly column: Column
  readonly byType: ReadonlyMap<OwnType, readonly SheetRow[]>
  /** Rows of which it doesn't say it. */
  readonly untyped: readonly SheetRow[]
}

/** The column of a table that has nothing but types in it, and that no field takes. */
export function typeColumn(table: Table, fields: RowFields): TypeColumn | undefined {
  const column = table.columns.find(one => saysTypes(table, one, fields))
  if (column === undefined) return undefined
  const rows = rowsOf(table).map(row => ({row, type: typeIn(cellText(row.fields[column.place]))}))
  const ids = fields.ids.flatMap(id => table.found.get(id)?.place ?? [])
  // A sum below the rows names nothing to change.
  const isRow = ({fields: cells}: SheetRow): boolean =>
    ids.length === 0 || ids.some(place => /\d/.test(cellText(cells[place])))
  return {
    column,
    byType: new Map(
      TYPES.flatMap(type => {
        const typed = rows.filter(one => one.type === type).map(({row}) => row)
        return typed.length === 0 ? [] : [[type, typed] as const]
      }),
    ),
    untyped: rows.filter(({row, type}) => type === undefined && isRow(row)).map(({row}) => row),
  }
}

interface TypeOptions {
  /** The operation of the job, which takes accounts of one type. */
  readonly operation: string
  readonly fields: RowFields
  readonly source: string
  /** What to do with rows of another type. */
  readonly 'other-types'?: 'skip' | undefined
}

/** A table without the column of types, and what that says. */
interface WithoutTypes {
  readonly table: Table
  readonly notes: readonly string[]
  /** Rows of another type. */
  readonly leftOut: readonly SheetRow[]
}

/**
 * The table without a column that says of each account which type it has, if one does: the operation of the job says it
 * for all of them.
 *
 * @param faults told of rows of another type
 */
export function withoutTypes(
  table: Table,
  {operation, fields, source, 'other-types': wanted}: TypeOptions,
  faults: SheetFaults,
): WithoutTypes {
  const own = TYPES.find(type => BY_TYPE[type] === operation)
  const found = own && typeColumn(table, fields)
  if (own === undefined || found === undefined) {
    if (wanted === 'skip')
      faults.add(
        new Failure('INPUT_INVALID', {
          message: `${source}: no column says of accounts which type they have, so --other-types would leave out none.`,
          hint: 'Nothing was sent. Leave out --other-types if all rows have one type.',
          effect: 'none',
        }),
      )
    return {table, notes: [], leftOut: []}
  }
  const {column, byType, untyped} = found
  const title = titleOf(column)
  const columns = table.columns.filter(one => one !== column)
  const others = [...byType].filter(([type]) => type !== own)
  const leftOut = others.flatMap(([, rows]) => rows)
  const says = `The column ${title} is not sent: it says ${own}, the type of this job.`
  if (leftOut.length === 0) return {table: {...table, columns}, notes: [says], leftOut}
  if (wanted === 'skip' && untyped.length === 0 && byType.has(own))
    return {
      table: {...table, columns, rows: table.rows.filter(row => !('fields' in row && leftOut.includes(row)))},
      notes: [`Left out, as the column ${title} gives them another type: ${typeLines(others)}.`],
      leftOut,
    }
  faults.add(
    new Failure('INPUT_INVALID', {
      message: `${source}: by the column ${title}, not all accounts are ${own}, as this job has them: ${typeLines(others)}.`,
      hint:
        byType.size === 1
          ? `Nothing was sent. If all of them are ${others[0]?.[0]}, pass --type ${others[0]?.[0]}.`
          : `Nothing was sent. ${apartWords([...byType.keys()], untyped, title)} ${typeLines([...byType])}.`,
      effect: 'none',
      data: {types: [...byType.keys()]},
    }),
  )
  return {table: {...table, columns}, notes: [], leftOut: []}
}

/** How the rows of each type are sent on their own. */
export function apartWords(types: readonly OwnType[], untyped: readonly SheetRow[], title: string): string {
  const flags = types.map(type => `--type ${type} --other-types skip`)
  const first =
    untyped.length === 0 ? '' : `First write the type of ${linesOf(untyped)} into the column ${title}. `
  return `A job has accounts of one type. ${first}Run this once with each of: ${flags.join('; ')}.`
}

export const typeLines = (types: readonly (readonly [type: string, rows: readonly SheetRow[]])[]): string =>
  types.map(([type, rows]) => `${type} in ${linesOf(rows)}`).join('; ')

const rowsOf = ({rows}: Table): readonly SheetRow[] => rows.filter(row => 'fields' in row)

/** A column that no field takes, with nothing but types in it. */
function saysTypes(table: Table, {place, title}: Column, fields: RowFields): boolean {
  if (fields.isKnown(fields.nameOf(title))) return false
  const texts = rowsOf(table).map(row => cellText(row.fields[place]).trim())
  const filled = texts.filter(text => text !== '')
  return filled.length > 0 && filled.every(text => typeIn(text) !== undefined)
}
