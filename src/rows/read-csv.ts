import type {CsvError, Options} from 'csv-parse'
import {Failure} from '../errors/failure.ts'
import {LIMITS} from '../limits/limits.ts'
import {type Delimiter, delimiterOf, namedDelimiter} from './dialect.ts'
import {type FaultyLine, readLines, type TextLine} from './lines.ts'
import {columnLabel, quotableName, type ReadOptions, type Row, RowProblems} from './problems.ts'
import {placeOfRows} from './swallowed-rows.ts'

export interface CsvRecord {
  readonly line: number
  readonly fields: readonly string[]
  /** The fields that stand in quotes, by their places from 0. */
  readonly quoted?: ReadonlySet<number>
}

export interface FaultyRecord {
  readonly line: number
  /** The field's position from 0, if the fault has one. */
  readonly place?: number
  readonly fault: string
}

const options: Options = {
  relax_column_count: true,
  max_record_size: 0,
  record_delimiter: ['\r\n', '\n', '\r'],
}

/** Our messages for the parser's codes: its own messages quote the file. */
const faults: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote inside a quoted value is written twice',
  INVALID_OPENING_QUOTE: 'a quote inside an unquoted value; quote the whole value',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
}

const HOLDS_ROWS =
  'has other rows within its quotes; a quote is opened on this line and closed on a later one'

/**
 * Joins lines into records of RFC 4180: a quoted value may contain line breaks. Each record is parsed alone. So a stray
 * quote only spoils its own line: the following lines, which seemed to be part of the value, are read again.
 *
 * @param known the delimiter; the first line decides if it is absent.
 */
