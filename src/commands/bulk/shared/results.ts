import {format, parse, resolve} from 'node:path'
import {
  type EndedRow,
  type Job,
  JobStore,
  type Jobs,
  type RowResult,
  type RowState,
} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {advice, nextAdvice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {
  type GrowingFile,
  keptWords,
  openGrowingFile,
  proveWritable,
  writeNamedFile,
  writeUnlessOther,
} from '../../../files/named-output.ts'
import {writeCsv, writeNdjson} from '../../../output/write-rows.ts'
import {formatOfName} from '../../../rows/read-rows.ts'
import type {bulkFlags} from './flags.ts'
import {namedRows} from './named-rows.ts'
import {replacedRows, UNSENT} from './newer-writes.ts'
import {refusePlanned} from './planned-job.ts'

const words = {
  waiting: true,
  sent: true,
  again: true,
  done: true,
  failed: true,
  unknown: true,
  held: true,
} as const satisfies Record<RowState, true>

/** All states of a row. */
export const ROW_STATES = Object.keys(words) as readonly RowState[]

const COLUMNS = ['row', 'line', 'state', 'status', 'request', 'code', 'message', 'reply'] as const

type ResultRows = Iterable<EndedRow> | AsyncIterable<EndedRow>

/** Number of writes that may wait for the reader. */
const MOST_WAITING = 64

/** Where the results of a job are written: CSV if the file name says so, else NDJSON; `-` is stdout. */
export class ResultsFile {
  readonly #file: string
  readonly #isCsv: boolean
  readonly #context: Context
  #growing: GrowingFile | undefined
  #writing: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(file: string, context: Context) {
    this.#file = file
    this.#isCsv = file === '-' ? context.outputOptions.format === 'csv' : formatOfName(file) === 'csv'
    this.#context = context
  }

  /** Writes all results at once. */
  async write(lines: ResultRows): Promise<void> {
    const text = this.#encode(lines, true)
    await (this.#file === '-' ? this.#print(text) : writeNamedFile(this.#file, text))
  }

  /** Writes the first results; `append` adds to them. */
  async begin(lines: ResultRows): Promise<void> {
    if (this.#file !== '-') this.#growing = await openGrowingFile(this.#file)
    await this.#add(lines, true)
  }

  /** Adds results without waiting. `done` reports failures. */
  append(lines: ResultRows): void {
    this.#waiting++
    this.#writing = this.#writing.then(() => this.#add(lines, false))
    this.#writing.catch(() => undefined).then(() => this.#waiting--)
  }

  /** Waits until the reader has caught up, so that memory doesn't grow while it stalls. Also ends at the signal. */
  async room(): Promise<void> {
    if (this.#waiting < MOST_WAITING) return
    const {signal} = this.#context.surroundings
    await new Promise<void>(resolve => {
      const go = (): void => {
        signal.removeEventListener('abort', go)
        resolve()
      }
      signal.addEventListener('abort', go)
      this.#writing.then(go, go)
    })
  }

  async done(): Promise<void> {
    try {
      await this.#writing
    } finally {
      await this.#growing?.close()
    }
  }

  async #add(lines: ResultRows, isFirst: boolean): Promise<void> {
    const text = this.#encode(lines, isFirst)
    await (this.#growing ? this.#growing.append(text) : this.#print(text))
  }

  #encode(lines: ResultRows, isFirst: boolean): AsyncIterable<string> {
    return this.#isCsv
      ? writeCsv(lines as AsyncIterable<Record<string, unknown>>, {columns: COLUMNS, header: isFirst})
      : writeNdjson(lines)
  }

  /** If the reader closes stdout (`| head`), only the printing ends, not the job. */
  async #print(text: AsyncIterable<string>): Promise<void> {
    const {printer} = this.#context
    for await (const chunk of text) {
      await printer.chunk(chunk)
      if (printer.closed) return
    }
  }
}

/**
 * Writes the failed rows, and those held back behind them, as they were read: to be corrected and sent as a new job.
 * Rows held back behind an unknown effect are left out, because `bulk resume` would send them a second time.
 *
 * @returns whether the file has them now: one with other content, perhaps corrected, is left as it is.
 */
export async function writeFailedRows(store: Jobs, job: string, file: string): Promise<boolean> {
  async function* rows() {
    for await (const {values, state, code} of store.results(job, ['failed', 'held'])) {
      if (state === 'failed' || code === 'EARLIER_ROW_FAILED') yield values
    }
  }
  return writeValues(file, rows)
}

/**
 * Writes the rows that a job has given up, as they were read: to be sent as a new job, which sends none of them twice.
 *
 * @returns those that were left out: what they set was changed from here since.
 * @throws Failure USAGE if none is left
 */
export async function writeUnsentRows(
  context: Context,
  store: Jobs,
  job: Job,
  file: string,
): Promise<ReadonlySet<number>> {
  const {id, state} = refusePlanned(context, job)
  if (state !== 'cancelled')
    throw new Failure('USAGE', {
      message: `Bulk job ${id} was not cancelled, so it can still send its rows, which a file of them would send again.`,
      hint: advice`To give up those that are left first: ${context.commandLine('bulk', 'cancel', {value: id})}`,
      effect: 'none',
    })
  // A row that was found out to have had no effect is one of them.
  if (store instanceof JobStore) store.settleFindings(id)
  const {replaced, left} = await replacedRows(context, store, job, UNSENT)
  if (left === 0 && replaced.size > 0)
    throw new Failure('USAGE', {
      message: `Nothing is left of bulk job ${id}: what each row sets that it has not sent was changed from here since the job was made, so ${file} was not written.`,
      hint: advice`To see these rows: ${context.commandLine('bulk', 'results', {value: id})}`,
      effect: 'none',
    })
  await proveWritable(file)
  const isWritten = await writeValues(file, async function* () {
    for await (const {row, values} of store.results(id, UNSENT)) if (!replaced.has(row)) yield values
  })
  if (isWritten) return replaced
  const {dir, name, ext} = parse(file)
  const other = format({dir, name: `${name}-2`, ext})
  const line = context.commandLine('bulk', 'results', {value: id}, '--unsent-rows', {value: other})
  throw new Failure('USAGE', {
    message: keptWords(file),
    hint: advice`Name another file: ${line}`,
    effect: 'none',
  })
}

/** How those rows are sent. */
export function unsentWords(
  {commandLine}: Context,
  job: Job,
  file: string,
  replaced: ReadonlySet<number>,
): readonly string[] {
  const {operation, settings} = job
  const maps = Object.entries(settings.map).flatMap(
    ([column, target]) => ['--map', {value: `${column}=${target}`}] as const,
  )
  const from = ['--from', {value: file}, ...maps] as const
  const next = commandLine('bulk', 'run', {value: operation}, ...from, '--job-key', {value: 'NAME'})
  return [
    ...(replaced.size > 0
      ? [
          `Not in the file, because what they set was changed from here since the job was made: ${namedRows([...replaced])} of the job.`,
        ]
      : []),
    `These rows are in ${file} as the job read them. Correct them there if need be, then run that file with the other flags of the first run, and another --job-key.`,
    `${nextAdvice(next, undefined)}`,
  ]
}

async function writeValues(file: string, rows: () => AsyncIterable<RowResult['values']>): Promise<boolean> {
  if (formatOfName(file) !== 'csv') return writeUnlessOther(file, writeNdjson(rows()))
  // Rows from NDJSON may have different fields.
  const columns = new Set<string>()
  for await (const row of rows()) for (const name of Object.keys(row)) columns.add(name)
  // Without rows, there is no header: the file is empty.
  return writeUnlessOther(file, columns.size === 0 ? [] : writeCsv(rows(), {columns: [...columns]}))
}

export type OutputFlags = Pick<FlagValues<typeof bulkFlags>, 'results' | 'failed-rows'>

/**
 * Checks that all outputs can be written, before anything is sent.
 *
 * @param source the file with the rows, which must not be overwritten.
 * @throws Failure OUTPUT_UNWRITABLE, USAGE
 */
export async function proveOutputs(flags: OutputFlags, source?: string): Promise<void> {
  const results = flags.results === '-' ? undefined : flags.results
  const taken = new Map(source === undefined || source === '-' ? [] : [[resolve(source), '--from']])
  for (const [flag, file] of Object.entries({'--results': results, '--failed-rows': flags['failed-rows']})) {
    if (file === undefined) continue
    await proveWritable(file)
    const other = taken.get(resolve(file))
    if (other !== undefined) {
      throw new Failure('USAGE', {
        message: `${other} and ${flag} name the same file, ${file}.`,
        hint: 'Name another file.',
        effect: 'none',
      })
    }
    taken.set(resolve(file), flag)
  }
}
