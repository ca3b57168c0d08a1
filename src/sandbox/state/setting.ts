import type {Stored} from '../store/store.ts'

/** A single value of the whole sandbox, e.g. the clock's offset. */
export interface Setting extends Stored {
  readonly value: unknown
}

/** The next number of a kind of id. */
export interface Sequence extends Stored {
  readonly next: number
}