export async function* readRecords(
  lines: AsyncIterable<TextLine | FaultyLine> | Iterable<TextLine | FaultyLine>,
  maxBytes: number,
  known?: Delimiter,
): AsyncGenerator<CsvRecord | FaultyRecord> {
  const {parse} = await import('csv-parse/sync')
  let delimiter = known
  const parseRecord = (open: readonly TextLine[], line: number): CsvRecord | FaultyRecord => {
    const [only, another] = open
    // Most lines need no parser. Starting one takes fifty times as long as parsing a line.
    if (only !== undefined && another === undefined && !/["\r]/.test(only.text)) {
      return {line, fields: only.text.split(delimiter ?? ',')}
    }
    try {
      const quoted = new Set<number>()
      const cast: Options['cast'] = (value, {quoting, index}) => {
        if (quoting) quoted.add(index)
        return value
      }
      const records: string[][] = parse(joined(open), {...options, cast, delimiter: delimiter ?? ','})
      if (records.length > 1) return {line, fault: 'holds a bare carriage return; end lines with LF or CRLF'}
      const fields = records[0] ?? []
      const place = another === undefined ? -1 : placeOfRows(fields, delimiter ?? ',')
      if (place !== -1) return {line, place, fault: HOLDS_ROWS}
      return {line, fields, quoted}
    } catch (error) {
      const {code, column} = error as CsvError
      const fault = faults[code] ?? 'is not valid CSV'
      return typeof column === 'number' ? {line, place: column, fault} : {line, fault}
    }
  }

  let open: TextLine[] = []
  let quotes = 0
  let size = 0
  /** Parses the pending lines. If they aren't a record, reports the first line and starts over with the others. */
  function* close(): Generator<CsvRecord | FaultyRecord> {
    const waiting = open
    open = []
    quotes = 0
    size = 0
    const [first, ...others] = waiting
    if (first === undefined) return
    const whole = parseRecord(waiting, first.line)
    yield whole
    if ('fault' in whole) for (const line of others) yield* add(line)
  }
  function* add(line: TextLine): Generator<CsvRecord | FaultyRecord> {
    if (open.length === 0 && isEmptyRow(line.text, delimiter)) return
    if (delimiter === undefined) {
      delimiter = namedDelimiter(line.text)
      if (delimiter !== undefined) return
      delimiter = delimiterOf(line.text)
    }
    open.push(line)
    quotes += line.text.split('"').length - 1
    size += line.text.length
    if (quotes % 2 === 0 || size > maxBytes) yield* close()
  }
  for await (const line of lines) {
    if ('fault' in line) {
      while (open.length > 0) yield* close()
      yield line
    } else yield* add(line)
  }
  while (open.length > 0) yield* close()
}

/** Spreadsheets write empty rows at the end as delimiters only. Before the header, only a blank line is none. */
const isEmptyRow = (text: string, delimiter: Delimiter | undefined): boolean =>
  EMPTY[delimiter ?? '\t'].test(text)

const EMPTY = {',': /^[\s,]*$/, ';': /^[\s;]*$/, '\t': /^\s*$/, '|': /^[\s|]*$/} as const

const joined = (lines: readonly TextLine[]) =>
  lines.map(({text, ending}, at) => (at === lines.length - 1 ? text : text + ending)).join('')

/**
 * Reads the data rows of a CSV stream (RFC 4180, UTF-8, with a header row), with values by column name. The header
 * shows whether commas, semicolons, tabs or bars are between the values. Skips blank lines, rows of empty values, and columns
 * without a name at the end.
 *
 * @throws Failure INPUT_INVALID for a missing or unusable header, for bad rows (see `ReadOptions.problems`), and with
 * `finalNewline` at the end of a last line without a line end.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Row<string>> {
  const own = new RowProblems({source: options.source})
  const problems = options.problems ?? own
  const {source, limits = LIMITS.row} = options
  let header: readonly string[] | undefined
  let row = 0
  const read = readLines(bytes, {maxBytes: limits.bytes, source})
  const lines = options.finalNewline ? endedLines(read, source) : read
  for await (const record of readRecords(lines, limits.bytes)) {
    const {line} = record
    if (header === undefined) {
      if ('fault' in record) throw headerFailure(source, [{row: 0, line, message: record.fault}])
      header = readHeader(record.fields, line, options)
      continue
    }
    row += 1
    if ('fault' in record) {
      const {place, fault} = record
      const column = place === undefined ? {} : {column: columnLabel(header[place], place + 1)}
      problems.add({row, line, ...column, message: fault})
      continue
    }
    const fields = withoutEmptyEnd(record.fields, header.length)
    if (fields.length !== header.length) {
      const message = `has ${fieldsCount(fields.length)}, the header has ${fieldsCount(header.length)}`
      problems.add({row, line, message})
    } else {
      yield {row, line, values: Object.fromEntries(header.map((name, at) => [name, fields[at] ?? '']))}
    }
  }
  if (header === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} is empty`,
      hint: 'The first line must name the columns.',
    })
  }
  own.throwIfAny()
}

/** The lines, if the last one has a line end. What wrote them may have died in the middle of a value. */
export async function* endedLines(
  lines: AsyncIterable<TextLine | FaultyLine>,
  source: string,
): AsyncGenerator<TextLine | FaultyLine> {
  let last: TextLine | FaultyLine | undefined
  for await (const line of lines) {
    last = line
    yield line
  }
  if (last === undefined || 'fault' in last || last.ending !== '') return
  throw new Failure('INPUT_INVALID', {
    message: `${source} ends in the middle of line ${last.line}: that line has no line end, so it may have been cut off.`,
    hint: 'Nothing was sent. If it is whole, add --no-final-newline.',
    effect: 'none',
  })
}

export const fieldsCount = (fields: number): string => (fields === 1 ? '1 field' : `${fields} fields`)

/** The fields without empty ones after the last column. */
function withoutEmptyEnd(fields: readonly string[], columns: number): readonly string[] {
  return fields.slice(columns).every(field => field.trim() === '') ? fields.slice(0, columns) : fields
}

function readHeader(
  written: readonly string[],
  line: number,
  {source, limits: {values} = LIMITS.row, nameOf = name => name}: ReadOptions,
): readonly string[] {
  const last = written.findLastIndex(field => field.trim() !== '')
  const fields = last === -1 ? written : written.slice(0, last + 1)
  if (written.length > values) {
    throw headerFailure(source, [{row: 0, line, message: `has more than ${values} columns`}])
  }
  const names = fields.map(field => nameOf(field.trim()))
  const places = new Map<string, number>()
  const problems = names.flatMap((name, at) => {
    const column = `column ${at + 1}`
    if (name === '') return [{row: 0, line, column, message: 'has no name'}]
    const first = places.get(name)
    if (first === undefined) {
      places.set(name, at)
      return []
    }
    const known = quotableName(name)
    return [
      {row: 0, line, column, message: `has the name of column ${first + 1}${known ? `, ${known}` : ''}`},
    ]
  })
  if (problems.length > 0) throw headerFailure(source, problems)
  return names
}

function headerFailure(source: string, problems: readonly Parameters<RowProblems['add']>[0][]): Failure {
  const all = new RowProblems({source})
  for (const problem of problems) all.add(problem)
  return all.toFailure().with({hint: 'The first line must name the columns, each once.'})
}
