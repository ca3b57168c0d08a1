import {createCsvEncoder} from '../rows/index.ts'
import {columnsOf, flatten, hasValue, memberAt} from './members.ts'
import {isPlainObject, type PlainObject} from './plain.ts'

export interface CsvSettings {
  readonly columns?: readonly string[] | undefined
  readonly header?: boolean | undefined
  readonly csvSafe?: boolean | undefined
}

/** A result as CSV: a list is its rows, an object one row, nested members dotted columns. */
export async function formatCsv(value: unknown, settings: CsvSettings): Promise<string> {
  const items = Array.isArray(value) ? value : [value]
  const columns = settings.columns ?? csvColumns(items)
  // Nothing is known of the columns of an empty list, and an empty header would be a blank line.
  if (columns.length === 0) return ''
  const encoder = await csvEncoder(columns, settings)
  return encoder.header() + items.map(item => encoder.item(item)).join('')
}

/** The columns that show every member of every item. */
export function csvColumns(items: readonly unknown[]): string[] {
  const rows = items.map(asRow)
  return columnsOf(rows)
}

/** The columns in which an item has something to lose. */
export const valuedColumns = (item: unknown): string[] =>
  Object.entries(asRow(item)).flatMap(([name, value]) => (hasValue(value) ? [name] : []))

/** Encodes items one by one, for lists that stream. */
export async function csvEncoder(columns: readonly string[], settings: CsvSettings) {
  const chosen = settings.columns !== undefined
  const encoder = await createCsvEncoder({
    columns,
    header: settings.header ?? true,
    safe: settings.csvSafe ?? false,
  })
  return {
    header: () => encoder.header(),
    item: (item: unknown) => {
      const row = asRow(item)
      return encoder.row(
        columns.map(name =>
          Object.hasOwn(row, name) ? row[name] : chosen ? memberAt(item, name) : undefined,
        ),
      )
    },
  }
}

/** Scalars stand in a column `value`, the items of a list in `1`, `2`, … */
function asRow(item: unknown): PlainObject {
  if (isPlainObject(item)) return flatten(item)
  if (Array.isArray(item)) return Object.fromEntries(item.map((each, at) => [String(at + 1), each]))
  return {value: item}
}
