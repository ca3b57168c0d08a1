import {callNumber} from './call-fingerprint.ts'
import type {Decision} from './decide.ts'
import type {Exchange, Step} from './exchange.ts'
import type {ReceivedCall} from './received-call.ts'

/** Keeps exchanges. The answer is sent when `record` has resolved, so that decides how much can be lost. */
export interface Recorder {
  /** Never rejects: a recording that fails must not cost an authorisation. */
  record(exchange: Exchange): Promise<void>
  /**
   * The record of calls with that id (`metadata.id`): the decision about the same call, to be repeated, or the event of
   * another one. `masked` is the call as it would be recorded.
   */
  earlier?(id: string, masked: ReceivedCall): Earlier<Found>
  close(): Promise<void>
}

/**
 * The newest entries, at least `kept` and at most twice as many, so that memory use is bounded. The oldest are removed
 * in bulk: finding the oldest key of a map gets slower with each deleted one.
 */
class Recent<Key, Value> {
  readonly #kept: number
  #newer = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  constructor(kept: number) {
    this.#kept = kept
  }

  get(key: Key): Value | undefined {
    const value = this.#newer.get(key)
    return value === undefined && this.#older.size > 0 ? this.#older.get(key) : value
  }

  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#kept) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }
}

/** A decision with its steps. */
export interface Found extends Decision {
  readonly steps: readonly Step[]
}

/** A call that may have been decided before. */
export interface Repeatable {
  /** `metadata.id`. */
  readonly id: string
  /** `callFingerprint` of it. */
  readonly fingerprint: number
  /** The id of its event. */
  readonly event: string
}

/** What is known about an incoming call. */
export interface Earlier<Answer = Found | Promise<Found>> {
  /** The decision about the same call. */
  readonly decision?: Answer
  /** The event of another call that had the same id. */
  readonly reusedId?: string
}

interface Known extends Repeatable {
  readonly found: Found | Promise<Found>
  /** Another call with the same number: of another id, or another call under the same one. */
  readonly next: Known | undefined
  /** The number of entries behind it. */
  readonly depth: number
}

/**
 * Beyond this many calls under one id, they are forgotten: memory must not grow with a caller that uses one id for all.
 */
const DEEPEST = 8

const NOTHING: Earlier = {}

/** The same call under the same `metadata.id` gets the same answer, also while the first is still being decided. */
export class EarlierDecisions {
  readonly #pending = new Map<string, Known>()
  /** By `callNumber`: V8 would keep the texts of a map in its table of unique texts, which takes twice as long. */
  readonly #known: Recent<number, Known>

  /** @param kept minimum number to remember. */
  constructor(kept: number) {
    this.#known = new Recent(kept)
  }

  find({id, fingerprint}: Repeatable): Earlier {
    let reusedId: string | undefined
    for (let known = this.#known.get(callNumber(id)); known; known = known.next) {
      if (known.id !== id) continue
      if (known.fingerprint === fingerprint) return {decision: known.found}
      reusedId ??= known.event
    }
    if (this.#pending.size > 0) {
      for (let known = this.#pending.get(id); known; known = known.next) {
        if (known.fingerprint === fingerprint) return {decision: known.found}
        reusedId ??= known.event
      }
    }
    return reusedId === undefined ? NOTHING : {reusedId}
  }

  /** Remembers a decision. One that fails is forgotten: the next call with that id is decided again. */
  keep(call: Repeatable, decision: Found | Promise<Found>): void {
    if (decision instanceof Promise) this.#await(call, decision)
    else this.#remember(call, decision)
  }

  #remember(call: Repeatable, found: Found): void {
    const number = callNumber(call.id)
    this.#known.set(number, before(call, found, this.#known.get(number)))
  }

  #await(call: Repeatable, decision: Promise<Found>): void {
    this.#pending.set(call.id, before(call, decision, this.#pending.get(call.id)))
    decision
      .then(
        found => this.#remember(call, found),
        () => undefined,
      )
      .finally(() => this.#settle(call))
  }

  #settle({id, event}: Repeatable): void {
    let rest: Known | undefined
    for (let known = this.#pending.get(id); known; known = known.next) {
      if (known.event !== event) rest = before(known, known.found, rest)
    }
    if (rest) this.#pending.set(id, rest)
    else this.#pending.delete(id)
  }
}

function before({id, fingerprint, event}: Repeatable, found: Known['found'], next: Known | undefined): Known {
  const kept = next && next.depth < DEEPEST ? next : undefined
  return {id, fingerprint, event, found, next: kept, depth: kept ? kept.depth + 1 : 0}
}
