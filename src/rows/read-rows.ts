import {changedNumber, exceededLimit, type JsonLimits, LIMITS, repeatsName} from '../limits/limits.ts'
import {toUtf8} from './dialect.ts'
import {readLines} from './lines.ts'
import {quotableName, type ReadOptions, type Row, RowProblems} from './problems.ts'
import {readCsv} from './read-csv.ts'

type Parsed =
  | {readonly values: Readonly<Record<string, unknown>>}
  | {readonly fault: string; readonly at?: {readonly column: string}}

/**
 * Parses one line of NDJSON. Also refuses numbers with more digits than a double keeps, which JSON.parse would silently
 * change. The parser's own messages quote the input, so they are never passed on.
 */
function parseObjectLine(text: string, limits: JsonLimits): Parsed {
  const beyond = exceededLimit(text, limits)
  if (beyond) return {fault: beyond.why}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {fault: text.trimStart().startsWith('[') ? arrayHint : 'is not valid JSON'}
  }
  if (Array.isArray(value)) return {fault: arrayHint}
  if (typeof value !== 'object' || value === null) return {fault: 'is not a JSON object'}
  if (repeatsName(text, value)) return {fault: 'has a field twice; write each once'}
  const changed = changedNumber(text)
  if (changed !== undefined) {
    const column = quotableName(changed)
    const fault = 'holds a number of more digits than can be kept; write it as text'
    return column === undefined ? {fault} : {fault, at: {column}}
  }
  return {values: value as Readonly<Record<string, unknown>>}
}

const arrayHint = 'is a JSON array; give one object per line'

/**
 * Reads the objects of an NDJSON stream (one JSON object per line, UTF-8). Skips blank lines.
 * @throws Failure INPUT_INVALID for bad rows (see `ReadOptions.problems`).
 */
export async function* readNdjson(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Row> {
  const own = new RowProblems({source: options.source})
  const problems = options.problems ?? own
  let row = 0
  const {source, limits = LIMITS.row} = options
  for await (const line of readLines(bytes, {maxBytes: limits.bytes, source})) {
    if ('text' in line && line.text.trim() === '') continue
    row += 1
    if ('fault' in line) {
      problems.add({row, line: line.line, message: line.fault})
      continue
    }
    const parsed = parseObjectLine(line.text, limits)
    if ('fault' in parsed) problems.add({row, line: line.line, ...parsed.at, message: parsed.fault})
    else yield {row, line: line.line, values: parsed.values}
  }
  own.throwIfAny()
}

export type RowsFormat = 'csv' | 'ndjson'

/** The format that the extension of a file name indicates, if any. */
export function formatOfName(name: string): RowsFormat | undefined {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv'
  return /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : undefined
}

/**
 * Reads rows of either format. Without `format`, the first character decides: a bracket begins JSON, anything else CSV.
 */
export async function* readRows(
  written: AsyncIterable<Uint8Array>,
  options: ReadOptions & {readonly format?: RowsFormat | undefined},
): AsyncGenerator<Row> {
  const bytes = toUtf8(written, options.encoding)
  if (options.format !== undefined) {
    yield* options.format === 'csv' ? readCsv(bytes, options) : readNdjson(bytes, options)
    return
  }
  const {first, all} = await peek(bytes)
  yield* /^[\s\ufeff]*[{[]/.test(first) ? readNdjson(all, options) : readCsv(all, options)
}

async function peek(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let first = ''
  while (first.replace(/^[\s\ufeff]+/, '') === '' && first.length < 4096) {
    const next = await source.next()
    if (next.done === true) break
    seen.push(next.value)
    first += Buffer.from(next.value.subarray(0, 64)).toString('utf8')
  }
  async function* all() {
    try {
      yield* seen
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return {first, all: all()}
}
