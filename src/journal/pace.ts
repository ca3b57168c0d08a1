import {type Database, immediateUnsynced} from '../sqlite/index.ts'
import {
  CLOCK_MARGIN_MS,
  cautionPerGrant,
  mostCaution,
  type Rate,
  ratesOf,
  shareName,
  slotMs,
  smoothingSlackMs,
} from './pace-rates.ts'

export interface PacerOptions {
  readonly pace: Pace
  readonly rates: readonly Rate[]
  readonly quota?: readonly Rate[] | undefined
  /** Resolves after `ms`, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** ms since 1970. */
  now(): number
}

/** One permission to send. */
export interface Turn {
  /**
   * An answer came, of any status; a 429 makes everybody wait.
   *
   * @param retryAfterMs how long, if the service says so.
   */
  answered(status: number, retryAfterMs?: number): void
}

/** How long everybody waits after a 429 that names no time, in ms: the quota is counted by the second. */
const BREATHER_MS = 1000

/**
 * Turns in the order in which they were asked for. Only the first in this process's line asks the shared pace, so that
 * a hundred requests in flight don't crowd around the lock.
 */
export class Pacer {
  readonly #options: PacerOptions
  #line: Promise<unknown> = Promise.resolve()

  constructor(options: PacerOptions) {
    this.#options = options
  }

  /** Resolves when a request may leave, and must leave at once. Rejects when the signal aborts, and loses no turn. */
  turn(signal?: AbortSignal): Promise<Turn> {
    const turn = this.#line.then(() => this.#first(signal))
    this.#line = turn.catch(() => undefined)
    return turn
  }

  async #first(signal: AbortSignal | undefined): Promise<Turn> {
    const {pace, rates, quota, sleep, now} = this.#options
    for (;;) {
      signal?.throwIfAborted()
      const {waitMs, grant} = pace.acquire(rates, quota)
      if (grant !== undefined) {
        return {
          answered: (status, retryAfterMs = 0) => {
            pace.answered(grant)
            if (status === 429) pace.penalise(now() + Math.max(retryAfterMs, BREATHER_MS), grant)
          },
        }
      }
      await sleep(waitMs, signal)
    }
  }
}

/** What a 429 left behind, for all processes. */
interface Brake {
  readonly braked_at: number
  readonly blocked_until: number
  /** Part of the full speed right after the block, in (0, 1]. */
  readonly speed: number
  /** The newest request of that moment: a 429 to this or an older one is the same event. */
  readonly last_grant: number
}

const SLOWEST = 1 / 16
/** From standstill to full speed, so from half speed in half of it. */
const RECOVERY_MS = 60_000

function readBrake(db: Database, now: number): Brake | undefined {
  const brake = db.get<Brake>('SELECT braked_at, blocked_until, speed, last_grant FROM pace_brake')
  // Braked in the future: the clock was set back, and how long to wait is anybody's guess. Wait as long from now.
  if (brake === undefined || brake.braked_at <= now) return brake
  const blocked_until = now + (brake.blocked_until - brake.braked_at)
  db.run('UPDATE pace_brake SET braked_at = ?, blocked_until = ?', [now, blocked_until])
  return {...brake, braked_at: now, blocked_until}
}

/** Rises evenly after the block. */
function currentSpeed(brake: Brake | undefined, now: number): number {
  if (brake === undefined) return 1
  return Math.min(1, brake.speed + Math.max(0, now - brake.blocked_until) / RECOVERY_MS)
}

function writeBrake(
  db: Database,
  {now, until, newest, grant}: {now: number; until: number; newest: number; grant: number},
): void {
  const old = readBrake(db, now)
  if (old !== undefined && grant <= old.last_grant) {
    db.run('UPDATE pace_brake SET blocked_until = ?', [Math.max(old.blocked_until, until)])
    return
  }
  const speed = Math.max(SLOWEST, currentSpeed(old, now) / 2)
  db.run('INSERT OR REPLACE INTO pace_brake VALUES (1, ?, ?, ?, ?)', [now, until, speed, newest])
}

