import {Failure} from '../errors/failure.ts'
import type {Pacer, RequestStart, Turn} from '../journal/index.ts'
import type {JobRow, RowCounts, RowState} from './job.ts'
import type {JobStore} from './job-store.ts'
import {type Begun, type LedgerOptions, RowLedger, type RowOutcome} from './row-ledger.ts'
import {serviceWatch} from './service-watch.ts'
import {soMany} from './so-many.ts'

/** A row that is ready to leave. */
export interface Prepared {
  /** For the journal; reads have none. */
  readonly start: RequestStart | undefined
  /**
   * Sends it, in one try or more; never throws a Failure.
   *
   * @param admit to be asked before each try, which must leave when it resolves, and told of each answer.
   */
  send(admit: Admit | undefined): Promise<RowOutcome>
}

export type Admit = (signal: AbortSignal) => Promise<Turn>

export interface RunOptions extends LedgerOptions {
  /** So many rows on their way at once. */
  readonly concurrency: number
  /** Without it rows leave as fast as they can. */
  readonly pacer?: Pacer | undefined
  /** When it aborts, what is on its way is waited for and nothing more leaves. */
  readonly signal: AbortSignal
  /** @throws Failure when the row's content doesn't do; the row has failed then. */
  prepare(row: JobRow): Promise<Prepared>
  progress(counts: RowCounts): void
}

/** Rows are read from the disk so many at a time; memory doesn't grow with the job. */
const PAGE = 256
const MOST_LIMITED = 5
/**
 * Without a pace so many times more rows are written down than are on their way, so that the service needn't wait for
 * the disk. If the run breaks off there, their keys make it harmless to send them again.
 */
const AHEAD = 4

/** Why a run ended before its rows did. */
export type Stop = 'interrupted' | 'down'

/** Sends the rows of a job that are still to be sent. Gives why it stopped, or undefined at the end of the rows. */
export async function runJob(options: RunOptions): Promise<Stop | undefined> {
  const {store, job, signal} = options
  const counts: Record<RowState, number> = {...store.counts(job)}
  const watch = serviceWatch()
  const next = reader(store, job)
  const ledger = new RowLedger(options)
  const onItsWay = soMany(options.concurrency)
  const ahead = options.isRepeatable && options.pacer === undefined ? AHEAD : 1
  let stop: Stop | undefined
  let broken = false

  const end = (row: JobRow, begun: Begun, outcome: RowOutcome): void => {
    const {state} = outcome.row
    ledger.end({row, begun, outcome})
    counts[row.state] -= 1
    counts[state] += 1
    options.progress(counts)
  }

  const isOver = (): boolean => stop !== undefined || broken || signal.aborted

  const send = async (row: JobRow, prepared: Prepared): Promise<void> => {
    for (let limited = 1; ; limited++) {
      // What is written down leaves at once, so the turn comes first.
      const admit = await turns(options.pacer, signal)
      const begun = await ledger.begin({row, start: prepared.start})
      const sent = await onItsWay(async () => (isOver() ? undefined : prepared.send(admit)))
      if (sent === undefined) return end(row, begun, notSent(row))
      const outcome = settled(row, sent)
      const {code} = outcome.row
      if (watch.isDown(code)) stop ??= 'down'
      const isLast = code !== 'RATE_LIMITED' || limited >= MOST_LIMITED
      if (isLast || stop !== undefined || signal.aborted) return end(row, begun, outcome)
      ledger.end({row, begun, outcome})
      ledger.settle()
    }
  }

  const one = async (row: JobRow): Promise<void> => {
    try {
      await send(row, await options.prepare(row))
    } catch (error) {
      if (signal.aborted && !(error instanceof Failure)) return
      if (!(error instanceof Failure) || error.exit !== 2) throw error
      const {code, message} = error
      const request = {outcome: 'none'} as const
      const outcome = {row: {state: 'failed', code, message}, conclusive: false, request} as const
      end(row, undefined, settled(row, outcome))
    }
  }

  const work = async (): Promise<void> => {
    try {
      while (!isOver()) {
        const row = next()
        if (row === undefined) return
        await one(row)
      }
    } catch (error) {
      broken = true
      throw error
    }
  }

  const workers = await Promise.allSettled(Array.from({length: options.concurrency * ahead}, work))
  ledger.settle()
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return signal.aborted ? 'interrupted' : stop
}

/** Takes the turn of the first try ahead; later tries of the request wait for turns of their own. */
async function turns(pacer: Pacer | undefined, signal: AbortSignal): Promise<Admit | undefined> {
  if (pacer === undefined) return undefined
  let ahead: Turn | undefined = await pacer.turn(signal)
  return async abandoned => {
    const turn = ahead ?? (await pacer.turn(abandoned))
    ahead = undefined
    return turn
  }
}

function reader(store: JobStore, job: string): () => JobRow | undefined {
  let page: readonly JobRow[] = []
  let at = 0
  let after = 0
  return () => {
    if (at === page.length) {
      page = store.next(job, after, PAGE)
      at = 0
    }
    const row = page[at++]
    if (row === undefined) at = page.length
    else after = row.row
    return row
  }
}

/** Written down, but the run stopped before it left: as it was. */
const notSent = ({state}: JobRow): RowOutcome => ({
  row: {state},
  conclusive: false,
  request: {outcome: 'none', effect: 'none'},
})

/** What may have had its effect before stays open, unless this answer says what became of that too. */
function settled(row: JobRow, outcome: RowOutcome): RowOutcome {
  const {state} = outcome.row
  if (row.state !== 'sent' || outcome.conclusive || state === 'done') return outcome
  return {
    ...outcome,
    row: {...outcome.row, state: state === 'failed' || state === 'unknown' ? 'unknown' : 'sent'},
  }
}
