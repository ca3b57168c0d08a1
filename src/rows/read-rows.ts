import {readCsv} from './read-csv.ts'
import {readNdjson} from './read-ndjson.ts'
import type {ReadOptions, Row} from './row.ts'

export type RowsFormat = 'csv' | 'ndjson'

/** The format that a file's name tells, if it does. */
export function formatOfName(name: string): RowsFormat | undefined {
  if (/\.csv$/i.test(name)) return 'csv'
  return /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : undefined
}

/** Rows of either format; without `format` the first character decides: a bracket begins JSON, anything else CSV. */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions & {readonly format?: RowsFormat | undefined},
): AsyncGenerator<Row> {
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
