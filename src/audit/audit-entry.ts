import type {Effect} from '../contract/operation.ts'

/** As in the journal: `none` certainly had no effect and was not judged by the service. */
export type AuditOutcome = 'done' | 'refused' | 'none' | 'unknown' | 'failed'

/** What a command hands over for the trail: that something was done, never what was seen. */
export interface AuditEntry {
  /** What a request does, as the contract marks it; or that its secret was then shown to a person. */
  readonly kind: Effect | 'reveal'
  /** Who is logged in on this machine. */
  readonly osUser: string
  /** Who is named to the service. */
  readonly auditUser: string
  readonly profile: string
  readonly operation: string
  /** What it touched, as `card:3004`. */
  readonly resources?: readonly string[] | undefined
  /** Names of the members that were sent. */
  readonly members?: readonly string[] | undefined
  /** Idempotency key. */
  readonly key?: string | undefined
  /** The journal's id. */
  readonly request?: string | undefined
  readonly outcome: AuditOutcome
  readonly status?: number | undefined
  readonly durationMs?: number | undefined
}

/** Lines that the trail writes about itself. */
export type OwnKind = 'repair' | 'unsealed' | 'gap' | 'prune'

/** The members of an entry; lines of the trail about itself have few of them. */
type Told = {readonly [Name in Exclude<keyof AuditEntry, 'kind'>]?: AuditEntry[Name] | undefined}

/** A line of the trail, as `audit list` shows it. */
export interface AuditRecord extends Told {
  readonly kind: AuditEntry['kind'] | OwnKind
  /** Counts from 1 and never starts anew. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly at: string
  /** What a line of the trail about itself says. */
  readonly note?: string | undefined
}

export interface AuditFilter {
  /** At or after, ms since 1970. */
  readonly since?: number | undefined
  /** Before, ms since 1970. */
  readonly until?: number | undefined
  readonly kind?: AuditRecord['kind'] | undefined
  /** One of these. */
  readonly operations?: readonly string[] | undefined
  /** What was touched: `card:3004`, or `3004` of any kind. */
  readonly resource?: string | undefined
  readonly profile?: string | undefined
  readonly auditUser?: string | undefined
  readonly outcome?: AuditOutcome | undefined
}
