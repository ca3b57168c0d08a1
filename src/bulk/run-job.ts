import {Failure} from '../errors/failure.ts'
import type {Pacer, RequestEnd, RequestStart, Turn} from '../journal/index.ts'
import type {JobRow, RowCounts, RowEnd, RowState} from './job.ts'
import type {JobStore} from './job-store.ts'
import {serviceWatch} from './service-watch.ts'
import {together} from './together.ts'

/** How a sent row ended, for the job and for the journal. */
export interface RowOutcome {
  readonly row: RowEnd
  /** Whether it also tells that no earlier sending of the row had its effect, or that it did. */
  readonly conclusive: boolean
  readonly request: RequestEnd
}

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

export interface RunOptions {
  readonly store: JobStore
  readonly job: string
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

/** Why a run ended before its rows did. */
export type Stop = 'interrupted' | 'down'

/** Sends the rows of a job that are still to be sent. Gives why it stopped, or undefined at the end of the rows. */
export async function runJob(options: RunOptions): Promise<Stop | undefined> {
  const {store, job, signal} = options
  const counts: Record<RowState, number> = {...store.counts(job)}
  const watch = serviceWatch()
  const next = reader(store, job)
  const {begin, end} = writers(store, job)
  let stop: Stop | undefined
  let broken = false

  const write = (row: JobRow, request: string | undefined, outcome: RowOutcome): Promise<RowState> => {
    const ended = {...outcome.row, state: settled(row, outcome)}
    return end({row: row.row, request, outcome: {...outcome, row: ended}})
  }

  const send = async (row: JobRow, prepared: Prepared): Promise<RowState> => {
    for (let limited = 1; ; limited++) {
      // What is written down leaves at once, so the turn comes first.
      const admit = await turns(options.pacer, signal)
      const request = await begin({row: row.row, start: prepared.start})
      const outcome = await prepared.send(admit)
      const isLimited = outcome.row.code === 'RATE_LIMITED'
      const state = await write(row, request, outcome)
      if (watch.isDown(outcome.row.code)) stop ??= 'down'
      if (!isLimited || limited >= MOST_LIMITED || stop !== undefined || signal.aborted) return state
    }
  }

  const one = async (row: JobRow): Promise<void> => {
    let state: RowState
    try {
      state = await send(row, await options.prepare(row))
    } catch (error) {
      if (signal.aborted && !(error instanceof Failure)) return
      if (!(error instanceof Failure) || error.exit !== 2) throw error
      const {code, message} = error
      state = row.state === 'sent' ? 'unknown' : 'failed'
      store.journal.lightly(() => store.end(job, row.row, {state, code, message}))
    }
    counts[row.state] -= 1
    counts[state] += 1
    options.progress(counts)
  }

  const work = async (): Promise<void> => {
    try {
      while (stop === undefined && !broken) {
        if (signal.aborted) {
          stop = 'interrupted'
          return
        }
        const row = next()
        if (row === undefined) return
        await one(row)
      }
    } catch (error) {
      broken = true
      throw error
    }
  }

  const workers = await Promise.allSettled(Array.from({length: options.concurrency}, work))
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

function writers(store: JobStore, job: string) {
  const {journal} = store
  type Start = {row: number; start: RequestStart | undefined}
  type End = {row: number; request: string | undefined; outcome: RowOutcome}
  return {
    begin: together<Start, string | undefined>(items => {
      const write = (): (string | undefined)[] =>
        items.map(({row, start}) => {
          const request = start === undefined ? undefined : journal.begin(start).id
          store.begin(job, row, request)
          return request
        })
      // A read has no effect that could come twice.
      return items.some(({start}) => start !== undefined) ? journal.durably(write) : journal.lightly(write)
    }),
    end: together<End, RowState>(items =>
      journal.lightly(() =>
        items.map(({row, request, outcome}) => {
          if (request !== undefined) journal.end(request, outcome.request)
          store.end(job, row, outcome.row)
          return outcome.row.state
        }),
      ),
    ),
  }
}

/** What may have had its effect before stays open, unless this answer says what became of that too. */
function settled(row: JobRow, {row: {state}, conclusive}: RowOutcome): RowState {
  if (row.state !== 'sent' || conclusive) return state
  if (state === 'again' || state === 'sent') return 'sent'
  return state === 'failed' ? 'unknown' : state
}
