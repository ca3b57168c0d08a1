import {createHmac, type KeyObject} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import type {Secret} from '../sensitive/secret.ts'
import {withoutSensitive} from '../sensitive/secret-names.ts'
import type {Database} from '../sqlite/index.ts'
import type {RequestStart} from './request-record.ts'

/**
 * Bodies that are equal in these parts have the same fingerprint. A sensitive field counts by its presence, not by its
 * value.
 */
export type Asked = Pick<
  RequestStart,
  'method' | 'path' | 'input' | 'sensitive' | 'ids' | 'unmasked' | 'tenant'
>

export interface Fingerprint {
  /** In hex. */
  readonly text: string
  /** Whether something sensitive was left out, so that the input must not be kept either. */
  readonly hid: boolean
  /** Of the tenant, in hex; null if no secret header names one. */
  readonly tenant: string | null
}

/** The tenant's values as the journal keeps them. */
export const tenantMark = (key: KeyObject, tenant: Secret | undefined): string | null =>
  tenant === undefined
    ? null
    : createHmac('sha256', key)
        .update(canonicalJson(['tenant', tenant.open()]))
        .digest('hex')

/** HMAC-SHA-256 under a local key: with the journal alone nobody can try out bodies, nor what is masked in a path. */
export function fingerprint(
  key: KeyObject,
  {method, path, unmasked, input, sensitive, ids, tenant}: Asked,
): Fingerprint {
  const query = withoutSensitive(input.query, [])
  const body = withoutSensitive(input.body, sensitive ?? [], ids)
  const parts = [method, unmasked ?? path, query.value, input.body === undefined ? [] : [body.value]]
  const text = createHmac('sha256', key).update(canonicalJson(parts)).digest('hex')
  return {text, hid: query.hid || body.hid, tenant: tenantMark(key, tenant)}
}

/**
 * JSON with the fields of every object in code-unit order, so that two spellings of one document are the same text (the
 * idea of RFC 8785). Takes plain JSON values. Fields that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => inOrder(item)) ?? 'null'
}

function inOrder(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  // Object.fromEntries still puts integer-like names first, but does so for both spellings.
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** How long the service keeps a key (outline, "Limits"). */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * What the journal knows about a key. `repeat`: the same request was sent with it, and the key is still valid.
 * `expired`: it was, but the service has forgotten the key, so a repeat has a second effect: ask first.
 */
export type KeyState =
  | {readonly state: 'new'}
  | {
      readonly state: 'repeat' | 'expired'
      readonly since: number
      readonly last: string
      /** The request whose stored response the service would replay, if one of them certainly had an effect. */
      readonly done: string | undefined
    }

interface KeyUse {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly dialect?: string | null | undefined
  readonly fingerprint: string
}

interface AskedUse extends KeyUse {
  readonly tenant: string | null
}

interface UseRow extends KeyUse {
  readonly id: string
  readonly begun_at: number
  readonly counts_from: number | null
  readonly begun_after: number | null
  readonly effect: string | null
}

/** The time, and whether it can be believed. If not, what a key permits has expired, and what it stops stays. */
export interface KeyTime {
  readonly now: number
  /** The latest time that it can be now. */
  readonly until: number
  readonly isBelieved: boolean
}

/**
 * The service stores a response for 24 hours if the request succeeded, and nothing if it failed (outline, "Limits",
 * rules 2, 4 and 5). Another tenant's keys are others. So only a request that had an effect in that time, or may have, occupies its key.
 *
 * @throws Failure KEY_REUSED if another request occupies it.
 */
export function judgeKey(
  db: Database,
  key: string,
  asked: AskedUse,
  {now, until, isBelieved}: KeyTime,
): KeyState {
  const all = db.all<UseRow>(
    `SELECT id, operation, method, path, dialect, fingerprint, begun_at, counts_from, begun_after, effect FROM request
     WHERE key = ? AND tenant IS ? ORDER BY begun_at, id`,
    [key, asked.tenant],
  )
  const taken = all.find(
    use =>
      !isSame(use, asked) &&
      use.effect !== 'none' &&
      (!isBelieved || now - Math.max(use.begun_at, use.counts_from ?? 0) < KEY_LIFE_MS),
  )
  if (taken !== undefined) throw keyReused(taken, asked, key)
  const uses = all.filter(use => isSame(use, asked))
  const last = uses.at(-1)
  if (last === undefined) return {state: 'new'}
  const since = startOfLife(uses) ?? beginOf(last)
  const certainlyNothing = uses.every(use => use.effect === 'none')
  const isAlive = (at: number): boolean => isBelieved && until - at < KEY_LIFE_MS
  const isTimed = uses.every(use => (use.counts_from ?? 1) === 1 && use.begun_at <= now + CLOCK_STEP_MS)
  const state = (!isTimed || !isAlive(since)) && !certainlyNothing ? 'expired' : 'repeat'
  const done = uses.find(use => use.effect === 'done' && isTimed && isAlive(beginOf(use)))
  return {state, since, last: last.id, done: done?.id}
}

/** How far a clock is set back in the ordinary way. */
const CLOCK_STEP_MS = 600_000

/** When the service can first have seen the key. */
const beginOf = ({begun_after, begun_at}: UseRow): number => begun_after ?? begun_at

const isSame = (one: KeyUse, other: KeyUse): boolean =>
  isSameTarget(one, other) && one.fingerprint === other.fingerprint

const isSameTarget = (one: KeyUse, other: KeyUse): boolean =>
  one.operation === other.operation &&
  one.method === other.method &&
  one.path === other.path &&
  (one.dialect ?? undefined) === (other.dialect ?? undefined)

/**
 * When the key's present life began: at the first use that may have had an effect, and again at the first such use
 * after a life was over.
 */
function startOfLife(uses: readonly UseRow[]): number | undefined {
  let start: number | undefined
  for (const use of uses) {
    if (use.effect === 'none') continue
    const at = beginOf(use)
    if (start === undefined || at - start >= KEY_LIFE_MS) start = at
  }
  return start
}

function keyReused(use: UseRow, asked: KeyUse, key: string): Failure {
  const content = isSameTarget(use, asked) ? ' with other content' : ''
  const became = use.effect === 'done' ? 'and succeeded' : 'and may have succeeded'
  return new Failure('KEY_REUSED', {
    message: `The idempotency key belongs to another request of the last 24 hours, ${use.id}: ${use.method} ${use.path}${content}, ${became}.`,
    effect: 'none',
    idempotencyKey: key,
    data: {usedBy: use.id},
  })
}
