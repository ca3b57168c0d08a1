import {duration} from '../errors/duration.ts'
import {localTime} from './when.ts'

/** What a command waits for. */
export interface Waiting {
  readonly for: 'pause' | 'quota' | 'lease' | 'lock' | 'retry' | 'response' | 'batch' | 'start'
  /** Whose move it is, as a clause: "127.0.0.1:8480 has not responded yet". */
  readonly why: string
  /** When it ends at the latest, if that is known, in ms since 1970. */
  readonly until?: number | undefined
  /** More for programs. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
  /** On a terminal, in place of the sentence. */
  readonly brief?: string | undefined
}

export interface WaitSurroundings {
  readonly timeZone?: string | undefined
  now(): number
  /** Calls back regularly until the returned function is called. */
  every(millis: number, act: () => void): () => void
  say(text: string, facts: {readonly code: string} & Readonly<Record<string, unknown>>): void
}

const STANDSTILLS: ReadonlySet<Waiting['for']> = new Set(['pause', 'lease', 'lock'])

/** A wait that certainly is longer is said at once, any other when it has taken so long. */
const SHORT_MS = 5_000
const TICK_MS = 1_000
/** Between two looks. After more, the process itself stood still: a lock of a file blocks it, or the machine slept. */
const STOOD_STILL_MS = 3 * TICK_MS
/** A long wait is said again, so that the end of a log has it. */
const AGAIN_MS = 60_000

/** "Waiting until 2026-11-21 14:02 UTC+2 (15 min): …" */
export function waitingText(
  {why, until}: Waiting,
  clock: {readonly now: number; readonly timeZone?: string | undefined},
) {
  if (until === undefined) return `Waiting: ${why}.`
  return `Waiting until ${localTime(until, clock)} (${duration(Math.max(0, until - clock.now))}): ${why}.`
}

/** The same for programs. */
const waitingFacts = ({for: reason, why, until, facts}: Waiting) => ({
  for: reason,
  why,
  ...(until === undefined ? {} : {until: new Date(until).toISOString()}),
  ...facts,
})

interface Begun {
  readonly waiting: Waiting
  /** Later than its begin by the time in which this process stood still: then it could not see that the wait was over. */
  since: number
}

/** Says without a terminal what a command waits for, unless it is short. The same reason is said once for all that have it. */
export class Waits {
  readonly #surroundings: WaitSurroundings
  readonly #begun = new Set<Begun>()
  readonly #saidAt = new Map<string, number>()
  #stop: (() => void) | undefined
  #lookedAt = 0

  constructor(surroundings: WaitSurroundings) {
    this.#surroundings = surroundings
  }

  begin(waiting: Waiting): () => void {
    const {now, every} = this.#surroundings
    const begun = {waiting, since: now()}
    this.#begun.add(begun)
    if (this.#stop === undefined) this.#lookedAt = begun.since
    this.#stop ??= every(TICK_MS, () => this.#look())
    if (this.#isLong(begun)) this.#say(waiting)
    return () => this.#begun.delete(begun)
  }

  /** What a board or a progress line adds: the wait that is over last. */
  get longest(): Waiting | undefined {
    const long = [...this.#begun].filter(begun => this.#isLong(begun)).map(({waiting}) => waiting)
    return long.toSorted((one, other) => (other.until ?? 0) - (one.until ?? 0))[0]
  }

  /** Whether nothing is done meanwhile, in any of the things that the command does. */
  get isPaused(): boolean {
    return [...this.#begun].some(({waiting}) => STANDSTILLS.has(waiting.for))
  }

  #look(): void {
    const now = this.#surroundings.now()
    const stoodMs = now - this.#lookedAt
    this.#lookedAt = now
    if (stoodMs >= STOOD_STILL_MS)
      for (const begun of this.#begun) begun.since = Math.min(now, begun.since + stoodMs)
    for (const begun of this.#begun) if (this.#isLong(begun)) this.#say(begun.waiting)
    if (this.#begun.size > 0) return
    this.#stop?.()
    this.#stop = undefined
    this.#saidAt.clear()
  }

  #isLong({waiting: {until}, since}: Begun): boolean {
    const now = this.#surroundings.now()
    return now - since >= SHORT_MS || (until !== undefined && until - now >= SHORT_MS)
  }

  #say(waiting: Waiting): void {
    const {now, timeZone, say} = this.#surroundings
    const at = now()
    const saidAt = this.#saidAt.get(waiting.why)
    if (saidAt !== undefined && at - saidAt < AGAIN_MS) return
    this.#saidAt.set(waiting.why, at)
    say(waitingText(waiting, {now: at, timeZone}), {code: 'WAITING', ...waitingFacts(waiting)})
  }
}
