import {LIMITS} from '../../limits/limits.ts'
import {DELIMITERS, type Delimiter, type Encoding, namedDelimiter} from '../dialect.ts'
import {readLines, type TextLine} from '../lines.ts'
import {type CsvRecord, endedLines, type FaultyRecord, readRecords} from '../read-csv.ts'
import {decodeText} from './decode.ts'
import {refuseOtherForms} from './other-forms.ts'
import type {Sheet, SheetRow} from './sheet.ts'
import {isZip, readWorkbook} from './workbook.ts'

export interface SheetsOptions {
  /** The file's name for messages, or "stdin". */
  readonly source: string
  /** The encoding of a text, if the user named it. */
  readonly encoding?: Encoding | undefined
  /** Refuse a text whose last line has no line end: it may have been cut off. */
  readonly finalNewline?: boolean | undefined
  /** How well a row serves as the header of the table: the row that serves best shows which delimiter the text has. */
  readonly fitness: (row: SheetRow) => number
}

/** The header of a table is one of this many lines at the start. */
export const FIRST_LINES = 30

/**
 * The sheets in a file: those of an XLSX workbook, or the one of a text whose values have commas, semicolons, tabs or bars
 * between them.
 *
 * @throws Failure INPUT_INVALID if it is neither.
 */
export async function readSheets(bytes: Uint8Array, options: SheetsOptions): Promise<readonly Sheet[]> {
  const {source} = options
  refuseOtherForms(bytes, source)
  if (isZip(bytes)) return readWorkbook(bytes, source)
  const {text} = decodeText(bytes, source, options.encoding)
  // Old Macintoshes ended lines so, and Excel still offers it.
  const isOld = text.includes('\r') && !text.includes('\n')
  return [await readText(isOld ? text.replaceAll('\r', '\n') : text, options)]
}

async function readText(text: string, {source, finalNewline, fitness}: SheetsOptions): Promise<Sheet> {
  const maxBytes = LIMITS.row.bytes
  const linesOf = (part: string) => {
    const read = readLines(pieces(part), {maxBytes, source})
    return finalNewline ? endedLines(read, source) : read
  }
  const delimiter = await delimiterOf(text, fitness)
  const records = []
  for await (const record of readRecords(withoutNaming(linesOf(text)), maxBytes, delimiter))
    if (!isRuler(record, delimiter))
      records.push(withoutPadding(await unwrapped(record, delimiter), delimiter))
  return {records, delimiter}
}

/** `|-----+-----|`: a line that lists draw between rows. */
const isRuler = (record: CsvRecord | FaultyRecord, delimiter: Delimiter): boolean =>
  delimiter === '|' &&
  'fields' in record &&
  record.fields.some(field => /[-=_]{3}/.test(field)) &&
  record.fields.every(field => /^[\s+:=_-]*$/.test(field))

/** Bars stand in lists, whose values are padded to one width. */
const withoutPadding = (record: CsvRecord | FaultyRecord, delimiter: Delimiter): CsvRecord | FaultyRecord =>
  delimiter === '|' && 'fields' in record
    ? {...record, fields: record.fields.map(field => field.trim())}
    : record

/** A row that is one value in quotes, as spreadsheets save what they didn't divide: the values in it. */
async function unwrapped(
  record: CsvRecord | FaultyRecord,
  delimiter: Delimiter,
): Promise<CsvRecord | FaultyRecord> {
  if (!('fields' in record) || !record.quoted?.has(0)) return record
  const {line, fields} = record
  const [whole = '', ...others] = fields
  if (others.some(field => field.trim() !== '') || whole.split(delimiter).length < LEAST_UNWRAPPED)
    return record
  for await (const inner of readRecords([{line, text: whole, ending: '\n'}], LIMITS.row.bytes, delimiter))
    return inner
  return record
}

/** A title may have some commas. A transfer has at least four values, and a row of other things two. */
const LEAST_UNWRAPPED = 3

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Without the line that names the delimiter. */
async function* withoutNaming<Line extends object>(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let isFirst = true
  for await (const line of lines) {
    const names =
      isFirst && 'text' in line && namedDelimiter((line as unknown as TextLine).text) !== undefined
    isFirst = false
    if (!names) yield line
  }
}

/** A delimiter, and the table that a text has with it. */
interface Split {
  readonly delimiter: Delimiter
  /** How well its header serves. */
  readonly fit: number
  readonly header: SheetRow
  /** Number of lines with as many fields as the header, from it on. */
  readonly lines: number
  readonly rows: readonly SheetRow[]
}

/**
 * The delimiter that the text names, else the one that makes the best header of one of the first lines. If none names
 * what is known, the one that divides the most lines into as many fields as their header has.
 */
async function delimiterOf(text: string, fitness: SheetsOptions['fitness']): Promise<Delimiter> {
  const first = text
    .split(/\r?\n|\r/, FIRST_LINES)
    .map((line, at): TextLine => ({line: at + 1, text: line, ending: '\n'}))
  const named = namedDelimiter(first[0]?.text ?? '')
  if (named !== undefined) return named
  const splits: Split[] = []
  for (const delimiter of DELIMITERS) {
    const rows: SheetRow[] = []
    for await (const written of readRecords(first, LIMITS.row.bytes, delimiter)) {
      const record = await unwrapped(written, delimiter)
      const text = record === written ? (first[record.line - 1]?.text ?? '') : delimiter
      if (!('fault' in record) && divides(delimiter, text)) rows.push(record)
    }
    const fit = Math.max(0, ...rows.map(fitness))
    const header = rows.find(row => fitness(row) === fit)
    if (header === undefined) continue
    const lines = rows.filter(row => row.line >= header.line && widthOf(row) === widthOf(header)).length
    splits.push({delimiter, fit, header, lines, rows})
  }
  const best = splits.toSorted(
    (a, b) =>
      b.fit - a.fit ||
      Number(isBelowHeader(a, splits)) - Number(isBelowHeader(b, splits)) ||
      b.lines - a.lines ||
      widthOf(b.header) - widthOf(a.header) ||
      DELIMITERS.indexOf(b.delimiter) - DELIMITERS.indexOf(a.delimiter),
  )
  return best[0]?.delimiter ?? ','
}

const widthOf = ({fields}: SheetRow): number => fields.length

/**
 * Whether a line has more than one field. In a line that another delimiter divides, a comma between digits is one of a
 * number, and a space follows a sign of a sentence.
 */
function divides(delimiter: Delimiter, line: string): boolean {
  const bare = line.replaceAll(/"[^"]*(?:"|$)/g, '')
  if (!bare.includes(delimiter)) return false
  if (!DELIMITERS.some(other => other !== delimiter && bare.includes(other))) return true
  return delimiter === '\t' || bare.replaceAll(/(?<=\d),(?=\d)|[,;] /g, '').includes(delimiter)
}

/** Whether what would be the header is a row of another delimiter, under a line that this one divides into as many fields. */
const isBelowHeader = ({delimiter, header}: Split, splits: readonly Split[]): boolean =>
  splits.some(
    ({delimiter: other, rows}) =>
      other !== delimiter &&
      rows.some(({line}) => line === header.line) &&
      rows.some(row => row.line < header.line && widthOf(row) >= widthOf(header)),
  )
