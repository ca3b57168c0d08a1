import {isUtf8} from 'node:buffer'
import type {Context} from '../../../cli/context.ts'
import type {KeptMapping} from '../../../cli/sheet/mappings-file.ts'
import type {UsedMapping} from '../../../cli/sheet/named-mapping.ts'
import {namesUnit, refuseUnit} from '../../../cli/sheet/other-unit.ts'
import type {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import {refuseSheetFlags} from '../../../cli/sheet/sheet-source.ts'
import {askingAgain} from '../../../cli/sheet/way-back.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {
  canReadAgain,
  isStreamed,
  joinPieces,
  readInput,
  unreadableInput,
  untilAborted,
} from '../../../input/read-input.ts'
import type {DecimalSigns} from '../../../money/decimal-sign.ts'
import {localDate, timeZoneOf} from '../../../output/when.ts'
import type {Encoding} from '../../../rows/dialect.ts'
import {
  columnLabel,
  type ProblemFacts,
  type ProblemSink,
  type Row,
  shownValue,
} from '../../../rows/problems.ts'
import {formatOfName, type RowsFormat, readRows} from '../../../rows/read-rows.ts'
import {type CellUse, cellFault} from '../../../rows/sheet/doubtful-cell.ts'
import {isOtherForm} from '../../../rows/sheet/other-forms.ts'
import {isZip} from '../../../rows/sheet/workbook.ts'
import {hasPlainHeader, isPlainText, markFinder, type PlainRules, piecesOf} from './plain-file.ts'
import {readRowSheet} from './read-sheet.ts'
import {rowFields} from './row-fields.ts'
import {type ColumnMap, columnReader, NOT_SENT} from './row-input.ts'

export interface RowFileOptions {
  /** A file, or `-`. */
  readonly source: string
  readonly map: ColumnMap
  /** Names of the values that all rows share. */
  readonly constants: readonly string[]
  readonly signs: DecimalSigns
  readonly encoding?: Encoding | undefined
  readonly sheet?: string | undefined
  readonly 'hidden-rows'?: 'send' | 'skip' | undefined
  readonly 'marked-rows'?: 'send' | 'skip' | undefined
  readonly 'other-types'?: 'skip' | undefined
  readonly mapping?: string | undefined
  readonly 'save-mapping'?: string | undefined
  /** The kept mapping that is used. */
  readonly kept?: KeptMapping | undefined
  readonly 'no-final-newline'?: boolean | undefined
  /** Told of each answer, as the flag that gives it. */
  readonly answered: (flag: string, value: string) => void
}

/** A file of rows that was looked at, and is read once more at most. */
export interface RowFile {
  /** `--map`, with what a person answered. */
  readonly map: ColumnMap
  /** What was left out, in sentences. */
  readonly notes: readonly string[]
  /** Of a spreadsheet, what was read as what. */
  readonly used?: UsedMapping
  /** Of a spreadsheet, what is wrong with it beside its rows. */
  readonly faults?: SheetFaults
  /** Whether it isn't known of each column what it is, so that the rows are no whole requests. */
  readonly isOpen?: boolean
  /** The rows, with decimal points. What is wrong with one goes to the sink. */
  rows(problems: ProblemSink): AsyncIterable<Row>
}

/** A longer file is read row by row, if it can be. */
const MOST_BYTES = 64 * 1024 * 1024
/** Of a pipe, which can't be read again, as much is kept until it is known how to read it. */
const MOST_KEPT = 4 * 1024 * 1024
const HEAD = 64 * 1024

/**
 * Opens a file of rows. NDJSON, and CSV whose first line names known columns and whose rows can each be read alone, are
 * streams of any length. Anything else is a spreadsheet of somebody else, and read as a whole.
 *
 * @throws Failure INPUT_INVALID, USAGE
 */
