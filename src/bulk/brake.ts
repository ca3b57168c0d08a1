import type {Failure} from '../errors/failure.ts'
import type {JobRow} from './job.ts'
import type {RowOutcome} from './row-ledger.ts'

/** A refusal that many rows would get alike. */
export interface SharedFate {
  /** The same for like answers. */
  readonly like: string
  /** Only before any row is done: what was right for one row isn't wrong for all. */
  readonly atFirst?: boolean | undefined
  readonly cause: Failure
}

/** A row that was refused, whose refusal may be its own. */
export interface Suspect {
  readonly row: JobRow
  readonly outcome: RowOutcome
}

/** What the end of one more row tells. */
export interface Seen {
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
export class Brake {
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
