import {isObject} from '../errors/is-object.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {placeFile} from '../files/place-file.ts'

const HOUR = 3_600_000

/** Longer after the last time at which the clock was believed, it may have jumped. */
const LONGEST_STEP_MS = 48 * HOUR
/** How far a clock is set back in the ordinary way. */
const SET_BACK_MS = HOUR / 6
/** The time of a service proves that the clock is right, or that it isn't. Some services have the wrong zone. */
const AGREES_MS = 24 * HOUR
/** A confirmed time that agrees with the one before as well as the times of services do is not noted again. */
const CONFIRMED_WITHIN_MS = 60_000
/** The file may be this much behind. */
const NOTED_EVERY_MS = HOUR / 6

/** The newest time at which the clock of this machine was believed. */
interface Mark {
  /** ms since 1970. */
  readonly at: number
  /** Whether a service or a person has said that the clock is right, and it has not jumped since. */
  readonly proven: boolean
  /** What a service or a person last said the time is. */
  readonly confirmed?: Confirmed | undefined
}

/** A time that was confirmed, and how long the machine had been running then, which no change of the clock changes. */
interface Confirmed {
  /** ms since 1970. */
  readonly at: number
  readonly runningMs: number
}

export interface TrustedClockOptions {
  /** Where the mark is kept, for all processes and services. */
  readonly file: string
  /** ms since 1970. */
  now(): number
  /** How long this machine has been running, ms. */
  runningMs(): number
  /** `--clock-is-right` */
  readonly vouched: boolean
}

/** Why the clock isn't believed. Times in ms since 1970. */
export interface Doubt {
  readonly now: number
  /** When it was last believed. */
  readonly last: number
  /** What a service said meanwhile. */
  readonly service: number | undefined
}

/** Whether the time is believed, and if so, whether something outside this machine has proved it. */
export interface TimeJudgement {
  readonly isBelieved: boolean
  readonly isProven: boolean
}

/** Between which times it is now, ms since 1970. */
export interface TimeSpan {
  readonly from: number
  readonly until: number
}

/**
 * The one place that says whether something may be removed, or counts as expired, at this time. The clock isn't believed
 * if it is more than 48 hours past the last time at which it was, or before it, until a service that is no sandbox, or a
 * person, says that it is right. Then nothing is removed, what stops a repeat stays, and what permits one has expired.
 */
export class TrustedClock {
  readonly now: () => number
  readonly vouched: boolean
  readonly #runningMs: () => number
  readonly #file: string
  #mark: Mark | undefined
  #service: number | undefined
  #wasNeeded = false
  /** A service proved the clock before anything was noted: a read leaves no file. */
  #wasProven = false
  #confirmed: Confirmed | undefined

  constructor({file, now, runningMs, vouched}: TrustedClockOptions) {
    this.#file = file
    this.now = now
    this.#runningMs = runningMs
    this.vouched = vouched
  }

