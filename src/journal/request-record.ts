import {type AnyInput, type Effect, RESOURCE_KINDS} from '../contract/operation.ts'
import {withoutHalves} from '../contract/resource.ts'
import type {EffectOutcome} from '../errors/failure.ts'
import type {Secret} from '../sensitive/secret.ts'

/** A row of `request` as SQLite returns it. */
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
  readonly undo_of: string | null
  readonly responsible: string | null
  readonly caller: string | null
  readonly trace: string | null
  readonly proposal: string | null
  readonly dialect: string | null
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
  readonly batch_end: string | null
  readonly left_machine: number | null
  readonly replayed: string | null
  readonly sent: Uint8Array | null
  readonly said: string | null
  readonly differences: string | null
  readonly note: string | null
  readonly ticket: string | null
}

/** Resources as one text: `/account:2001/batch:88002/`. More may be appended. */
export const joinResources = (resources: readonly string[]): string => `/${moreResources(resources)}`

export const moreResources = (resources: readonly string[]): string =>
  [...new Set(resources)].map(one => `${encoded(one)}/`).join('')

/** SQL that is true for the requests of these resources: `card:3004`, or `3004` of any kind. */
export function touchesAny(wanted: readonly string[]): {readonly sql: string; readonly values: string[]} {
  const values = resourceSpellings(wanted)
  return {
    sql: `id IN (SELECT request FROM touched WHERE resource IN (${values.map(() => '?').join()}))`,
    values,
  }
}

/** As the table `touched` has them. */
export const resourceSpellings = (wanted: readonly string[]): string[] =>
  [...new Set(wanted.flatMap(spellings))].map(encoded)

const spellings = (wanted: string): string[] =>
  wanted.includes(':') ? [wanted] : [wanted, ...RESOURCE_KINDS.map(kind => `${kind}:${wanted}`)]

/** The colon after the kind is the only one. */
const encoded = (resource: string): string => encodeURIComponent(withoutHalves(resource)).replace('%3A', ':')

export const splitResources = (text: string): string[] => [
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
  const resources = splitResources(row.resources)
  const isControl = (resource: string): boolean => resource.startsWith('control:')
  return {
    id: row.id,
    profile: row.profile,
    operation: row.operation,
    effectMark: row.effect_mark as Effect,
    method: row.method,
    path: row.path,
    target: row.target ?? undefined,
    // The digest of a control id links requests and means nothing to a person.
    resources: resources.filter(one => !isControl(one)),
    exchange: resources.find(isControl)?.slice('control:'.length),
    key: row.key ?? undefined,
    auditUser: row.audit_user,
    job: row.job ?? undefined,
    reference: row.reference ?? undefined,
    part: row.part ?? undefined,
    retryOf: row.retry_of ?? undefined,
    undoOf: row.undo_of ?? undefined,
    responsible: row.responsible ?? undefined,
    caller: row.caller ?? undefined,
    trace: row.trace ?? undefined,
    proposal: row.proposal ?? undefined,
    dialect: row.dialect ?? undefined,
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
    note: row.note ?? undefined,
    ticket: row.ticket ?? undefined,
    resolvedAt: row.resolved_at ?? undefined,
    evidence: row.evidence ?? undefined,
    batchEnd: row.batch_end === null ? undefined : (JSON.parse(row.batch_end) as BatchEnd),
  }
}

/**
 * Whether the service replayed a stored response of an earlier request with the same key, so that this one changed
 * nothing; `unknown` if neither the header nor this journal can tell.
 */
export type Replayed = boolean | 'unknown'

/**
 * How a request ended. `none`: it certainly had no effect and the service didn't decide about it, for example without a
 * connection.
 */
export type Outcome = 'done' | 'refused' | 'none' | 'unknown' | 'failed'

/** `running` and `unfinished` have no outcome yet. The process of an unfinished one is gone. */
export type RequestState = Outcome | 'running' | 'unfinished'

/** Why a request is sent, in the user's words. Recorded on this machine and never sent. */
export interface Purpose {
  readonly note?: string | undefined
  /** Id of a ticket in the user's own system. */
  readonly ticket?: string | undefined
}