export interface PaceOptions {
  /** ms since 1970; the same clock for all processes. It is read under the lock, so that no reading is overtaken. */
  now(): number
}

/** The answer to "may I send now?": go, or ask again after so many ms. */
export type Permission =
  | {readonly waitMs: 0; readonly grant: number}
  | {readonly waitMs: number; readonly grant?: never}

interface ShareRow {
  readonly next_at: number
  readonly caution: number
}

/** Every so many grants, those that no window reaches any more are removed. */
const TIDY_EVERY = 512
/** How many round trips must be known before the fastest of them is believed. */
const TRIPS_TO_KNOW = 50
const DAY_MS = 86_400_000

/**
 * A pace that all processes of a user on one profile share, for a service that counts the requests of every sliding
 * window as they arrive.
 *
 * The n-th request may leave when, for each rate, the one `limit` before it has certainly left the service's window. The
 * service counts arrivals, which nobody here sees: a request arrived no later than its answer came, less the fastest
 * round trip. So an answered request counts from that moment (`counted_at`), its sending plus what it took longer than
 * the fastest. Answers that take their time on the service's side look the same, so this caution has a budget: 1 % of
 * the pace in the long run, and a reserve for cold connections and stalls.
 */
export class Pace {
  readonly #db: Database
  readonly #now: () => number

  constructor(db: Database, options: PaceOptions) {
    this.#db = db
    this.#now = options.now
  }

