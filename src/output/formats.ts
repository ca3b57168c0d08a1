import {createContext, runInContext} from 'node:vm'
import {isObject} from '../errors/is-object.ts'
import {columnsOf, fieldAt, flatten, hasValue, type PlainObject} from './fields.ts'
import {escapeUnits, replaceActing} from './styled.ts'
import {createCsvEncoder} from './write-rows.ts'

/** JSON indented by two spaces, on a terminal and in a pipe alike. Control characters are escaped. */
export const formatJson = (value: unknown): string =>
  `${escapeUnits(JSON.stringify(value, null, 2) ?? 'null')}\n`

interface CsvSettings {
  readonly columns?: readonly string[] | undefined
  readonly header?: boolean | undefined
  readonly csvSafe?: boolean | undefined
}

/** A result as CSV. Each item of a list is a row, an object is one row, and nested fields are dotted columns. */
export async function formatCsv(
  value: unknown,
  settings: CsvSettings,
  inTime: InTime = atOnce,
): Promise<string> {
  const items = Array.isArray(value) ? value : [value]
  const columns = settings.columns ?? inTime(() => csvColumns(items))
  // The columns of an empty list are unknown, and an empty header would be a blank line.
  if (columns.length === 0) return ''
  const encoder = await csvEncoder(columns, settings)
  return inTime(() => encoder.header() + items.map(item => encoder.item(item)).join(''))
}

/** The columns of all fields of all items. */
export function csvColumns(items: readonly unknown[]): string[] {
  const rows = items.map(asRow)
  return columnsOf(rows)
}

/** The columns for which the item has a value. */
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
          Object.hasOwn(row, name) ? row[name] : chosen ? fieldAt(item, name) : undefined,
        ),
      )
    },
  }
}

/** A scalar goes to a column `value`; the items of a list go to `1`, `2`, … */
function asRow(item: unknown): PlainObject {
  if (isObject(item)) return flatten(item)
  if (Array.isArray(item)) return Object.fromEntries(item.map((each, at) => [String(at + 1), each]))
  return {value: item}
}

/**
 * YAML 1.2 that YAML 1.1 parsers read the same way ("no" and "3001" stay text). Text with control characters is
 * double-quoted and escaped, so every parser returns the original value.
 */
export async function formatYaml(value: unknown, inTime: InTime = atOnce): Promise<string> {
  const yaml = await import('yaml')
  return inTime(() => yamlText(value, yaml))
}

function yamlText(value: unknown, {Document, visit}: typeof import('yaml')): string {
  const document = new Document(value, {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    toStringDefaults: {lineWidth: 0},
  })
  visit(document, {
    Scalar(_, node) {
      const {value: text} = node
      if (typeof text === 'string' && replaceActing(text, keepLineFeed) !== text) node.type = 'QUOTE_DOUBLE'
    },
  })
  return replaceActing(document.toString(), keepLineFeed)
}

function keepLineFeed(char: string): string {
  if (char === '\n') return char
  const code = (char.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

/** Does work that can't be asked to stop: a library that lays out a long text. Ends it if it takes longer than it may. */
export type InTime = <Result>(work: () => Result) => Result

const atOnce: InTime = work => work()

/**
 * Nothing else runs during such work, so no timer could end it. V8 can.
 *
 * @param tooLong throws.
 */
export function within(millis: number, tooLong: () => never): InTime {
  if (!Number.isFinite(millis)) return atOnce
  const until = performance.now() + millis
  return <Result>(work: () => Result): Result => {
    const timeout = Math.max(1, Math.ceil(until - performance.now()))
    try {
      return runInContext('work()', createContext({work}), {timeout}) as Result
    } catch (error) {
      if ((error as {code?: unknown}).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') tooLong()
      throw error
    }
  }
}