/** What is recorded before a request is sent. Nothing in it may be sensitive, except inside `input`. */
export interface RequestStart extends Purpose {
  /** The operation's id, or the caller's name for a request that no operation of the contract matches. */
  readonly operation: string
  readonly effect: Effect
  readonly method: string
  /** Path as sent, its parameters percent-encoded, without the query. */
  readonly path: string
  /** Path and query as sent, if something in them is masked in `path`: fingerprinted, and never kept. */
  readonly unmasked?: string | undefined
  /** The origin, for example `https://api.example`. */
  readonly target?: string | undefined
  /** The affected resources, as `card:3004`, for `requests list --resource`. */
  readonly resources?: readonly string[] | undefined
  /** The input: fingerprinted without its sensitive fields, and kept encrypted for a retry if it has none. */
  readonly input: AnyInput
  /**
   * The operation's `sensitive.request` pointers. Without them (no operation matches), fields with a secret's name are
   * left out of the fingerprint, and the input is never kept.
   */
  readonly sensitive?: readonly string[] | undefined
  /** Pointers of fields that are ids, whatever their names. */
  readonly ids?: readonly string[] | undefined
  /** The fields that are sent, masked and shortened, to show the request later. */
  readonly sent?: Readonly<Record<string, unknown>> | undefined
  /** The idempotency key, if one is sent. */
  readonly key?: string | undefined
  readonly auditUser: string
  /** Who is responsible for the audit user, if that is a machine. */
  readonly responsible?: string | undefined
  /** Who ran the command: `person`, `job`, or `agent` with its name. */
  readonly caller?: string | undefined
  /** The trace that it is sent under (W3C Trace Context): 32 hexadecimal digits. */
  readonly trace?: string | undefined
  /** The bulk job that it belongs to. */
  readonly job?: string | undefined
  /** A reference inside the request by which it can be found in the service's records. */
  readonly reference?: string | undefined
  /** Which part of the job it is, if the job is sent in several requests: a digest of its transfers, or the row. */
  readonly part?: string | undefined
  /** Digests of its items, one after the other. A repeat has those of the request that it repeats. */
  readonly items?: Uint8Array | undefined
  /** The request that this one repeats. */
  readonly retryOf?: string | undefined
  /** The request whose former values this one sends. */
  readonly undoOf?: string | undefined
  /** The approved proposal that it belongs to. */
  readonly proposal?: string | undefined
  /** Name and digest of the dialect that it is sent by. */
  readonly dialect?: string | undefined
  /** Whose data it is about, if a secret header says so: only a digest under the local key is kept. */
  readonly tenant?: Secret | undefined
  /**
   * `leaving` will be called before the first byte is sent, so a request that never came that far certainly had no
   * effect.
   */
  readonly tellsLeaving?: boolean | undefined
}

/** What is recorded afterwards. Durations in ms. */
export interface RequestEnd {
  readonly outcome: Outcome
  readonly status?: number | undefined
  /** Id of what was created, for example of a batch. */
  readonly replyId?: string | undefined
  /** Affected resources that only the response names. */
  readonly resources?: readonly string[] | undefined
  readonly durationMs?: number | undefined
  readonly attempts?: number | undefined
  readonly effect?: EffectOutcome | undefined
  /** False if certainly no byte of it has left this machine. */
  readonly left?: boolean | undefined
  /** Whether the same key may safely be sent again. */
  readonly repeatable?: boolean | undefined
  /** The failure's code. */
  readonly failure?: string | undefined
  /** Only for requests with a key that were carried out. */
  readonly replayed?: Replayed | undefined
  /** The failure's message with the service's text in it, masked. */
  readonly said?: string | undefined
  /** Where the response differed from the contract: places and what was expected there, never values. */
  readonly differences?: readonly string[] | undefined
}

export interface RequestRecord extends Purpose {
  readonly id: string
  readonly profile: string
  readonly operation: string
  readonly effectMark: Effect
  readonly method: string
  readonly path: string
  readonly target: string | undefined
  readonly resources: readonly string[]
  /** The requests of one PIN exchange have the same one. */
  readonly exchange: string | undefined
  readonly key: string | undefined
  readonly auditUser: string
  readonly job: string | undefined
  readonly reference: string | undefined
  readonly part: string | undefined
  readonly retryOf: string | undefined
  readonly undoOf: string | undefined
  /** Who is responsible for the audit user, if that is a machine. */
  readonly responsible: string | undefined
  /** Who ran the command; undefined in older records. */
  readonly caller: string | undefined
  /** The trace that it was sent under, if there was one. */
  readonly trace: string | undefined
  /** The approved proposal that it belongs to. */
  readonly proposal: string | undefined
  /** Name and digest of the dialect that it was sent by. */
  readonly dialect: string | undefined
  /** Whether anything of it may have left this machine; undefined if that isn't recorded. */
  readonly left: boolean | undefined
  /** ms since 1970. */
  readonly begunAt: number
  readonly pid: number
  readonly state: RequestState
  readonly endedAt: number | undefined
  readonly status: number | undefined
  readonly replyId: string | undefined
  readonly durationMs: number | undefined
  readonly attempts: number | undefined
  readonly effect: EffectOutcome | undefined
  readonly repeatable: boolean | undefined
  readonly failure: string | undefined
  readonly replayed: Replayed | undefined
  readonly said: string | undefined
  readonly differences: readonly string[] | undefined
  readonly resolvedAt: number | undefined
  /** What `requests resolve` found, in words. */
  readonly evidence: string | undefined
  /** How the batch that it made ended; undefined until a command has read that. */
  readonly batchEnd: BatchEnd | undefined
}

/** How a batch ended that the service had accepted. Counts are undefined where the service gives none. */
export interface BatchEnd {
  /** Its final state, as the service writes it. */
  readonly state: string
  readonly transfers?: number | undefined
  readonly booked?: number | undefined
  readonly failed?: number | undefined
}
