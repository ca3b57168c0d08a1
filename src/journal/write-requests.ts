import type {KeyObject} from 'node:crypto'
import type {TimeSpan} from '../clock/trusted-clock.ts'
import type {AnyInput} from '../contract/operation.ts'
import {decryptText, encryptText} from '../sensitive/encrypt-text.ts'
import type {Database} from '../sqlite/index.ts'
import type {JournalSurroundings} from './journal-options.ts'
import {
  type Fingerprint,
  fingerprint,
  judgeKey,
  KEY_LIFE_MS,
  type KeyState,
  type KeyTime,
} from './key-rules.ts'
import {
  type BatchEnd,
  joinResources,
  moreResources,
  type RequestEnd,
  type RequestStart,
} from './request-record.ts'

/** The text of a refusal is cut after this many characters. */
const LONGEST_SAID = 1000

/** Differences from the contract that are kept of one response. */
const MOST_DIFFERENCES = 20

/** Encrypts a value. The place where it is stored is bound to it, so that rows can't be swapped. */
export const seal = (key: KeyObject, place: string, value: unknown, nonce: Uint8Array): Buffer =>
  encryptText(key, JSON.stringify(value), place, nonce)

/** The value, or undefined if another key encrypted it or its bytes changed. */
export function unseal(key: KeyObject, place: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decryptText(key, bytes, place))
  } catch {
    return undefined
  }
}

/** The place that the recorded fields of a request are bound to. */
export const sentPlace = (id: string): string => `sent ${id}`

/** The input of a request, bound to the request's id. */
const sealInput = (key: KeyObject, id: string, input: AnyInput, nonce: Uint8Array): Buffer =>
  seal(key, id, input, nonce)

export const openInput = (key: KeyObject, id: string, bytes: Uint8Array): AnyInput | undefined =>
  unseal(key, id, bytes) as AnyInput | undefined

export interface Begun {
  /** `r_…`, sortable by time. */
  readonly id: string
  readonly key: KeyState
}

export interface JournalKeys {
  readonly fingerprint: KeyObject
  readonly seal: KeyObject
}

/** What `requests resolve` found. `effect: 'unknown'` leaves the state and keeps the evidence. */
export interface Resolution {
  readonly effect: 'done' | 'none' | 'unknown'
  readonly evidence: string
  /** Id of what the request created, if it was found. */
  readonly replyId?: string | undefined
  /** Resources that were only now found to be affected. */
  readonly resources?: readonly string[] | undefined
  /** A person said so, who may correct everything that no response has proved. */
  readonly overrules?: boolean | undefined
}

/**
 * Records a request that is about to be sent. The caller holds the write lock, so that two processes can't use one key
 * for two requests.
 */
export function writeStart(
  db: Database,
  start: RequestStart,
  keys: JournalKeys,
  around: JournalSurroundings & {
    readonly profile: string
    readonly countsFrom: number | null
    readonly span: TimeSpan
  },
): Begun {
  const now = around.now()
  const id = around.newId()
  const print = fingerprint(keys.fingerprint, start)
  const state = keyState(db, start, print, {
    now,
    until: around.span.until,
    isBelieved: around.countsFrom !== 0,
  })
  db.run(
    `INSERT INTO request (id, profile, operation, effect_mark, method, path, target, resources, key, fingerprint,
       audit_user, job, reference, retry_of, begun_at, pid, process_mark, left_machine, sent, part, note, ticket,
       undo_of, responsible, caller, trace, items, counts_from, begun_after, proposal, dialect, tenant)
     VALUES (:id, :profile, :operation, :effect, :method, :path, :target, :resources, :key, :fingerprint,
       :auditUser, :job, :reference, :retryOf, :begunAt, :pid, :mark, :left, :sent, :part, :note, :ticket,
       :undoOf, :responsible, :caller, :trace, coalesce(:items, (SELECT items FROM request WHERE id = :retryOf)), :countsFrom,
       :begunAfter, :proposal, :dialect, :tenant)`,
    {
      id,
      profile: around.profile,
      operation: start.operation,
      effect: start.effect,
      method: start.method,
      path: start.path,
      target: start.target ?? null,
      resources: joinResources(start.resources ?? []),
      key: start.key ?? null,
      fingerprint: print.text,
      auditUser: start.auditUser,
      job: start.job ?? null,
      reference: start.reference ?? null,
      part: start.part ?? null,
      items: start.items ?? null,
      note: start.note ?? null,
      ticket: start.ticket ?? null,
      retryOf: start.retryOf ?? null,
      undoOf: start.undoOf ?? null,
      responsible: start.responsible ?? null,
      caller: start.caller ?? null,
      trace: start.trace ?? null,
      proposal: start.proposal ?? null,
      dialect: start.dialect ?? null,
      tenant: print.tenant,
      countsFrom: around.countsFrom,
      begunAfter: around.span.from < now ? around.span.from : null,
      begunAt: now,
      pid: around.pid,
      mark: around.mark,
      left: start.tellsLeaving ? 0 : null,
      sent:
        start.sent === undefined ? null : seal(keys.seal, sentPlace(id), start.sent, around.randomBytes(12)),
    },
  )
  if (start.sensitive?.length === 0 && !print.hid) {
    const sealed = sealInput(keys.seal, id, start.input, around.randomBytes(12))
    db.run('INSERT INTO kept_input VALUES (?, ?, ?)', [id, sealed, now + KEY_LIFE_MS])
  }
  return {id, key: state}
}

