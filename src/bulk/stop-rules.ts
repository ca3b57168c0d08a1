import type {Failure} from '../errors/failure.ts'
import type {JobRow} from './job.ts'
import type {RowOutcome} from './row-ledger.ts'

/** Why a run ended before its rows did. */
export type Stop =
  | 'interrupted'
  | 'down'
  /** As many rows failed as may fail. */
  | 'failures'
  /** Every further row would be refused alike, can't get its turn, or has to wait for too long. */
  | {
      readonly why: 'refusals' | 'no turn' | 'pause'
      readonly cause: Failure
      /** There was no further row. */
      readonly isAtEnd?: true
    }

/** A row that was refused, perhaps for a reason of its own. */
export interface Suspect {
  readonly row: JobRow
  readonly outcome: RowOutcome
}

/** What the end of one more row says about the run. */
interface Seen {
  /** Whether every row may get this refusal. Then it isn't final. */
  readonly isShared: boolean
  /** Earlier refusals that turned out to concern only their rows. */
  readonly own: readonly Suspect[]
  /** Stop the run: every further row would be refused alike. */
  readonly stops: boolean
}

/** This many equal responses in a row stop the run. */
export const EQUAL_REFUSALS = 5

/** Looks at the ends of rows, one after another, for refusals that say more about the run than about the row. */
export class RefusalWatch {
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
    // Rows that were in flight with those that stopped the run belong to them.
    if (this.#hasStopped) return {isShared: isShared && fate.like === this.#like, own: [], stops: true}
    const continues = isShared && fate.like === this.#like
    const own = continues ? [] : this.drain()
    if (!isShared) return {isShared, own, stops: false}
    this.#like = fate.like
    this.#streak.push(suspect)
    this.#hasStopped = this.#streak.length >= EQUAL_REFUSALS
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

/** Failures that say more about the service or the network than about the row. */
const DOWN = new Set([
  'CONNECTION_FAILED',
  'EFFECT_UNKNOWN',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
  'TLS_FAILED',
])
/** The service is down if this many of the last rows failed for one of these reasons. */
const DOWN_AT = 16
const LAST_ROWS = 20

/** Looks at the ends of rows, one after another, for a service that is down. */
export function serviceWatch(): {isDown(code: string | undefined): boolean} {
  const last: boolean[] = []
  return {
    isDown(code) {
      last.push(code !== undefined && DOWN.has(code))
      if (last.length > LAST_ROWS) last.shift()
      return last.filter(Boolean).length >= DOWN_AT
    },
  }
}
