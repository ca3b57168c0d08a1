import {escapeField, jsonLine} from './styled.ts'

export interface CsvOptions {
  /** The fields to write, in this order. They are also the header. */
  readonly columns: readonly string[]
  /** Whether a header row comes first; true by default. */
  readonly header?: boolean
  /**
   * Quotes what a spreadsheet would run: puts an apostrophe before a text that begins with = + - @, a tab or a line
   * break, also in full width (OWASP, CSV injection). Numbers stay numbers. It changes values, so use it only for
   * files that people read.
   */
  readonly safe?: boolean
}

export interface CsvEncoder {
  /** The header row, or '' without one. */
  header(): string
  /** One row, its values in the order of the columns. */
  row(values: readonly unknown[]): string
}

/**
 * Encodes rows as in RFC 4180, but ends them with LF: shell loops would keep a CR as part of the last value. null and
 * undefined are empty, arrays and objects are JSON, and characters that control a terminal are escaped visibly.
 */
export async function createCsvEncoder(options: CsvOptions): Promise<CsvEncoder> {
  const {stringify} = await import('csv-stringify/sync')
  const cell = (value: unknown) => cellText(value, options.safe === true ? quoteFormula : text => text)
  const row = (values: readonly unknown[]) => {
    const cells = values.map(cell)
    // Readers skip rows of empty values.
    const isEmpty = cells.every(text => typeof text === 'string' && text.trim() === '')
    return stringify([cells], isEmpty ? {quoted_empty: true, quoted_match: /^\s+$/} : {})
  }
  // Readers find the delimiter in the header.
  const header = () =>
    stringify([options.columns.map(cell)], {quoted_match: /[;\t]|^\s*$/, quoted_empty: true})
  return {header: () => (options.header === false ? '' : header()), row}
}

function cellText(value: unknown, guard: (text: string) => string): string | number {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeField(guard(value))
  if (typeof value === 'number') return value
  return typeof value === 'object' ? jsonLine(value) : String(value)
}

/** Adds the apostrophe that keeps a spreadsheet from running a text. */
function quoteFormula(text: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
}

/** Writes rows as CSV text, one chunk per row, no faster than the consumer reads. */
export async function* writeCsv(
  rows: AsyncIterable<Readonly<Record<string, unknown>>> | Iterable<Readonly<Record<string, unknown>>>,
  options: CsvOptions,
): AsyncGenerator<string> {
  const encoder = await createCsvEncoder(options)
  const header = encoder.header()
  if (header !== '') yield header
  for await (const row of rows)
    yield encoder.row(options.columns.map(name => (Object.hasOwn(row, name) ? row[name] : '')))
}

/** Writes values as NDJSON text, one chunk per line, no faster than the consumer reads. */
export async function* writeNdjson(
  values: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  for await (const value of values) yield `${jsonLine(value)}\n`
}
