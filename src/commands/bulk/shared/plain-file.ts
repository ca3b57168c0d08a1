import {markOf} from '../../../cli/sheet/marked-rows.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {type Encoding, toUtf8} from '../../../rows/dialect.ts'
import {readLines} from '../../../rows/lines.ts'
import {type ReadOptions, type Row, RowProblems} from '../../../rows/problems.ts'
import {readRecords} from '../../../rows/read-csv.ts'
import {readRows} from '../../../rows/read-rows.ts'
import {mayBeCut} from '../../../rows/sheet/cut-numbers.ts'
import {looksLikeRow} from '../../../rows/sheet/find-table.ts'
import {looksLikeId} from './around-rows.ts'
import type {RowFields} from './row-fields.ts'
import {type ColumnMap, NOT_SENT} from './row-input.ts'
import {isPlainNumber} from './sheet-numbers.ts'

/** Finds the column that is not sent and may say of a row that it is not to be sent either. */
export function markFinder(map: ColumnMap): (values: Row['values']) => string | undefined {
  const unsent = Object.keys(map).filter(title => map[title] === NOT_SENT)
  const marks = unsent.map(title => ({title, isMark: markOf({title})}))
  return values => marks.find(({title, isMark}) => isMark(String(values[title] ?? '').trim()))?.title
}

/** What decides whether a text can be read row by row, without knowing the rows that follow. */
export interface PlainRules {
  readonly source: string
  readonly encoding?: Encoding | undefined
  readonly map: ColumnMap
  readonly fields: RowFields
  isNumber(name: string): boolean
}

/** Whether the first line of a CSV text names the columns, each in a known way, and none is missing. */
export async function hasPlainHeader(
  head: Buffer,
  {encoding, fields, map, source}: PlainRules,
): Promise<boolean> {
  const maxBytes = LIMITS.row.bytes
  const lines = readLines(toUtf8(piecesOf(head), encoding), {maxBytes, source})
  for await (const record of readRecords(lines, maxBytes)) {
    if ('fault' in record) return false
    const last = record.fields.findLastIndex(field => field.trim() !== '')
    const names = record.fields.slice(0, last + 1).map(field => fields.nameOf(field.trim()))
    const filled = new Set(names.map(fields.fieldOf))
    return (
      names.every(name => name !== '' && fields.isKnown(name)) &&
      !looksLikeRow(record, fields.heading) &&
      filled.size === names.length &&
      Object.keys(map).every(name => names.includes(name)) &&
      fields.needed.every(name => filled.has(name))
    )
  }
  // Nothing at all: the reader of rows says what is missing.
  return true
}

/**
 * Whether each row of a CSV text can be read alone: it has the fields of the header, names what it changes, and its
 * numbers have one reading. Reads no further than to the first that can't.
 */
export async function isPlainText(
  bytes: AsyncIterable<Uint8Array>,
  {source, encoding, fields, map, isNumber}: PlainRules,
): Promise<boolean> {
  const markIn = markFinder(map)
  const problems = new RowProblems({source, keep: 0})
  const options: ReadOptions = {source, encoding, problems, nameOf: fields.nameOf}
  let numbers: readonly string[] | undefined
  let ids: readonly string[] = []
  /** Whether a column has numbers, and the one beside it has none. */
  let beforeText: readonly boolean[] = []
  let areNumbered = true
  for await (const row of readRows(bytes, {...options, format: 'csv'})) {
    if (problems.count > 0 || markIn(row.values) !== undefined) return false
    if (numbers === undefined) {
      const names = Object.keys(row.values)
      numbers = names.filter(isNumber)
      beforeText = names.map(
        (name, at) => isNumber(name) && at + 1 < names.length && !isNumber(names[at + 1] ?? ''),
      )
      ids = names.filter(name => fields.ids.includes(fields.fieldOf(name)))
      areNumbered = ids.every(name => looksLikeId(textIn(row, name)))
    }
    const cells = Object.keys(row.values).map(name => textIn(row, name).trim())
    if (cells.some((cell, at) => beforeText[at] && mayBeCut(cell, cells[at + 1] ?? ''))) return false
    // `Total` under a column of numbers is no id.
    const isId = (name: string): boolean =>
      areNumbered ? looksLikeId(textIn(row, name)) : textIn(row, name).trim() !== ''
    if (!numbers.every(name => isPlainNumber(textIn(row, name))) || !ids.every(isId)) return false
  }
  return problems.count === 0
}

const textIn = ({values}: Row, name: string): string => String(values[name] ?? '')

export async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