  /**
   * Asks to send one request now. A granted request must leave at once.
   *
   * @param rates what this caller may do together with every other caller that has the same rates.
   * @param quota what all callers together may do, whatever their rates.
   */
  acquire(rates: readonly Rate[], quota: readonly Rate[] = []): Permission {
    return immediateUnsynced(this.#db, () => {
      const now = this.#now()
      this.#mendClock(now)
      const brake = readBrake(this.#db, now)
      if (brake !== undefined && now < brake.blocked_until) return {waitMs: brake.blocked_until - now}
      const speed = currentSpeed(brake, now)
      const share = shareName(rates)
      const own = this.#share(share, rates)
      const slot = slotMs(rates) / speed
      const nextAt = this.#nextSlot(share, own, now, slot)
      const freeAt = Math.max(
        nextAt,
        ...rates.map(rate => this.#freeAt(rate, speed, share)),
        ...quota.map(rate => this.#freeAt(rate, speed)),
      )
      if (freeAt > now) return {waitMs: Math.ceil(freeAt - now)}
      return {
        waitMs: 0,
        grant: this.#grant(share, rates, now, nextAt + slot),
      }
    })
  }

  /** To be told of every answer, of any status: it shows when the request arrived at the latest. */
  answered(grant: number): void {
    immediateUnsynced(this.#db, () => {
      const now = this.#now()
      const row = this.#db.get<{share: string; sent_at: number}>(
        'SELECT share, sent_at FROM pace_grant WHERE id = ? AND trip_ms IS NULL',
        [grant],
      )
      const own =
        row && this.#db.get<ShareRow>('SELECT next_at, caution FROM pace_share WHERE share = ?', [row.share])
      if (row === undefined || own === undefined) return
      const rates = ratesOf(row.share)
      const trip = Math.max(0, now - row.sent_at)
      const excess = trip - Math.min(trip, this.#fastestTrip())
      const budget = own.caution + cautionPerGrant(rates)
      const paid = Math.min(excess, budget)
      this.#db.run('UPDATE pace_grant SET trip_ms = ?, counted_at = sent_at + ? WHERE id = ?', [
        trip,
        Math.round(paid),
        grant,
      ])
      this.#db.run('UPDATE pace_share SET caution = ? WHERE share = ?', [
        Math.min(budget - paid, mostCaution(rates)),
        row.share,
      ])
    })
  }

  /**
   * After a 429: nobody sends until then, and from then on at half the speed, which comes back within a minute. Several
   * 429 to requests of before the first one count once.
   *
   * @param until ms since 1970, from the answer's `Retry-After`.
   * @param grant the request that got it.
   */
  penalise(until: number, grant?: number): void {
    immediateUnsynced(this.#db, () => {
      const now = this.#now()
      const newest = this.#db.get<{id: number | null}>('SELECT max(id) AS id FROM pace_grant')?.id ?? 0
      writeBrake(this.#db, {now, until: Math.max(until, now), newest, grant: grant ?? newest})
    })
  }

  #share(share: string, rates: readonly Rate[]): ShareRow {
    const found = this.#db.get<ShareRow>('SELECT next_at, caution FROM pace_share WHERE share = ?', [share])
    if (found) return found
    const fresh = {next_at: 0, caution: mostCaution(rates)}
    this.#db.run('INSERT INTO pace_share VALUES (?, ?, ?)', [share, fresh.next_at, fresh.caution])
    return fresh
  }

  /** A little late is a timer's fault, and the next slot keeps its place; later is a pause, and slots begin anew. */
  #nextSlot(share: string, {next_at}: ShareRow, now: number, slot: number): number {
    if (next_at < now - smoothingSlackMs(slot)) return now
    if (next_at <= now + slot) return next_at
    // Further away than one slot: left over from a clock that was set back, or from a slower time.
    this.#db.run('UPDATE pace_share SET next_at = ? WHERE share = ?', [now + slot, share])
    return now + slot
  }

  /** When the window of a rate has room again: a window after the request that is `limit` back. */
  #freeAt({limit, windowMs}: Rate, speed: number, share?: string): number {
    const back = Math.max(1, Math.floor(limit * speed)) - 1
    const row =
      share === undefined
        ? this.#db.get<{counted_at: number}>(
            'SELECT counted_at FROM pace_grant ORDER BY counted_at DESC LIMIT 1 OFFSET ?',
            [back],
          )
        : this.#db.get<{counted_at: number}>(
            'SELECT counted_at FROM pace_grant WHERE share = ? ORDER BY counted_at DESC LIMIT 1 OFFSET ?',
            [share, back],
          )
    return row === undefined ? 0 : row.counted_at + windowMs + CLOCK_MARGIN_MS
  }

  /** 0 until enough were seen: the first requests of a run all wait for connections, and would pass for fast. */
  #fastestTrip(): number {
    const enough = this.#db.get(
      'SELECT 1 FROM pace_grant WHERE trip_ms IS NOT NULL ORDER BY trip_ms LIMIT 1 OFFSET ?',
      [TRIPS_TO_KNOW - 1],
    )
    if (enough === undefined) return 0
    const fastest = this.#db.get<{trip_ms: number}>(
      'SELECT trip_ms FROM pace_grant WHERE trip_ms IS NOT NULL ORDER BY trip_ms LIMIT 1',
    )
    return fastest?.trip_ms ?? 0
  }

  #grant(share: string, rates: readonly Rate[], now: number, nextAt: number): number {
    const {lastInsertRowid} = this.#db.run(
      'INSERT INTO pace_grant (share, sent_at, counted_at) VALUES (?, ?, ?)',
      [share, now, now],
    )
    this.#db.run('UPDATE pace_share SET next_at = ? WHERE share = ?', [nextAt, share])
    const grant = Number(lastInsertRowid)
    if (grant % TIDY_EVERY === 0) this.#tidy(share, rates, now)
    return grant
  }

  #tidy(share: string, rates: readonly Rate[], now: number): void {
    const reach = Math.max(...rates.map(rate => rate.windowMs)) * 2
    this.#db.run('DELETE FROM pace_grant WHERE share = ? AND counted_at < ?', [share, now - reach])
    this.#db.run('DELETE FROM pace_grant WHERE counted_at < ?', [now - DAY_MS])
  }

  /** What lies in the future was written before the clock was set back: count it as sent now, to be on the safe side. */
  #mendClock(now: number): void {
    const newest = this.#db.get<{at: number | null}>('SELECT max(counted_at) AS at FROM pace_grant')?.at ?? 0
    if (newest > now) {
      this.#db.run('UPDATE pace_grant SET sent_at = ?, counted_at = ? WHERE counted_at > ?', [now, now, now])
    }
  }
}
