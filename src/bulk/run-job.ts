import {Failure} from '../errors/failure.ts'
import type {Pacing, RequestStart, Turn} from '../journal/index.ts'
import type {JobRow, RowCounts} from './job.ts'
import type {Begun, RowOutcome} from './row-ledger.ts'
import type {Admit, RowPlace} from './row-place.ts'
import {RefusalWatch, type Stop, type Suspect, serviceWatch} from './stop-rules.ts'

/** A row that is ready to send. */
export interface Prepared {
  /** For the journal; reads have none. */
  readonly start: RequestStart | undefined
  /**
   * Sends it, in one attempt or more; never throws a Failure.
   *
   * @param admit its turn gets each response.
   */
  send(admit: Admit | undefined): Promise<RowOutcome>
}

interface RunOptions {
  readonly rows: RowPlace
  /** A row may be sent again without a second effect. */
  readonly isRepeatable: boolean
  /** Maximum number of rows in flight. */
  readonly concurrency: number
  /** Without it, rows are sent as fast as possible. */
  readonly pacer?: Pacing | undefined
  /** When it aborts, rows in flight are awaited and no more are sent. */
  readonly signal: AbortSignal
  /** Continue although every row is refused alike. */
  readonly keepGoing?: boolean | undefined
  /** Stop when this many rows of the run have failed or have an unknown effect. */
  readonly maxFailures?: number | undefined
  /** @throws Failure if the row's content is invalid; the row has failed then. */
  prepare(row: JobRow): Promise<Prepared>
  progress(counts: RowCounts): void
}

/** A row that the service refuses for its rate limit is sent this many times in a run. */
const MOST_LIMITED = 5
/**
 * Without a rate limit, this many times more rows are recorded than are in flight, so that the service needn't wait for
 * the disk. If the run stops there, their keys make it harmless to send them again.
 */
const AHEAD = 8

/** Sends the rows of a job that are still to be sent. Returns why it stopped, or undefined after the last row. */
export async function runJob(options: RunOptions): Promise<Stop | undefined> {
  const {signal} = options
  const service = serviceWatch()
  const refusals = new RefusalWatch({isOff: options.keepGoing ?? false})
  let stop: Stop | undefined
  let broken = false
  let bad = 0
  const isOver = (): boolean => stop !== undefined || broken || signal.aborted
  const inFlight = limiter(options.concurrency)
  const {counts, moved, order, ledger, guard} = await options.rows({isOver, hurry: () => inFlight.short()})
  let isAnyDone = counts.done > 0
  const ahead = options.isRepeatable && options.pacer === undefined ? AHEAD : 1

  const end = (row: JobRow, begun: Begun, outcome: RowOutcome): void => {
    const {state} = outcome.row
    const isUnknown = state === 'unknown' || (state === 'sent' && outcome.request.effect === 'unknown')
    order.ended(row.row, outcome.row, begun?.id ?? row.request)
    ledger.end({row, begun, outcome, isLast: true})
    moved(row.state, state)
    if (state === 'done') isAnyDone = true
    if (state === 'failed' || isUnknown) bad++
    if (bad >= (options.maxFailures ?? Infinity)) stop ??= 'failures'
    options.progress(counts)
  }

  /** A refusal that every row may get isn't final until the following rows have ended. */
  const judge = (row: JobRow, begun: Begun, outcome: RowOutcome): void => {
    const {isShared, own, stops} = refusals.see({row: {...row, request: begun?.id}, outcome}, isAnyDone)
    for (const suspect of own) endAsOwn(suspect)
    if (stops && outcome.fate !== undefined) stop ??= {why: 'refusals', cause: outcome.fate.cause}
    end(row, begun, settled(row, isShared ? notFinal(outcome) : outcome))
  }

  const endAsOwn = ({row, outcome}: Suspect): void => {
    if (outcome.row.state !== 'failed') return
    const {state} = settled(row, notFinal(outcome)).row
    end({...row, state}, undefined, settled(row, outcome))
  }

  const send = async (row: JobRow, prepared: Prepared): Promise<void> => {
    for (let limited = 1; ; limited++) {
      // A recorded row is sent at once, so it waits for its turn first.
      const admit = await turns(options.pacer, signal).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
        stop ??= {why: error.code === 'RATE_LIMITED' ? 'pause' : 'no turn', cause: error}
        return undefined
      })
      // Not recorded, so it simply waits.
      if (stop !== undefined && admit === undefined) return
      const begun = await ledger.begin({row, start: prepared.start})
      if (begun === 'lost') return
      const guarded = guard === undefined ? admit : guard(row.row, admit)
      const sent = await inFlight.run(async () => (isOver() ? undefined : prepared.send(guarded)))
      if (sent === undefined) return end(row, begun, notSent(row))
      const {code} = sent.row
      if (service.isDown(code)) stop ??= 'down'
      const isLast = code !== 'RATE_LIMITED' || limited >= MOST_LIMITED
      if (isLast || stop !== undefined || signal.aborted) return judge(row, begun, sent)
      ledger.end({row, begun, outcome: settled(row, sent), isLast: false})
      await ledger.settle()
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
      judge(row, undefined, outcome)
    }
  }

  const work = async (): Promise<void> => {
    try {
      for (;;) {
        const next = await order.next()
        if (next === undefined) return
        const {row, held} = next
        try {
          if (held === undefined) await one(row)
          else end(row, undefined, {row: held, conclusive: false, request: {outcome: 'none'}})
        } finally {
          order.left(row.row)
        }
      }
    } catch (error) {
      broken = true
      throw error
    }
  }

  const workers = await Promise.allSettled(Array.from({length: options.concurrency * ahead}, work))
  const last = refusals.drain()
  const {isOfAccess, cause} = last.at(-1)?.outcome.fate ?? {}
  if (isOfAccess && cause !== undefined) stop ??= {why: 'refusals', cause, isAtEnd: true}
  else for (const suspect of last) endAsOwn(suspect)
  await ledger.settle()
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return signal.aborted ? 'interrupted' : stop
}

