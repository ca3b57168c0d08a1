import {once} from 'node:events'
import {createWriteStream} from 'node:fs'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import type {JobStore, RowResult, RowState} from '../../bulk/index.ts'
import {Failure} from '../../errors/failure.ts'
import {formatOfName, writeCsv, writeNdjson} from '../../rows/index.ts'
import type {Context} from '../context.ts'
import type {Output} from '../surroundings.ts'

/** A row's end as people and scripts read it. */
type ResultLine = Omit<RowResult, 'values' | 'begunAt' | 'follows'>

const COLUMNS = ['row', 'line', 'state', 'status', 'request', 'code', 'message', 'reply'] as const

/** How the rows ended, in their order, one by one. */
export function* resultLines(
  store: JobStore,
  job: string,
  states?: readonly RowState[],
): Generator<ResultLine, void, undefined> {
  for (const {values: _, begunAt: __, follows: ___, ...line} of store.results(job, states)) yield line
}

type ResultRows = Iterable<ResultLine>

/** Where the ends of a run's rows are written: NDJSON, or CSV if the name says so; `-` is stdout. Only the owner may read it. */
export class ResultsFile {
  readonly #file: string
  readonly #isCsv: boolean
  readonly #stdout: Output
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string, context: Context) {
    this.#file = file
    this.#isCsv = file === '-' ? context.outputOptions.format === 'csv' : formatOfName(file) === 'csv'
    this.#stdout = context.surroundings.stdout
  }

  /** From the beginning. */
  write(lines: ResultRows): Promise<void> {
    return this.#add(lines, true)
  }

  /** Behind what is there; nobody waits. `done` tells of failures. */
  append(lines: ResultRows): void {
    this.#writing = this.#writing.then(() => this.#add(lines, false))
    this.#writing.catch(() => undefined)
  }

  done(): Promise<void> {
    return this.#writing
  }

  #add(lines: ResultRows, isFirst: boolean): Promise<void> {
    const text = this.#isCsv
      ? writeCsv(lines as Iterable<Record<string, unknown>>, {columns: COLUMNS, header: isFirst})
      : writeNdjson(lines)
    return this.#file === '-' ? print(text, this.#stdout) : write(text, this.#file, isFirst ? 'w' : 'a')
  }
}

async function print(text: AsyncIterable<string>, stdout: Output): Promise<void> {
  for await (const chunk of text) if (!stdout.write(chunk)) await once(stdout, 'drain')
}

/**
 * The rows that failed, and those held back behind them, as they were read: to be corrected and sent as a new job. Rows
 * behind one whose effect is unknown go on with bulk resume instead; both ways would send them twice.
 */
export async function writeFailedRows(store: JobStore, job: string, file: string): Promise<void> {
  function* rows() {
    for (const {values, state, code} of store.results(job, ['failed', 'held'])) {
      if (state === 'failed' || code === 'EARLIER_ROW_FAILED') yield values
    }
  }
  const [first] = rows()
  const columns = Object.keys(first ?? {})
  await write(formatOfName(file) === 'csv' ? writeCsv(rows(), {columns}) : writeNdjson(rows()), file)
}

export async function write(text: AsyncIterable<string>, file: string, flags = 'w'): Promise<void> {
  try {
    await pipeline(Readable.from(text), createWriteStream(file, {mode: 0o600, flags}))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof Failure || code === undefined) throw error
    throw new Failure('OUTPUT_UNWRITABLE', {message: `${file} cannot be written (${code}).`})
  }
}
