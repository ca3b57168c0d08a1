import type {CsvError, Options} from 'csv-parse'
import type {FaultyLine, TextLine} from './lines.ts'

export interface CsvRecord {
  readonly line: number
  readonly fields: readonly string[]
}

export interface FaultyRecord {
  readonly line: number
  /** The field's place from 0, where the fault has one. */
  readonly place?: number
  readonly fault: string
}

const options: Options = {
  relax_column_count: true,
  max_record_size: 0,
  record_delimiter: ['\r\n', '\n', '\r'],
}

/** Our words for the parser's codes: its own messages quote the file. */
const faults: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote inside a quoted value is written twice',
  INVALID_OPENING_QUOTE: 'a quote stands inside a value that is not quoted; quote the whole value',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
}

/**
 * Joins lines to the records of RFC 4180: a quoted value may hold line breaks. Each record is parsed by itself, so that
 * a stray quote spoils its own line only: the lines that it seemed to take along are read again.
 */
export async function* readRecords(
  lines: AsyncIterable<TextLine | FaultyLine>,
  maxBytes: number,
): AsyncGenerator<CsvRecord | FaultyRecord> {
  const {parse} = await import('csv-parse/sync')
  const parseRecord = (open: readonly TextLine[], line: number): CsvRecord | FaultyRecord => {
    try {
      const records: string[][] = parse(joined(open), options)
      if (records.length > 1) return {line, fault: 'holds a bare carriage return; end lines with LF or CRLF'}
      return {line, fields: records[0] ?? []}
    } catch (error) {
      const {code, column} = error as CsvError
      const fault = faults[code] ?? 'is not valid CSV'
      return typeof column === 'number' ? {line, place: column, fault} : {line, fault}
    }
  }

  let open: TextLine[] = []
  let quotes = 0
  let size = 0
  /** Parses the open lines; when they are no record, gives up the first line and starts over with the others. */
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
    if (open.length === 0 && line.text.trim() === '') return
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

const joined = (lines: readonly TextLine[]) =>
  lines.map(({text, ending}, at) => (at === lines.length - 1 ? text : text + ending)).join('')
