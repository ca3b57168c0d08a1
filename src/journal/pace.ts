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
  readonly waits?: TellWait | undefined
  /** Whose requests these are, in words: other runs that a 429 pauses are told. */
  readonly of?: string | undefined
}

/** Why nobody may send: a service has asked for a pause. Times in ms since 1970. */
export interface Pause {
  readonly since: number
  readonly until: number
  /** Whose request was limited, in words. */
  readonly of?: string | undefined
}

/** What a turn waits for: the end of a pause, or room in the quota. */
export interface TurnWait {
  readonly ms: number
  readonly pause?: Pause | undefined
}

/**
 * Called before each wait for a turn, and with undefined when it is over.
 *
 * @throws Failure if nobody is to wait that long; the turn fails with it.
 */
export type TellWait = (wait: TurnWait | undefined) => void

/** A pause may be cleared by another process, so it is looked at this often, in ms. */
export const LOOK_AGAIN_MS = 5_000

/** Permission to send one request. */
export interface Turn {
  /**
   * A response arrived, of any status. A 429 makes everybody wait.
   *
   * @param retryAfterMs how long, if the service says so.
   */
  answered(status: number, retryAfterMs?: number): void
}

/** How long everybody waits after a 429 without a time, in ms: the quota is counted per second. */
export const DEFAULT_WAIT_MS = 1000

/** Gives permission to send, one request after another. */
export interface Pacing {
  /**
   * Resolves when a request may be sent; it must then be sent at once. Rejects when the signal aborts, without losing a
   * turn.
   */
  turn(signal?: AbortSignal): Promise<Turn>
}

/**
 * Turns in the order in which they were requested. Only the first waiting caller of this process asks the shared pace,
 * so that a hundred requests in flight don't compete for the lock.
 */
export class Pacer implements Pacing {
  readonly #options: PacerOptions
  #line: Promise<unknown> = Promise.resolve()

  constructor(options: PacerOptions) {
    this.#options = options
  }

  turn(signal?: AbortSignal): Promise<Turn> {
    const turn = this.#line.then(() => this.#first(signal))
    this.#line = turn.catch(() => undefined)
    return turn
  }

  async #first(signal: AbortSignal | undefined): Promise<Turn> {
    const {pace, rates, quota, sleep, now, waits, of} = this.#options
    let isWaiting = false
    try {
      for (;;) {
        signal?.throwIfAborted()
        const {waitMs, grant, pause} = pace.acquire(rates, quota)
        if (grant !== undefined) {
          return {
            answered: (status, retryAfterMs = 0) => {
              pace.answered(grant)
              if (status === 429) pace.penalise(now() + Math.max(retryAfterMs, DEFAULT_WAIT_MS), grant, of)
            },
          }
        }
        isWaiting = true
        waits?.({ms: waitMs, pause})
        await sleep(pause === undefined ? waitMs : Math.min(waitMs, LOOK_AGAIN_MS), signal)
      }
    } finally {
      if (isWaiting) waits?.(undefined)
    }
  }
}

/** The effect of a 429, for all processes. */
interface Brake {
  readonly braked_at: number
  readonly blocked_until: number
  /** Part of the full speed right after the block, in (0, 1]. */
  readonly speed: number
  /** The newest request of that moment. A 429 to this or an older one is the same event. */
  readonly last_grant: number
  readonly asked_of: string | null
}

const SLOWEST = 1 / 16
/** The time from standstill to full speed, so from half speed it takes half as long. */
const RECOVERY_MS = 60_000

const BRAKE = 'braked_at, blocked_until, speed, last_grant, asked_of'

