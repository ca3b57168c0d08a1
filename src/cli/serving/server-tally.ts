import {duration} from '../../errors/duration.ts'
import {isObject} from '../../errors/is-object.ts'
import {count, counted} from '../../money/amount.ts'

/** What happened most often that a client or an endpoint didn't want, with the first event of it. */
interface ServerReason {
  readonly code: string
  count: number
  readonly example: string
}

/** A problem has a status of 400 or more, 0 for a dropped connection, or a reason in words. */
function problemOf(event: Readonly<Record<string, unknown>>): string | undefined {
  const {type, status, why} = event
  if (type === 'late' || type === 'dropped' || type === 'unserved') return type
  // A server for others says with each status why.
  if (type === 'request' && typeof why === 'string' && typeof status === 'number') return `HTTP ${status}`
  if (typeof why === 'string') return 'no answer'
  if (status === 0) return 'connection dropped'
  return typeof status === 'number' && status >= 400 ? `HTTP ${status}` : undefined
}

const MOST_REASONS = 5
/** What isn't an event of a client. */
const OWN = new Set(['ready', 'rules', 'rules-used'])

/** Counts the events of a server for its last lines. */
export class ServerTally {
  readonly #startedAt: number
  readonly #counts = new Map<string, number>()
  readonly #reasons = new Map<string, ServerReason>()

  /** @param startedAt ms since 1970 */
  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  see(event: unknown): void {
    if (!isObject(event) || typeof event.type !== 'string' || OWN.has(event.type)) return
    this.#counts.set(event.type, 1 + (this.#counts.get(event.type) ?? 0))
    const code = problemOf(event)
    if (code === undefined) return
    const reason = this.#reasons.get(code)
    if (reason === undefined) this.#reasons.set(code, {code, count: 1, example: exampleOf(event)})
    else reason.count++
  }

  /** @param now ms since 1970 */
  summary(now: number) {
    const reasons = [...this.#reasons.values()].sort((one, other) => other.count - one.count)
    return {
      ranMs: now - this.#startedAt,
      events: Object.fromEntries(this.#counts),
      reasons: reasons.slice(0, MOST_REASONS),
    }
  }
}

/** Where it happened, without a query: it may have ids. */
function exampleOf({operation, path, url, why}: Readonly<Record<string, unknown>>): string {
  const place = [operation, path, url].find(text => typeof text === 'string' && text !== '')
  return [place, why].filter(text => typeof text === 'string').join(': ')
}

/** The same as lines. */
export function tallyLines({ranMs, events, reasons}: ReturnType<ServerTally['summary']>): readonly string[] {
  const kinds = Object.entries(events).map(([type, many]) => counted(many, `${type} event`))
  return [
    `Ended after ${duration(ranMs)}: ${kinds.length === 0 ? 'nothing was received' : kinds.join(', ')}.`,
    ...reasons.map(
      ({code, count: many, example}) => `  ${count(many)} × ${code}${example ? `, such as ${example}` : ''}`,
    ),
  ]
}
