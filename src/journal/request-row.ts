import type {Effect} from '../contract/operation.ts'
import type {EffectOutcome} from '../errors/failure.ts'
import type {Outcome, Replayed, RequestRecord} from './request-record.ts'

/** A row of `request` as SQLite gives it. */
export interface RequestRow {
  readonly id: string
  readonly profile: string
  readonly operation: string
  readonly effect_mark: string
  readonly method: string
  readonly path: string
  readonly target: string | null
  readonly resources: string
  readonly key: string | null
  readonly fingerprint: string
  readonly audit_user: string
  readonly job: string | null
  readonly reference: string | null
  readonly part: string | null
  readonly retry_of: string | null
  readonly begun_at: number
  readonly pid: number
  readonly process_mark: string
  readonly ended_at: number | null
  readonly outcome: string | null
  readonly status: number | null
  readonly reply_id: string | null
  readonly duration_ms: number | null
  readonly attempts: number | null
  readonly effect: string | null
  readonly repeatable: number | null
  readonly failure: string | null
  readonly announced_at: number | null
  readonly resolved_at: number | null
  readonly evidence: string | null
  readonly left_machine: number | null
  readonly replayed: string | null
  readonly sent: Uint8Array | null
  readonly said: string | null
  readonly differences: string | null
}

/** Resources as one text that can be searched whole: `/account:2001/batch:88002/`. More may be added at its end. */
export const joinResources = (resources: readonly string[]): string => `/${moreResources(resources)}`

export const moreResources = (resources: readonly string[]): string =>
  [...new Set(resources)].map(one => `${encoded(one)}/`).join('')

/** SQL that is true where the joined resources hold `card:3004`, or `3004` of any kind. */
export function holdsResource(wanted: string): {readonly sql: string; readonly values: string[]} {
  const text = `${encoded(wanted)}/`
  if (wanted.includes(':')) return {sql: 'instr(resources, ?) > 0', values: [`/${text}`]}
  return {
    sql: '(instr(resources, ?) > 0 OR instr(resources, ?) > 0)',
    values: [`/${text}`, `:${text}`],
  }
}

/** The colon behind the kind is the only one. */
const encoded = (resource: string): string => encodeURIComponent(resource).replace('%3A', ':')

const splitResources = (text: string): string[] => [
  ...new Set(
    text
      .split('/')
      .filter(part => part !== '')
      .map(decodeURIComponent),
  ),
]

const toReplayed = (text: string): Replayed => (text === 'unknown' ? text : text === 'true')

/** @param isGone tells whether the process that began an open request has ended. */
export function toRecord(row: RequestRow, isGone: (row: RequestRow) => boolean): RequestRecord {
  return {
    id: row.id,
    profile: row.profile,
    operation: row.operation,
    effectMark: row.effect_mark as Effect,
    method: row.method,
    path: row.path,
    target: row.target ?? undefined,
    // A control id's digest links requests and tells a person nothing.
    resources: splitResources(row.resources).filter(one => !one.startsWith('control:')),
    key: row.key ?? undefined,
    auditUser: row.audit_user,
    job: row.job ?? undefined,
    reference: row.reference ?? undefined,
    part: row.part ?? undefined,
    retryOf: row.retry_of ?? undefined,
    left: row.left_machine === null ? undefined : row.left_machine === 1,
    begunAt: row.begun_at,
    pid: row.pid,
    state: (row.outcome as Outcome | null) ?? (isGone(row) ? 'unfinished' : 'running'),
    endedAt: row.ended_at ?? undefined,
    status: row.status ?? undefined,
    replyId: row.reply_id ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    attempts: row.attempts ?? undefined,
    effect: (row.effect as EffectOutcome | null) ?? undefined,
    repeatable: row.repeatable === null ? undefined : row.repeatable === 1,
    failure: row.failure ?? undefined,
    replayed: row.replayed === null ? undefined : toReplayed(row.replayed),
    said: row.said ?? undefined,
    differences: row.differences === null ? undefined : (JSON.parse(row.differences) as string[]),
    resolvedAt: row.resolved_at ?? undefined,
    evidence: row.evidence ?? undefined,
  }
}
