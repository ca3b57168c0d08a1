import {createWriteStream} from 'node:fs'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import type {JobStore, RowResult, RowState} from '../bulk/index.ts'
import {Failure} from '../errors/failure.ts'
import {formatOfName, writeCsv, writeNdjson} from '../rows/index.ts'

/** A row's end as people and scripts read it. */
export type ResultLine = Omit<RowResult, 'values' | 'begunAt'>

const COLUMNS = ['row', 'line', 'state', 'status', 'request', 'code', 'message', 'reply'] as const

/** How the rows ended, in their order, one by one. */
export function* resultLines(
  store: JobStore,
  job: string,
  states?: readonly RowState[],
): Generator<ResultLine, void, undefined> {
  for (const {values: _, begunAt: __, ...line} of store.results(job, states)) yield line
}

/** NDJSON, or CSV if the file's name says so; only the owner may read it. */
export function writeResults(store: JobStore, job: string, file: string): Promise<void> {
  const lines = resultLines(store, job)
  return write(
    formatOfName(file) === 'csv'
      ? writeCsv(lines as Iterable<Record<string, unknown>>, {columns: COLUMNS})
      : writeNdjson(lines),
    file,
  )
}

/** The rows that failed as they were read, so that they can be mended and fed back. */
export async function writeFailedRows(store: JobStore, job: string, file: string): Promise<void> {
  function* rows() {
    for (const {values} of store.results(job, ['failed'])) yield values
  }
  const [first] = rows()
  const columns = Object.keys(first ?? {})
  await write(formatOfName(file) === 'csv' ? writeCsv(rows(), {columns}) : writeNdjson(rows()), file)
}

export async function write(text: AsyncIterable<string>, file: string): Promise<void> {
  try {
    await pipeline(Readable.from(text), createWriteStream(file, {mode: 0o600}))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof Failure || code === undefined) throw error
    throw new Failure('OUTPUT_UNWRITABLE', {message: `${file} cannot be written (${code}).`})
  }
}