export function keyState(db: Database, start: RequestStart, print: Fingerprint, time: KeyTime): KeyState {
  if (start.key === undefined) return {state: 'new'}
  return judgeKey(db, start.key, {...start, fingerprint: print.text, tenant: print.tenant}, time)
}

/** Records how a request ended. @returns false if there was nothing to end. */
export function writeEnd(
  db: Database,
  end: {readonly id: string} & RequestEnd,
  {now, isProven}: {readonly now: number; readonly isProven: boolean},
): boolean {
  const change = db.run(
    `UPDATE request SET ended_at = :now, outcome = :outcome, status = :status, reply_id = :replyId,
       duration_ms = :durationMs, attempts = :attempts, effect = :effect, repeatable = :repeatable, failure = :failure,
       replayed = :replayed, left_machine = coalesce(:left, left_machine),
       said = :said, differences = :differences, resources = resources || :more,
       counts_from = CASE WHEN :isProven AND begun_at BETWEEN :now - ${KEY_LIFE_MS} AND :now THEN NULL ELSE counts_from END
     WHERE id = :id AND (outcome IS NULL OR outcome = 'unknown')`,
    {
      now,
      isProven: Number(isProven),
      id: end.id,
      outcome: end.outcome,
      status: end.status ?? null,
      replyId: end.replyId ?? null,
      durationMs: end.durationMs === undefined ? null : Math.round(end.durationMs),
      attempts: end.attempts ?? null,
      effect: end.effect ?? null,
      repeatable: end.repeatable === undefined ? null : Number(end.repeatable),
      failure: end.failure ?? null,
      left: end.left === undefined ? null : Number(end.left),
      replayed: end.replayed === undefined ? null : String(end.replayed),
      said: end.said?.slice(0, LONGEST_SAID) ?? null,
      differences: end.differences?.length
        ? JSON.stringify(end.differences.slice(0, MOST_DIFFERENCES))
        : null,
      more: moreResources(end.resources ?? []),
    },
  )
  return change.changes === 1
}

/** How an operation ended that the service had only accepted. */
export interface Settlement {
  readonly isRefused: boolean
  readonly evidence: string
}

/** Records how an accepted request ended. @returns false if it was not accepted, or its end is recorded. */
export function writeSettlement(
  db: Database,
  id: string,
  {isRefused, evidence}: Settlement,
  now: number,
): boolean {
  const change = db.run(
    `UPDATE request SET resolved_at = :now, evidence = :evidence, outcome = :outcome, effect = :effect
     WHERE id = :id AND outcome = 'done' AND evidence IS NULL`,
    {
      id,
      now,
      evidence: evidence.slice(0, LONGEST_SAID),
      outcome: isRefused ? 'refused' : 'done',
      effect: isRefused ? 'none' : 'done',
    },
  )
  return change.changes === 1
}

/** Records how a batch ended, with the requests that made it: several may have been answered by one stored response. */
export function writeBatchEnd(db: Database, requests: readonly string[], end: BatchEnd): void {
  for (const id of requests)
    db.run('UPDATE request SET batch_end = ? WHERE id = ?', [JSON.stringify(end), id])
}

/** Records what was found out about a request. @returns false if its end is certain. */
export function writeResolution(
  db: Database,
  id: string,
  {effect, evidence, replyId, resources = [], overrules = false}: Resolution,
  now: number,
): boolean {
  const change = db.run(
    `UPDATE request SET resolved_at = :now, evidence = :evidence,
       outcome = CASE WHEN :effect = 'unknown' THEN coalesce(outcome, 'unknown') ELSE :effect END, effect = :effect,
       ended_at = coalesce(ended_at, :now), reply_id = coalesce(:replyId, reply_id),
       resources = resources || :more
     WHERE id = :id
       AND (outcome IS NULL OR outcome = 'unknown' OR (:overrules AND (outcome <> 'done' OR resolved_at IS NOT NULL)))`,
    {
      id,
      overrules: Number(overrules),
      effect,
      evidence,
      replyId: replyId ?? null,
      more: moreResources(resources),
      now,
    },
  )
  return change.changes === 1
}
