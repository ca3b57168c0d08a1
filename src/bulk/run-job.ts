import {setFlagsFromString} from 'node:v8'
import {Failure} from '../errors/failure.ts'
import type {Pacer, RequestStart, Turn} from '../journal/index.ts'
import type {JobRow, RowCounts, RowState} from './job.ts'
import {type Begun, type LedgerOptions, RowLedger, type RowOutcome} from './row-ledger.ts'
import {rowOrder} from './row-order.ts'

/** A refusal that many rows would get alike. */
export interface SharedFate {
  /** The same for like answers. */
  readonly like: string
  /** Only before any row is done: what was right for one row isn't wrong for all. */
  readonly atFirst?: boolean | undefined
  readonly cause: Failure
}

/** A row that was refused, whose refusal may be its own. */
interface Suspect {
  readonly row: JobRow
  readonly outcome: RowOutcome
}

/** What the end of one more row tells. */
interface Seen {
  /** Whether this row's refusal may be everyone's: it isn't final then. */
  readonly isShared: boolean
  /** Earlier ones that turned out to be the rows' own. */
  readonly own: readonly Suspect[]
  /** The run should stop: every further row would be refused alike. */
  readonly stops: boolean
}

/** So many like answers in a row stop the run. */
const MOST_ALIKE = 5

/** Looks at how rows end, one after the other, for refusals that say more about the run than about the row. */
class Brake {
  readonly #isOff: boolean
  #like: string | undefined
  #streak: Suspect[] = []
  #hasStopped = false

  constructor({isOff}: {readonly isOff: boolean}) {
    this.#isOff = isOff
  }