/** A block in the future: the clock was set back, and how long to wait is unknown. Wait that long from now. */
function corrected(db: Database, brake: Brake | undefined, now: number): Brake | undefined {
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

interface Limited {
  readonly now: number
  readonly until: number
  readonly newest: number
  readonly grant: number
  readonly of: string | undefined
}

function writeBrake(db: Database, {now, until, newest, grant, of}: Limited): void {
  const old = corrected(db, db.get<Brake>(`SELECT ${BRAKE} FROM pace_brake`), now)
  if (old !== undefined && grant <= old.last_grant) {
    db.run('UPDATE pace_brake SET blocked_until = ?', [Math.max(old.blocked_until, until)])
    return
  }
  const speed = Math.max(SLOWEST, currentSpeed(old, now) / 2)
  db.run('INSERT OR REPLACE INTO pace_brake VALUES (1, ?, ?, ?, ?, ?)', [
    now,
    until,
    speed,
    newest,
    of ?? null,
  ])
}

const pauseOf = ({braked_at, blocked_until, asked_of}: Brake): Pause => ({
  since: braked_at,
  until: blocked_until,
  ...(asked_of === null ? {} : {of: asked_of}),
})

export interface PaceOptions {
  /** ms since 1970, from the same clock for all processes. Read under the lock, so that times are in order. */
  now(): number
}

/** The answer to "may I send now?": go, or ask again after this many ms. */
export type Permission =
  | {readonly waitMs: 0; readonly grant: number; readonly pause?: never}
  | {readonly waitMs: number; readonly grant?: never; readonly pause?: Pause}

interface ShareRow {
  readonly next_at: number
  readonly caution: number
}

/** After this many grants, those that no window reaches any longer are removed. */
const TIDY_EVERY = 512
/** How many round trips must be known before the fastest of them is trusted. */
const TRIPS_TO_KNOW = 50
const DAY_MS = 86_400_000
const TRIPS = 'SELECT trip_ms FROM pace_grant WHERE trip_ms IS NOT NULL ORDER BY trip_ms LIMIT 1'
/** 0 until enough were seen: the first requests of a run all wait for connections, and would look fast. */
const FASTEST_TRIP = `iif((${TRIPS} OFFSET ${TRIPS_TO_KNOW - 1}) IS NULL, 0, (${TRIPS}))`

/**
 * A pace that all processes of a user on one profile share, for a service that counts the requests of every sliding
 * window as they arrive. The n-th request may be sent when, for each rate, the one `limit` before it has certainly left
 * the service's window.
 *
 * The service counts arrivals, which cannot be seen here. A request arrived no later than its response came, minus the
 * fastest round trip. So an answered request counts from that time (`counted_at`): when it was sent, plus what it took
 * longer than the fastest. A response that is slow because of the service looks the same, so this caution has a budget:
 * 1% of the pace in the long run, and a reserve for cold connections and stalls.
 */
export class Pace {
  readonly #db: Database
  readonly #now: () => number

  constructor(db: Database, options: PaceOptions) {
    this.#db = db
    this.#now = options.now
  }

  /**
   * Asks to send one request now. A granted request must be sent at once.
   *
   * @param rates what this caller may do together with every other caller that has the same rates.
   * @param quota what all callers together may do, whatever their rates.
   */
  acquire(rates: readonly Rate[], quota: readonly Rate[] = []): Permission {
    return immediateUnsynced(this.#db, () => {
      const now = this.#now()
      const share = shareName(rates)
      const {newest, own: known, brake: found} = this.#state(share)
      if (newest > now) this.#correctClock(now)
      const brake = corrected(this.#db, found, now)
      if (brake !== undefined && now < brake.blocked_until)
        return {waitMs: brake.blocked_until - now, pause: pauseOf(brake)}
      const speed = currentSpeed(brake, now)
      const own = known ?? this.#newShare(share, rates)
      const slot = slotMs(rates) / speed
      const nextAt = this.#nextSlot(share, own, now, slot)
      const freeAt = Math.max(nextAt, this.#freeAt(rates, quota, speed, share))
      if (freeAt > now) return {waitMs: Math.ceil(freeAt - now)}
      return {
        waitMs: 0,
        grant: this.#grant(share, rates, now, nextAt + slot),
      }
    })
  }

  /** Call it for every response, of any status: it shows when the request arrived at the latest. */
  answered(grant: number): void {
    immediateUnsynced(this.#db, () => {
      const now = this.#now()
      const found = this.#db.get<{share: string; sent_at: number; caution: number; fastest: number}>(
        `SELECT share, sent_at, caution, ${FASTEST_TRIP} AS fastest
         FROM pace_grant JOIN pace_share USING (share) WHERE id = ? AND trip_ms IS NULL`,
        [grant],
      )
      if (found === undefined) return
      const rates = ratesOf(found.share)
      const trip = Math.max(0, now - found.sent_at)
      const excess = trip - Math.min(trip, found.fastest)
      const budget = found.caution + cautionPerGrant(rates)
      const paid = Math.min(excess, budget)
      this.#db.run('UPDATE pace_grant SET trip_ms = ?, counted_at = sent_at + ? WHERE id = ?', [
        trip,
        Math.round(paid),
        grant,
      ])
      this.#db.run('UPDATE pace_share SET caution = ? WHERE share = ?', [
        Math.min(budget - paid, mostCaution(rates)),
        found.share,
      ])
    })
  }

  /**
   * After a 429 nobody sends until then, and then at half speed, which rises to full within a minute. Several 429 to
   * requests from before the first one count once.
   *
   * @param until ms since 1970, from the response's `Retry-After`.
   * @param grant the request that got it.
   * @param of whose request it is, in words.
   */
  penalise(until: number, grant?: number, of?: string): void {
    immediateUnsynced(this.#db, () => {
      const now = this.#now()
      const newest = this.#db.get<{id: number | null}>('SELECT max(id) AS id FROM pace_grant')?.id ?? 0
      writeBrake(this.#db, {now, until: Math.max(until, now), newest, grant: grant ?? newest, of})
    })
  }

  /** The pause that nobody sends in now. Changes nothing. */
  pause(): Pause | undefined {
    const brake = this.#db.get<Brake>('SELECT * FROM pace_brake')
    const now = this.#now()
    if (brake === undefined || now >= brake.blocked_until) return undefined
    return pauseOf(brake)
  }

  /** Ends the pause now. Then the rate rises from half speed, as after its end. */
  clear(): void {
    this.#db.run('UPDATE pace_brake SET blocked_until = ?, braked_at = min(braked_at, ?)', [
      this.#now(),
      this.#now(),
    ])
  }

  /** What decides about the next request. `newest` is when the newest one counts, 0 without one. */
  #state(share: string): {newest: number; own: ShareRow | undefined; brake: Brake | undefined} {
    type Row = {newest: number | null} & {[K in keyof (ShareRow & Brake)]: (ShareRow & Brake)[K] | null}
    const row = this.#db.get<Row>(
      `SELECT (SELECT max(counted_at) FROM pace_grant) AS newest, next_at, caution, ${BRAKE}
       FROM (SELECT 1) LEFT JOIN pace_share ON share = ? LEFT JOIN pace_brake`,
      [share],
    )
    return {
      newest: row?.newest ?? 0,
      own: row?.next_at == null ? undefined : (row as ShareRow),
      brake: row?.braked_at == null ? undefined : (row as Brake),
    }
  }

  #newShare(share: string, rates: readonly Rate[]): ShareRow {
    const fresh = {next_at: 0, caution: mostCaution(rates)}
    this.#db.run('INSERT INTO pace_share VALUES (?, ?, ?)', [share, fresh.next_at, fresh.caution])
    return fresh
  }

  /**
   * A little late is the fault of a timer, and the next slot keeps its place. Later is a pause, and slots begin again.
   */
  #nextSlot(share: string, {next_at}: ShareRow, now: number, slot: number): number {
    if (next_at < now - smoothingSlackMs(slot)) return now
    if (next_at <= now + slot) return next_at
    // Further away than one slot: from before the clock was set back, or from a slower time.
    this.#db.run('UPDATE pace_share SET next_at = ? WHERE share = ?', [now + slot, share])
    return now + slot
  }

  /** When the windows of all rates have room again: each one window after the request that is `limit` back. */
  #freeAt(rates: readonly Rate[], quota: readonly Rate[], speed: number, share: string): number {
    const all = [...rates, ...quota]
    const columns = all.map(
      (_, at) =>
        `(SELECT counted_at FROM pace_grant ${at < rates.length ? 'WHERE share = :share' : ''}
          ORDER BY counted_at DESC LIMIT 1 OFFSET :back${at}) AS at${at}`,
    )
    const back = all.map(({limit}, at) => [`back${at}`, Math.max(1, Math.floor(limit * speed)) - 1])
    const found = this.#db.get<Record<string, number | null>>(`SELECT ${columns.join(', ')}`, {
      share,
      ...Object.fromEntries(back),
    })
    const free = all.map(({windowMs}, at) => {
      const counted = found?.[`at${at}`]
      return counted == null ? 0 : counted + windowMs + CLOCK_MARGIN_MS
    })
    return Math.max(...free)
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

  /** A time in the future was recorded before the clock was set back. Count it as sent now, to be safe. */
  #correctClock(now: number): void {
    this.#db.run('UPDATE pace_grant SET sent_at = ?, counted_at = ? WHERE counted_at > ?', [now, now, now])
  }
}