export async function openRowFile(
  context: Context,
  operation: Operation,
  options: RowFileOptions,
): Promise<RowFile> {
  const {source, map, signs, encoding} = options
  const {stdin, signal} = context.surroundings
  const {'marked-rows': marked} = options
  const markIn = markFinder(map)
  const name = source === '-' ? 'stdin' : source
  const fields = await rowFields(operation, map, options.constants)
  const {isNumber, takesNumber, useOf, nameOf, toPoints} = await columnReader(operation, map)
  const finalNewline =
    operation.effect !== 'read' && !options['no-final-newline'] && (await isStreamed(source, stdin))
  const pieces = (): AsyncIterable<Buffer> =>
    source === '-' ? untilAborted(stdin, signal) : readInput(source, signal)

  const stream = (bytes: AsyncIterable<Uint8Array>, format: RowsFormat | undefined): RowFile => ({
    map,
    notes: [],
    async *rows(problems) {
      // A number in JSON has a decimal point. One that is a text may come from a spreadsheet.
      const written = format === 'csv' ? signs : {decimal: signs.decimal}
      const reading = {source: name, format, problems, encoding, finalNewline}
      const named = format === 'csv' ? fields.nameOf : nameOf
      for await (const {row, line, values} of readRows(bytes, {...reading, nameOf: named})) {
        let isGood = true
        const report = (column: string, message: string, facts: ProblemFacts): void => {
          isGood = false
          problems.add({row, line, column, message, ...facts})
        }
        const mark = marked === 'send' ? undefined : markIn(values)
        if (mark !== undefined && marked === 'skip') continue
        if (mark !== undefined) {
          const message =
            'it may say that the row is not to be sent. Add --marked-rows skip to leave such rows out, or send'
          report(mark, message, {value: shownValue(String(values[mark]))})
        }
        const sent = withoutUnsent(values, map)
        if (format === 'csv') reportFaults(sent, name => useOf(fields.fieldOf(name)), report)
        const read = toPoints(sent, written, report)
        if (isGood) yield {row, line, values: read}
      }
    },
  })
  const sheet = async (bytes: Buffer | undefined): Promise<RowFile> => {
    if (bytes === undefined) throw tooLong(name)
    const given = {
      source: name,
      encoding,
      finalNewline,
      signs,
      sheet: options.sheet,
      'hidden-rows': options['hidden-rows'],
      'marked-rows': options['marked-rows'],
      'other-types': options['other-types'],
      kept: options.kept,
      today: localDate(context.surroundings.now(), {timeZone: timeZoneOf(context.surroundings.env)}),
      map: Object.entries(map).map(([title, target]) => `${title}=${target}`),
      columns: map,
      fields,
      operation: operation.id,
      takesNumber,
      useOf,
    }
    const read = context.interactive
      ? await askingAgain(context, options.answered)(name, asks => readRowSheet(bytes, {...given, ...asks}))
      : await readRowSheet(bytes, given)
    return {
      map: read.map,
      notes: read.notes,
      used: read.used,
      faults: read.faults,
      isOpen: read.isOpen,
      async *rows(problems) {
        yield* read.rows(problems)
      },
    }
  }

  for (const [title, target] of Object.entries(map))
    if (takesNumber(target)) refuseUnit({title, place: 0}, {field: target, source: name})

  try {
    const rules: PlainRules = {source: name, encoding, map, fields, isNumber}
    const isFile = source !== '-' && (await canReadAgain(source))
    const start = await beginningOf(pieces(), HEAD)
    const format = formatIn(source, start.head)
    if (format === 'ndjson') {
      const {sheet: named, 'hidden-rows': hidden, 'other-types': types, mapping} = options
      const {'save-mapping': saved} = options
      const given = {
        sheet: mapping === undefined ? named : undefined,
        'hidden-rows': hidden,
        'other-types': types,
      }
      refuseSheetFlags(
        {...given, mapping, 'save-mapping': saved},
        `${name} is NDJSON, whose fields have names`,
      )
      return stream(start.all(), format)
    }
    const {head, isWhole, all} = isFile ? start : await beginningOf(start.all(), MOST_KEPT)
    // A mapping is for the headings of a whole file, and types are in a column that no field takes.
    const {mapping, 'save-mapping': saved, 'other-types': types} = options
    const isPart = options.sheet !== undefined || (mapping ?? saved ?? types) !== undefined
    const isText = !isPart && !namesUnit(name) && isReadAsText(head, isWhole, encoding)
    const isPlain = isText && (await hasPlainHeader(head, rules))
    if (isPlain && isFile) {
      if (await isPlainText(pieces(), rules)) return stream(all(), format)
      const bytes = await joinPieces(all(), MOST_BYTES)
      return bytes === undefined ? stream(pieces(), format) : sheet(bytes)
    }
    // What doesn't end within what is kept is taken as a stream of a program.
    if (isPlain && (!isWhole || (await isPlainText(piecesOf(head), rules)))) return stream(all(), format)
    return sheet(await joinPieces(all(), MOST_BYTES))
  } catch (error) {
    throw unreadableInput(name, error)
  }
}

const tooLong = (name: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${name} is longer than ${MOST_BYTES / 1024 / 1024} MiB, and its columns or numbers cannot be read row by row.`,
    hint: 'Name the columns in the first line as the operation does, in UTF-8, or split the file.',
    effect: 'none',
  })

function formatIn(source: string, head: Buffer): RowsFormat {
  const named = formatOfName(source)
  if (named !== undefined) return named
  return /^[\s\ufeff]*[{[]/.test(head.subarray(0, 4096).toString('utf8')) ? 'ndjson' : 'csv'
}

/** Whether the bytes begin as text in UTF-8, or in the encoding that the user named. */
function isReadAsText(head: Buffer, isWhole: boolean, encoding: Encoding | undefined): boolean {
  if (isZip(head) || isOtherForm(head)) return false
  if (encoding !== undefined) return true
  // The head may end inside of a character.
  const lines = isWhole ? head : head.subarray(0, head.lastIndexOf(0x0a) + 1)
  return isUtf8(lines) && !lines.includes(0)
}

/** What a spreadsheet saves as text in place of a value: an error, or a long number in a short form. */
function reportFaults(
  values: Row['values'],
  useOf: (name: string) => CellUse,
  report: (column: string, message: string, facts: ProblemFacts) => void,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string' || !/[#+]/.test(value)) continue
    const message = cellFault(value, useOf(name))
    if (message !== undefined) report(columnLabel(name, 1), message, {})
  }
}

/** Without the columns that `--map` leaves out. */
function withoutUnsent(values: Row['values'], map: ColumnMap): Row['values'] {
  const unsent = Object.keys(map).filter(name => map[name] === NOT_SENT && Object.hasOwn(values, name))
  if (unsent.length === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unsent.includes(name)))
}

/** The first bytes, and all of them: what was looked at is not read again. */
async function beginningOf(pieces: AsyncIterable<Buffer>, most: number) {
  const source = pieces[Symbol.asyncIterator]()
  const seen: Buffer[] = []
  let size = 0
  let isWhole = false
  while (size < most) {
    const next = await source.next()
    if (next.done === true) {
      isWhole = true
      break
    }
    // A stream may use its chunk again.
    seen.push(Buffer.from(next.value))
    size += next.value.length
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* seen.splice(0)
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
    } finally {
      await source.return?.(undefined)
    }
  }
  return {head: Buffer.concat(seen), isWhole, all}
}
