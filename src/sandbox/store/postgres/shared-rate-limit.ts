import {randomUUID} from 'node:crypto'
import type {RateWindow} from '../../../limits/rate-window.ts'
import type {Connections} from '../../../postgres/connect.ts'
import {ask} from '../../../postgres/query.ts'
import {statementName} from '../../../postgres/statement-name.ts'
import type {CallLimit} from '../../rate-limit.ts'
import {storeUnavailable} from './connect.ts'
import {SCHEMA} from './schema.ts'

/** How long a process may use calls that it has taken, ms. */
const LEASE_MS = 1_000
/** Accepted calls are reported with their age, rounded down to a part of the shortest window. */
const SLICES = 20

const TAKE = `
SELECT granted, wait_ms FROM ${SCHEMA}.take_calls(
  $1, $2, $3::integer[], $4::interval[], $5::interval[], $6::integer[], $7, $8::interval)`

interface Taken {
  readonly granted: number
  readonly wait_ms: number
}

/**
 * The rate limit of one tenant, over all processes that serve it: strict sliding windows by the clock of the database. A
 * process takes about as many calls at a time as it used in the last second, so a steady caller costs one statement a
 * second. What it doesn't use within a second, it gives back.
 */
export class SharedRateLimit implements CallLimit {
  readonly #connections: Connections
  readonly #tenant: number
  readonly #windows: readonly RateWindow[]
  readonly #sliceMs: number
  readonly #process = randomUUID()
  /** Calls that may be accepted until the end of the lease. */
  #free = 0
  #leaseEnd = 0
  /** Until then there are no more. */
  #blockedUntil = 0
  /** Accepted calls that the database doesn't know of, by the end of their slice. */
  #used = new Map<number, number>()
  /** Calls that were accepted in the last second, by the end of their slice. */
  readonly #recent = new Map<number, number>()
  #waiting = 0
  #asking: Promise<void> | undefined
  #givingBack: NodeJS.Timeout | undefined

  constructor(connections: Connections, tenant: number, windows: readonly RateWindow[]) {
    this.#connections = connections
    this.#tenant = tenant
    this.#windows = windows
    this.#sliceMs = Math.min(...windows.map(({windowMs}) => windowMs)) / SLICES
  }

  /** @throws Failure STORE_UNAVAILABLE */
  async take(): Promise<number> {
    for (;;) {
      const now = performance.now()
      if (this.#free > 0 && now < this.#leaseEnd) {
        this.#free--
        this.#count(now)
        return 0
      }
      if (now < this.#blockedUntil) return this.#blockedUntil - now
      this.#waiting++
      try {
        this.#asking ??= this.#ask().finally(() => {
          this.#asking = undefined
        })
        await this.#asking
      } finally {
        this.#waiting--
      }
    }
  }

  #count(now: number): void {
    const slice = Math.floor(now / this.#sliceMs + 1) * this.#sliceMs
    for (const counts of [this.#used, this.#recent]) counts.set(slice, (counts.get(slice) ?? 0) + 1)
  }

  /** Takes calls for those that wait, and for as many as came in the last second. */
  async #ask(): Promise<void> {
    // Those that come in this turn of the event loop ask together.
    await Promise.resolve()
    const askedAt = performance.now()
    for (const slice of this.#recent.keys()) if (slice < askedAt - LEASE_MS) this.#recent.delete(slice)
    const recent = [...this.#recent.values()].reduce((sum, count) => sum + count, 0)
    const {granted, wait_ms: waitMs} = await this.#report(this.#waiting + (this.#waiting > 0 ? recent : 0))
    this.#free = granted
    this.#leaseEnd = askedAt + LEASE_MS
    if (granted === 0) this.#blockedUntil = performance.now() + Math.max(1, waitMs)
    clearTimeout(this.#givingBack)
    if (granted > 0) this.#givingBack = setTimeout(() => void this.#giveBack(), LEASE_MS).unref()
  }

  /** Nobody used the rest, or the database must know what was used. */
  async #giveBack(): Promise<void> {
    if (this.#asking) return
    this.#free = 0
    this.#asking = this.#report(0)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#asking = undefined
      })
    await this.#asking
  }

  async #report(wanted: number): Promise<Taken> {
    const used = this.#used
    this.#used = new Map()
    this.#free = 0
    const now = performance.now()
    const inMs = (ms: number): string => `${ms} ms`
    try {
      const [taken] = await ask<Taken>(this.#connections, {
        name: statementName(TAKE),
        text: TAKE,
        values: [
          this.#tenant,
          this.#process,
          this.#windows.map(({count}) => count),
          this.#windows.map(({windowMs}) => inMs(windowMs)),
          [...used.keys()].map(slice => inMs(Math.max(0, now - slice))),
          [...used.values()],
          wanted,
          inMs(LEASE_MS),
        ],
      })
      if (taken === undefined) throw new Error('the database gave no row')
      return taken
    } catch (error) {
      // What was used before stays to be reported.
      for (const [slice, count] of used) this.#used.set(slice, (this.#used.get(slice) ?? 0) + count)
      throw storeUnavailable(this.#connections.shown, error)
    }
  }
}
