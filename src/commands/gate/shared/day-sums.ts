import {createHash} from 'node:crypto'
import type {CountedRequest, DaySums} from '../../../cli/pass-policy.ts'
import {Failure} from '../../../errors/failure.ts'
import {amountText, type Decision, dayLimit} from '../../../policy/index.ts'
import {type Database, immediate, openDatabase} from '../../../sqlite/index.ts'
import {guessMigration, KeptGuesses} from './kept-guesses.ts'
import {SteadyClock} from './steady-clock.ts'

/** Amounts are whole millionths, as text: a sum may be larger than a number of the database. */
const migrations: readonly string[] = [
  `CREATE TABLE attempt (
     id      INTEGER PRIMARY KEY,
     day     TEXT NOT NULL,
     at      INTEGER NOT NULL,
     user    TEXT NOT NULL,
     profile TEXT NOT NULL,
     key     TEXT,
     digest  TEXT NOT NULL,
     state   TEXT NOT NULL CHECK (state IN ('open', 'counts', 'none'))
   ) STRICT;
   CREATE INDEX attempt_of_day ON attempt (user, profile, day);
   CREATE INDEX attempt_of_key ON attempt (key) WHERE key IS NOT NULL;
   CREATE TABLE amount (
     attempt    INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
     currency   TEXT NOT NULL,
     millionths TEXT NOT NULL,
     PRIMARY KEY (attempt, currency)
   ) STRICT`,
  // "also": the earliest day that a clock said which was set back to before "day".
  `ALTER TABLE attempt ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE attempt ADD COLUMN also TEXT;
   CREATE INDEX attempt_also ON attempt (user, profile, also) WHERE also IS NOT NULL`,
  guessMigration,
]

const DAY_MS = 86_400_000
/** Repeats come within hours. A clock that was set back finds the days before. */
const KEPT_MS = 8 * DAY_MS
/** Whatever the clock says. */
const KEPT_ATTEMPTS = 50_000
/** Shortly before the service forgets a key, a repeat might have a second effect. */
const KEY_LIFE_MS = 23 * 3_600_000

/** What a caller may have in the journal of a day, which keeps the content of requests for 24 hours. */
const MOST_BYTES = 512 * 1024 * 1024

/** What records take of a request without a body, in the journal, here and in the audit trail. */
const ROOM = 4 * 1024

/** Of a caller, on the days that count as today. */
const OF_DAYS = 'user = ? AND profile = ? AND (day BETWEEN ? AND ? OR also BETWEEN ? AND ?)'
interface Days {
  readonly since: string
  readonly day: string
}

/** A request as it is counted. */
interface Entry extends Days {
  readonly at: number
  readonly key: string | null
  readonly digest: string
  readonly bytes: number
}

interface Attempt {
  readonly at: number
  readonly also: string | null
  readonly digest: string
  readonly state: 'open' | 'counts' | 'none'
}

interface CountedAmount {
  readonly attempt: number
  readonly key: string | null
  readonly digest: string
  readonly currency: string
  readonly millionths: string
}

/**
 * What was sent for each user on each day, in a file. A request counts from before it is sent, and for ever if this
 * process is killed; it no longer does once it is certain that it had no effect. A repeat with the same key and content
 * has one effect, so it counts once.
 */
export class KeptDaySums implements DaySums, Disposable {
  readonly #db: Database
  readonly #now: () => number
  /** Keys of requests that have not ended. */
  readonly #running = new Set<string>()
  #tidied = ''
  readonly #steady: SteadyClock
  readonly guesses: KeptGuesses