  /**
   * Whether the time can be believed.
   *
   * @param newest when the newest entry of the store at hand was made, ms since 1970: counts on a machine that has noted
   * no time yet.
   */
  isBelieved(newest: () => number | undefined = () => undefined): boolean {
    if (this.vouched) {
      this.#confirm(this.now())
      this.#note({at: this.now(), proven: true})
      return true
    }
    if (this.#service !== undefined) return false
    const mark = this.#current(newest)
    const now = this.now()
    if (!fits(mark, now)) return false
    this.#note({at: Math.max(mark.at, now), proven: mark.proven})
    return true
  }

  /**
   * The same for what only a person removes, and what is kept in another file: it is enough that the newest entry is
   * young.
   */
  follows(newest: number | undefined): boolean {
    return (newest !== undefined && fits({at: newest}, this.now())) || this.isBelieved(() => newest)
  }

  /** The same, and whether the time is proved. */
  judge(newest?: () => number | undefined): TimeJudgement {
    const isBelieved = this.isBelieved(newest)
    return {isBelieved, isProven: isBelieved && (this.vouched || this.#mark?.proven === true)}
  }

  /**
   * The earliest time that it can be now, ms since 1970. What is removed by its age is as old as it is by this time, and a
   * key that is used now may have been used since then. It is what a service or a person confirmed, and as long as this
   * machine has run since; or what the clock says, less what it may be wrong without being noticed.
   */
  earliest(newest?: () => number | undefined): number {
    const now = this.now()
    if (this.vouched) return now
    const believed = this.isBelieved(newest) ? now - LONGEST_STEP_MS : Number.NEGATIVE_INFINITY
    return Math.min(now, Math.max(this.#confirmedUntil()?.at ?? Number.NEGATIVE_INFINITY, believed))
  }

  /**
   * Between which times it is now for a service that forgets keys: a clock that was changed since a service confirmed it
   * says another one.
   */
  span(): TimeSpan {
    const now = this.now()
    const confirmed = this.vouched ? undefined : this.#confirmedUntil()
    if (confirmed === undefined || Math.abs(confirmed.at - now) <= SET_BACK_MS) return {from: now, until: now}
    const {at, isExact} = confirmed
    return {from: isExact ? Math.min(now, at) : now, until: Math.max(now, at)}
  }

  /** Whether the clock says what was confirmed last, as far as that can be told: not after a restart of the machine. */
  isSure(): boolean {
    const confirmed = this.#confirmedUntil()
    if (this.vouched || confirmed === undefined) return true
    return confirmed.isExact && Math.abs(confirmed.at - this.now()) <= SET_BACK_MS
  }

  /** The same for a sandbox, which can't prove the time, and loses nothing. Keys live there by the clock of the machine. */
  ofSandbox(): Pick<TrustedClock, 'judge' | 'vouched' | 'needed' | 'earliest' | 'span'> {
    return {
      judge: newest => {
        const isBelieved = this.isBelieved(newest)
        return {isBelieved, isProven: isBelieved}
      },
      vouched: this.vouched,
      needed: () => this.needed(),
      earliest: newest => this.earliest(newest),
      span: () => ({from: this.now(), until: this.now()}),
    }
  }

  /** Takes what a response of a service that is no sandbox says the time is. */
  heard(headers: Readonly<Record<string, string>>): void {
    const service = serviceTime(headers)
    if (this.vouched || service === undefined) return
    const now = this.now()
    this.#confirm(service)
    if (Math.abs(service - now) > AGREES_MS) {
      this.#service = service
      return
    }
    this.#service = undefined
    this.#mark ??= this.#read()
    if (this.#mark === undefined) this.#wasProven = true
    else if (!this.#mark.proven || !fits(this.#mark, now)) this.#note({at: now, proven: true})
    else this.#note(this.#mark)
  }

  #confirm(at: number): void {
    const until = this.#confirmedUntil()
    if (until?.isExact !== true || Math.abs(at - until.at) >= CONFIRMED_WITHIN_MS)
      this.#confirmed = {at, runningMs: this.#runningMs()}
  }

  /** The time that has certainly come; after a restart of the machine, a later one has. */
  #confirmedUntil(): {readonly at: number; readonly isExact: boolean} | undefined {
    this.#mark ??= this.#read()
    const confirmed = this.#confirmed ?? this.#mark?.confirmed
    if (confirmed === undefined) return undefined
    const ran = this.#runningMs()
    const isExact = ran >= confirmed.runningMs
    return {at: confirmed.at + (isExact ? ran - confirmed.runningMs : ran), isExact}
  }

  /** Something was about to be removed, sent or found expired by this clock. */
  needed(): void {
    this.#wasNeeded = true
  }

  /** To be said at the end of a command; undefined if the clock is believed, or didn't matter. */
  get doubt(): Doubt | undefined {
    if (!this.#wasNeeded || this.isBelieved()) return undefined
    return {now: this.now(), last: this.#mark?.at ?? this.now(), service: this.#service}
  }

  #current(newest: () => number | undefined): Mark {
    // Another process may have settled it.
    if (this.#mark === undefined || !fits(this.#mark, this.now())) this.#mark = this.#read() ?? this.#mark
    if (this.#mark === undefined) {
      const at = this.#wasProven ? undefined : newest()
      const confirmed = this.#confirmed
      this.#mark =
        at === undefined
          ? {at: this.now(), proven: this.#wasProven, confirmed}
          : {at, proven: true, confirmed}
      this.#write(this.#mark)
    }
    return this.#mark
  }

  #note({at, proven}: Mark): void {
    const before = this.#mark
    const confirmed = this.#confirmed ?? before?.confirmed
    const isSame =
      before?.proven === proven &&
      Math.abs(at - before.at) < NOTED_EVERY_MS &&
      before.confirmed?.at === confirmed?.at
    if (isSame) return
    this.#mark = {at, proven, confirmed}
    this.#write(this.#mark)
  }

  #read(): Mark | undefined {
    try {
      const value: unknown = JSON.parse(readOwnFile(this.#file)?.toString('utf8') ?? '')
      if (!isMark(value)) return undefined
      const {at, proven, confirmed} = value
      return {at, proven, confirmed: isConfirmed(confirmed) ? confirmed : undefined}
    } catch {
      // Without it the newest entries decide.
      return undefined
    }
  }

  #write(mark: Mark): void {
    try {
      placeFile(
        this.#file,
        `${JSON.stringify({at: mark.at, time: timeOf(mark.at), proven: mark.proven, confirmed: mark.confirmed})}\n`,
        {
          replace: true,
        },
      )
    } catch {
      // Where this can't be written, the journal can't either, which says so.
    }
  }
}

/** Whether a clock that was right at one time can have come to another by itself. */
const fits = ({at}: Pick<Mark, 'at'>, now: number): boolean =>
  now >= at - SET_BACK_MS && now <= at + LONGEST_STEP_MS

const isMark = (value: unknown): value is Mark =>
  isObject(value) && Number.isSafeInteger(value.at) && typeof value.proven === 'boolean'

const isConfirmed = (value: unknown): value is Confirmed =>
  isObject(value) && Number.isSafeInteger(value.at) && Number.isSafeInteger(value.runningMs)

/** For people. A broken clock may say what no date can. */
const timeOf = (at: number): string | undefined =>
  Number.isNaN(new Date(at).getTime()) ? undefined : new Date(at).toISOString()

/** What a response says the time is, ms since 1970 (RFC 9110, 6.6.1; 5.1 of RFC 9111 for a stored one). */
function serviceTime(headers: Readonly<Record<string, string>>): number | undefined {
  const time = Date.parse(headers.date ?? '')
  const age = Number(headers.age ?? 0)
  return Number.isNaN(time) ? undefined : time + (age > 0 ? age * 1000 : 0)
}
