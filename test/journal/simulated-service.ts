// A service with strict sliding windows and clients that share one pace, on a virtual clock.

import {Pace} from '../../src/journal/pace.ts'
import type {Rate} from '../../src/journal/pace-rates.ts'
import {journalMigrations} from '../../src/journal/schema.ts'
import {openDatabase} from '../../src/sqlite/index.ts'
import {seeded} from '../helpers/random.ts'

/** Counts what arrives; an arrival is refused when any window that ends with it would hold more than its limit. */
export class StrictService {
  readonly arrivals: number[] = []
  refused = 0
  readonly #rates: readonly Rate[]
  readonly #foreign: number[] = []

  constructor(rates: readonly Rate[]) {
    this.#rates = rates
  }

  /** A request of somebody else who shares the quota. */
  foreign(at: number): void {
    this.#foreign.push(at)
  }

  accepts(at: number): boolean {
    const free = this.#rates.every(
      ({limit, windowMs}) =>
        since(this.arrivals, at - windowMs) + since(this.#foreign, at - windowMs) < limit,
    )
    if (free) this.arrivals.push(at)
    else this.refused++
    return free
  }
}

/** How many of the rising times lie after a moment. */
function since(times: readonly number[], after: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= after) low = middle + 1
    else high = middle
  }
  return times.length - low
}

export interface Scene {
  readonly seed: number
  readonly rates: readonly Rate[]
  readonly clients: readonly {readonly rates: readonly Rate[]; readonly concurrency: number}[]
  readonly quota?: readonly Rate[]
  readonly seconds: number
  /** ms on the way there, in the service, and back, for the n-th request of a client. */
  readonly travel: (random: () => number, n: number) => readonly [number, number, number]
  /** How much later than asked a timer fires, ms. */
  readonly lateness: (random: () => number) => number
  /** Added to the clients' wall clock at a moment, ms. */
  readonly clockShift?: (at: number) => number
  readonly foreign?: readonly number[]
}

export interface Seen {
  readonly service: StrictService
  /** Accepted per client. */
  readonly accepted: number[]
  readonly refusedAt: number[]
  readonly sentAt: number[]
}

const RETRY_AFTER_MS = 1_000

/** Runs every client as fast as the pace lets it, and returns what the service saw. */
export function play(scene: Scene): Seen {
  const random = seeded(scene.seed)
  const service = new StrictService(scene.rates)
  const db = openDatabase(':memory:', {kind: 'journal', migrations: journalMigrations})
  let time = 0
  const wallClock = () => Math.floor(1_700_000_000_000 + time + (scene.clockShift?.(time) ?? 0))
  const agenda = new Agenda()
  const seen: Seen = {service, accepted: scene.clients.map(() => 0), refusedAt: [], sentAt: []}
  for (const at of scene.foreign ?? []) agenda.add(at, () => service.foreign(at))

  scene.clients.forEach(({rates, concurrency}, index) => {
    const pace = new Pace(db, {now: wallClock})
    let inFlight = 0
    let waiting = false
    let sent = 0
    const step = (): void => {
      waiting = false
      while (inFlight < concurrency) {
        const {waitMs, grant} = pace.acquire(rates, scene.quota)
        if (grant === undefined) {
          waiting = true
          agenda.add(time + waitMs + scene.lateness(random), step)
          return
        }
        inFlight++
        seen.sentAt.push(time)
        const [there, inside, back] = scene.travel(random, sent++)
        agenda.add(time + there, () => {
          const taken = service.accepts(time)
          if (taken) seen.accepted[index] = (seen.accepted[index] ?? 0) + 1
          else seen.refusedAt.push(time)
          agenda.add(time + inside + back, () => {
            inFlight--
            pace.answered(grant)
            if (!taken) pace.penalise(wallClock() + RETRY_AFTER_MS, grant)
            if (!waiting) step()
          })
        })
      }
    }
    agenda.add(random() * 5, step)
  })

  for (;;) {
    const next = agenda.take()
    if (next === undefined || next.at > scene.seconds * 1000) break
    time = next.at
    next.act()
  }
  db.close()
  return seen
}

/** What is to happen, soonest first. */
class Agenda {
  readonly #items: {at: number; act: () => void}[] = []

  add(at: number, act: () => void): void {
    const place = this.#items.findIndex(item => item.at < at)
    this.#items.splice(place === -1 ? this.#items.length : place, 0, {at, act})
  }

  take(): {at: number; act: () => void} | undefined {
    return this.#items.pop()
  }
}