  /**
   * @param elapsed ms, of a clock that nobody sets.
   * @throws Failure STORE_DAMAGED, STORE_UNAVAILABLE
   */
  constructor(file: string, now: () => number, elapsed: () => number = () => performance.now()) {
    this.#db = openDatabase(file, {kind: 'day sums', migrations, synchronous: 'FULL'})
    this.#now = now
    this.#steady = new SteadyClock(elapsed)
    this.guesses = new KeptGuesses(this.#db, now, elapsed)
  }

  refusalOf(request: CountedRequest): Decision | undefined {
    return request.built.operation.effect === 'read' ? undefined : this.#over(request, this.#entryOf(request))
  }

  reserve(request: CountedRequest) {
    const {asked, built} = request
    if (built.operation.effect === 'read') return {settle: () => undefined}
    const entry = this.#entryOf(request)
    const {day, at, key} = entry
    const reserved = immediate<number | Decision>(this.#db, () => {
      this.#db.run('UPDATE attempt SET also = ? WHERE day > ? AND (also IS NULL OR also > ?)', [
        day,
        day,
        day,
      ])
      if (key !== null) this.#refuseRepeat(key, entry.digest, at, built.keyed)
      this.#tidy(day, at)
      return this.#over(request, entry) ?? this.#add(entry, asked)
    })
    if (typeof reserved !== 'number') return {refused: reserved}
    if (key !== null) this.#running.add(key)
    return {
      settle: (hadNoEffect: boolean): void => {
        if (key !== null) this.#running.delete(key)
        try {
          this.#db.run('UPDATE attempt SET state = ? WHERE id = ?', [
            hadNoEffect ? 'none' : 'counts',
            reserved,
          ])
        } catch (error) {
          // It goes on counting, and its outcome matters more.
          if (!(error instanceof Failure)) throw error
        }
      },
    }
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  #entryOf(request: CountedRequest): Entry {
    const {asked, built} = request
    const at = this.#now()
    // What was approved is the same request, whoever sends it.
    const whose = asked.approvedBy === undefined ? asked.user : ''
    return {
      at,
      day: dayOf(at),
      // A clock that was set doesn't end a day: what was sent since is added up.
      since: dayOf(this.#steady.earliest(at)),
      key: built.key === undefined ? null : JSON.stringify([whose, asked.profile, built.key]),
      digest: digestOf(request),
      bytes: ROOM + (built.body?.length ?? 0),
    }
  }

  /** Why the day has no room for a request. */
  #over(request: CountedRequest, {since, day, key, digest, bytes}: Entry): Decision | undefined {
    const {asked, policy} = request
    const days = {since, day}
    if (this.#bytesOf(asked, days) + bytes > MOST_BYTES) return overBytes(request)
    const sums = this.#sumsOf(asked, days, key === null ? undefined : {key, digest})
    for (const [currency, amount] of asked.sums) {
      const limit = dayLimit(policy, asked, currency) ?? 0n
      const sent = sums.get(currency) ?? 0n
      if (amount === undefined || sent + amount > limit)
        return overDay(request, {currency, amount, sent, limit})
    }
    return undefined
  }

  /** @throws Failure ALREADY_SENT if a repeat could have a second effect. */
  #refuseRepeat(key: string, digest: string, at: number, keyed: boolean): void {
    if (this.#running.has(key)) throw repeated('has not ended')
    const earlier = this.#db
      .all<Attempt>('SELECT at, also, digest, state FROM attempt WHERE key = ?', [key])
      .filter(({state}) => state !== 'none')
    if (earlier.length === 0) return
    if (earlier.some(one => one.digest !== digest)) throw repeated('had another content')
    if (!keyed) throw repeated('had its effect, or may have had it, and the service takes no repeats of it')
    const first = Math.min(...earlier.map(one => one.at))
    const isOld = Math.abs(at - first) > KEY_LIFE_MS || earlier.some(({also}) => also !== null)
    if (isOld) throw repeated('is so long ago that the service forgets its key')
  }

  /** By currency. @param repeat what is not counted, because it is about to be. */
  #sumsOf(
    {user, profile}: CountedRequest['asked'],
    {since, day}: Days,
    repeat: {readonly key: string; readonly digest: string} | undefined,
  ): ReadonlyMap<string, bigint> {
    const counted = new Set(repeat === undefined ? [] : [JSON.stringify([repeat.key, repeat.digest])])
    const sums = new Map<string, bigint>()
    const rows = this.#db.all<CountedAmount>(
      `SELECT attempt, key, digest, currency, millionths FROM attempt JOIN amount ON attempt = id
       WHERE ${OF_DAYS} AND state <> 'none'`,
      [user, profile, since, day, since, day],
    )
    for (const [effect, some] of Map.groupBy(rows, ({attempt, key, digest}) =>
      key === null ? String(attempt) : JSON.stringify([key, digest]),
    )) {
      if (counted.has(effect)) continue
      // Attempts with one content have the same amounts.
      for (const {currency, millionths} of new Map(some.map(one => [one.currency, one])).values())
        sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(millionths))
    }
    return sums
  }

  /** Also of those without an effect: the journal has them. */
  #bytesOf({user, profile}: CountedRequest['asked'], {since, day}: Days): number {
    const [found] = this.#db.all<{bytes: number | null}>(
      `SELECT sum(bytes) AS bytes FROM attempt WHERE ${OF_DAYS}`,
      [user, profile, since, day, since, day],
    )
    return found?.bytes ?? 0
  }

  #add({day, at, key, digest, bytes}: Entry, {user, profile, sums}: CountedRequest['asked']): number {
    const {lastInsertRowid} = this.#db.run(
      `INSERT INTO attempt (day, at, user, profile, key, digest, bytes, state) VALUES (?, ?, ?, ?, ?, ?, ?, 'open')`,
      [day, at, user, profile, key, digest, bytes],
    )
    for (const [currency, amount = 0n] of sums)
      this.#db.run('INSERT INTO amount (attempt, currency, millionths) VALUES (?, ?, ?)', [
        lastInsertRowid,
        currency,
        String(amount),
      ])
    return Number(lastInsertRowid)
  }

  #tidy(day: string, at: number): void {
    if (this.#tidied === day) return
    this.#db.run('DELETE FROM attempt WHERE at < ? AND id < (SELECT max(id) FROM attempt) - ?', [
      at - KEPT_MS,
      KEPT_ATTEMPTS,
    ])
    this.#tidied = day
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

function digestOf({built: {method, path, body, input}}: CountedRequest): string {
  const hash = createHash('sha256').update(`${method} ${path}\n`)
  return hash.update(body ?? JSON.stringify(input.body ?? null)).digest('hex')
}

function overDay(
  {asked: {profile, caller}, policy}: CountedRequest,
  found: {
    readonly currency: string
    readonly amount: bigint | undefined
    readonly sent: bigint
    readonly limit: bigint
  },
): Decision {
  const {currency, amount, sent, limit} = found
  const what = amount === undefined ? `an unlimited amount` : `${currency} ${amountText(amount)}`
  return {
    allowed: false,
    why: `${what} with the ${currency} ${amountText(sent)} of today is above the ${currency} ${amountText(limit)} of a day`,
    line: policy.lineOf(`/profiles/${profile}/${caller}/sums/${currency}/day`),
  }
}

const overBytes = ({asked: {profile}, policy}: CountedRequest): Decision => ({
  allowed: false,
  why: `the records of today have more than ${MOST_BYTES / 1024 / 1024} MiB`,
  line: policy.lineOf(`/profiles/${profile}`),
})

const repeated = (why: string): Failure =>
  new Failure('ALREADY_SENT', {
    message: `A request with this idempotency key ${why}.`,
    hint: 'Look at the resource to see what became of it.',
    effect: 'none',
  })