  /** @param anyDone whether any row of the job is done. */
  see(suspect: Suspect, anyDone: boolean): Seen {
    const {fate} = suspect.outcome
    const isShared = fate !== undefined && !this.#isOff && !(fate.atFirst && anyDone)
    // What was on its way with those that stopped the run belongs to them.
    if (this.#hasStopped) return {isShared: isShared && fate.like === this.#like, own: [], stops: true}
    const continues = isShared && fate.like === this.#like
    const own = continues ? [] : this.drain()
    if (!isShared) return {isShared, own, stops: false}
    this.#like = fate.like
    this.#streak.push(suspect)
    this.#hasStopped = this.#streak.length >= MOST_ALIKE
    if (this.#hasStopped) this.#streak = []
    return {isShared, own, stops: this.#hasStopped}
  }

  /** Those that are still undecided: their refusals are their own. */
  drain(): readonly Suspect[] {
    const own = this.#streak
    this.#streak = []
    this.#like = undefined
    return own
  }
}

/** Failures that say more about the service or the line than about the row. */
const DOWN = new Set([
  'CONNECTION_FAILED',
  'EFFECT_UNKNOWN',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
  'TLS_FAILED',
])
const WINDOW = 20
const DOWN_AT = 16

/** Tells whether the service is plainly down: 16 of the last 20 rows failed for no fault of theirs. */
function serviceWatch(): {isDown(code: string | undefined): boolean} {
  const last: boolean[] = []
  return {
    isDown(code) {
      last.push(code !== undefined && DOWN.has(code))
      if (last.length > WINDOW) last.shift()
      return last.filter(Boolean).length >= DOWN_AT
    },
  }
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

interface RunOptions extends LedgerOptions {
  /** So many rows on their way at once. */
  readonly concurrency: number
  /** Without it rows leave as fast as they can. */
  readonly pacer?: Pacer | undefined
  /** When it aborts, what is on its way is waited for and nothing more leaves. */
  readonly signal: AbortSignal
  /** Rows of one resource don't wait for each other. */
  readonly isUnordered?: boolean | undefined
  /** Goes on where every row is refused alike. */
  readonly keepGoing?: boolean | undefined
  /** @throws Failure when the row's content doesn't do; the row has failed then. */
  prepare(row: JobRow): Promise<Prepared>
  progress(counts: RowCounts): void
}

const MOST_LIMITED = 5
/**
 * Without a pace so many times more rows are written down than are on their way, so that the service needn't wait for
 * the disk. If the run breaks off there, their keys make it harmless to send them again.
 */
const AHEAD = 4

/** Why a run ended before its rows did; a failure is one that every further row would meet too. */
export type Stop = 'interrupted' | 'down' | Failure

/** Sends the rows of a job that are still to be sent. Gives why it stopped, or undefined at the end of the rows. */
export async function runJob(options: RunOptions): Promise<Stop | undefined> {
  const {store, job, signal} = options
  const counts: Record<RowState, number> = {...store.counts(job)}
  const watch = serviceWatch()
  const brake = new Brake({isOff: options.keepGoing ?? false})
  let stop: Stop | undefined
  let broken = false
  const isOver = (): boolean => stop !== undefined || broken || signal.aborted
  const order = rowOrder(store, job, {isOver, isUnordered: options.isUnordered ?? false})
  const ledger = new RowLedger({
    ...options,
    written: rows => {
      order.written(rows)
      options.written?.(rows)
    },
  })
  const onItsWay = soMany(options.concurrency)
  const ahead = options.isRepeatable && options.pacer === undefined ? AHEAD : 1

  const end = (row: JobRow, begun: Begun, outcome: RowOutcome): void => {
    const {state} = outcome.row
    order.ended(row.row, outcome.row, begun?.id ?? row.request)
    ledger.end({row, begun, outcome})
    counts[row.state] -= 1
    counts[state] += 1
    options.progress(counts)
  }

  /** A refusal that may be everyone's isn't final before the rows behind it have told. */
  const judge = (row: JobRow, begun: Begun, outcome: RowOutcome): void => {
    const {isShared, own, stops} = brake.see({row: {...row, request: begun?.id}, outcome}, counts.done > 0)
    for (const suspect of own) endAsOwn(suspect)
    if (stops) stop ??= outcome.fate?.cause
    end(row, begun, settled(row, isShared ? notFinal(outcome) : outcome))
  }

  const endAsOwn = ({row, outcome}: Suspect): void => {
    if (outcome.row.state !== 'failed') return
    const {state} = settled(row, notFinal(outcome)).row
    end({...row, state}, undefined, settled(row, outcome))
  }

  const send = async (row: JobRow, prepared: Prepared): Promise<void> => {
    for (let limited = 1; ; limited++) {
      // What is written down leaves at once, so the turn comes first.
      const admit = await turns(options.pacer, signal)
      const begun = await ledger.begin({row, start: prepared.start})
      const sent = await onItsWay(async () => (isOver() ? undefined : prepared.send(admit)))
      if (sent === undefined) return end(row, begun, notSent(row))
      const {code} = sent.row
      if (watch.isDown(code)) stop ??= 'down'
      const isLast = code !== 'RATE_LIMITED' || limited >= MOST_LIMITED
      if (isLast || stop !== undefined || signal.aborted) return judge(row, begun, sent)
      ledger.end({row, begun, outcome: settled(row, sent)})
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
  for (const suspect of brake.drain()) endAsOwn(suspect)
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

/** Written down, but the run stopped before it left: as it was. */
const notSent = ({state}: JobRow): RowOutcome => ({
  row: {state},
  conclusive: false,
  request: {outcome: 'none', effect: 'none'},
})

/** A refusal without an effect that a later try may not meet. */
const notFinal = (outcome: RowOutcome): RowOutcome =>
  outcome.row.state === 'failed' ? {...outcome, row: {...outcome.row, state: 'again'}} : outcome

/** What may have had its effect before stays open, unless this answer says what became of that too. */
function settled(row: JobRow, outcome: RowOutcome): RowOutcome {
  const {state} = outcome.row
  if (row.state !== 'sent' || outcome.conclusive || state === 'done') return outcome
  return {
    ...outcome,
    row: {...outcome.row, state: state === 'failed' || state === 'unknown' ? 'unknown' : 'sent'},
  }
}

/** Lets so many at a time through, in the order in which they came. */
function soMany(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/**
 * For runs of any length: keeps the space for new objects as small as it is. Rows on their way outlive V8's short looks
 * at what is new, and it would take that for a reason to double the space, up to some 50 MiB that never come back.
 */
export function spareMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