/** Takes the turn of the first attempt ahead. Later attempts of the request wait for turns of their own. */
async function turns(pacer: Pacing | undefined, signal: AbortSignal): Promise<Admit | undefined> {
  if (pacer === undefined) return undefined
  let ahead: Turn | undefined = await pacer.turn(signal)
  return async abandoned => {
    const turn = ahead ?? (await pacer.turn(abandoned))
    ahead = undefined
    return turn
  }
}

/** Recorded, but the run stopped before it was sent: undo. */
const notSent = ({state, reason}: JobRow): RowOutcome => ({
  row: {...reason, state},
  conclusive: false,
  isUnsent: true,
  request: {outcome: 'none', effect: 'none'},
})

/** A refusal without an effect that a later attempt may not get. */
const notFinal = (outcome: RowOutcome): RowOutcome =>
  outcome.row.state === 'failed' ? {...outcome, row: {...outcome.row, state: 'again'}} : outcome

/** A row that may have had an effect before stays open, unless this response settles that too. */
function settled(row: JobRow, outcome: RowOutcome): RowOutcome {
  const {state} = outcome.row
  if (row.state !== 'sent' || outcome.conclusive || state === 'done') return outcome
  // A secret that is missing is no reason why the effect of an earlier try is unknown.
  const isOfEarlier = outcome.fate?.isOfAccess === true && outcome.row.status === undefined
  return {
    ...outcome,
    row: {
      ...outcome.row,
      ...(isOfEarlier && row.reason?.code !== undefined && row.reason),
      state: state === 'failed' || state === 'unknown' ? 'unknown' : 'sent',
    },
  }
}

interface Limiter {
  /** Runs `work` in its turn. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when at most twice as many wait as may run at a time. */
  short(): Promise<void>
}

/** Lets a limited number through at a time, in the order in which they asked. */
function limiter(limit: number): Limiter {
  const waiting: (() => void)[] = []
  let watchers: (() => void)[] = []
  let free = limit
  const isShort = (): boolean => waiting.length <= 2 * limit
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
    if (!isShort()) return
    for (const resolve of watchers) resolve()
    watchers = []
  }
  return {
    async run(work) {
      if (free > 0) free--
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await work()
      } finally {
        leave()
      }
    },
    async short() {
      if (!isShort()) await new Promise<void>(resolve => watchers.push(resolve))
    },
  }
}
