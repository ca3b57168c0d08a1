import type {Match} from '../contract/match.ts'
import {KEY_HEADER} from '../contract/operation.ts'
import {nodeCrypto} from './ids.ts'
import type {PlainRequest} from './plain-http.ts'
import {badRequest} from './problems.ts'
import type {ProcessTable} from './process-mark.ts'
import type {Stored, Transaction} from './store/store.ts'

interface Honoured {
  readonly scope: string
  readonly bodyDigest: string
}

/**
 * The key of the request, if the sandbox honours it: where it is documented, or on every POST and PATCH that writes. A
 * disclosure is never stored, so its key is ignored.
 *
 * @throws Problem 400 for a key that is empty or too long, on any POST or PATCH.
 */
export function honouredKey(
  request: PlainRequest,
  {operation, params}: Match,
  credential: string,
  where: 'documented' | 'all',
): Honoured | undefined {
  const key = request.headers[KEY_HEADER]
  const {method, effect, idempotent} = operation
  if (key === undefined || (method !== 'POST' && method !== 'PATCH')) return undefined
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw badRequest('invalid-idempotency-key', `${KEY_HEADER} must have 1 to ${MAX_KEY_LENGTH} characters.`)
  }
  const honoured = idempotent || (where === 'all' && (effect === 'write' || effect === 'destroy'))
  if (!honoured || operation.group === 'sandbox') return undefined
  // However the path is written, its values are the same.
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return {
    scope: scopeOf(credential, method, path, key),
    bodyDigest: nodeCrypto().hash('sha256', request.body, 'base64url'),
  }
}

/** How long a response and its key are stored, by the sandbox clock. */
const KEPT_MS = 24 * 60 * 60 * 1000
const MAX_KEY_LENGTH = 64

/** A request that carries a key. */
export interface KeyedRequest {
  /** Credential, method, decoded path and key. The same key with another path is a different key. */
  readonly scope: string
  /** Digest of the body's bytes. */
  readonly bodyDigest: string
  /** Epoch ms by the sandbox clock. */
  readonly now: number
}

/** What a key means for the request that has it. */
export type KeyState =
  | {readonly kind: 'new'}
  | {readonly kind: 'running'}
  | {readonly kind: 'done'; readonly reply: StoredResponse; readonly sameBody: boolean}

function scopeOf(credential: string, method: string, path: string, key: string): string {
  return JSON.stringify([credential, method, path, key])
}

/** Reads the state of a key. Ignores the mark of a process that ended, because its work was rolled back. */
export async function keyState(
  tx: Transaction,
  request: KeyedRequest,
  processes: ProcessTable,
): Promise<KeyState> {
  const kept = await tx.keptReplies.get(request.scope)
  if (kept === undefined) return {kind: 'new'}
  if (kept.running) return processes.isAlive(kept.running) ? {kind: 'running'} : {kind: 'new'}
  if (request.now >= kept.expiresAt) return {kind: 'new'}
  return {kind: 'done', reply: kept, sameBody: kept.bodyDigest === request.bodyDigest}
}

/** Marks the key as running, for work that takes more than one transaction. */
export async function claim(tx: Transaction, request: KeyedRequest, processes: ProcessTable): Promise<void> {
  await tx.keptReplies.put({
    id: request.scope,
    running: processes.own,
    bodyDigest: request.bodyDigest,
    status: 0,
    headers: {},
    body: '',
    expiresAt: request.now + KEPT_MS,
  })
}

/** Stores the response in the transaction of its effect, so that either both are kept or neither. */
export async function keep(
  tx: Transaction,
  request: KeyedRequest,
  reply: Pick<StoredResponse, 'status' | 'headers' | 'body'>,
): Promise<void> {
  await tx.keptReplies.put({
    id: request.scope,
    running: null,
    bodyDigest: request.bodyDigest,
    expiresAt: request.now + KEPT_MS,
    ...reply,
  })
}

/** Whether the key still has the mark of this process. */
export async function isClaimed(
  tx: Transaction,
  {scope}: Pick<KeyedRequest, 'scope'>,
  {own}: ProcessTable,
): Promise<boolean> {
  const mark = (await tx.keptReplies.get(scope))?.running
  return mark?.pid === own.pid && mark.boot === own.boot && mark.started === own.started
}

/** Removes the own mark after a failure, so that a retry runs. */
export async function release(
  tx: Transaction,
  request: Pick<KeyedRequest, 'scope'>,
  processes: ProcessTable,
): Promise<void> {
  if (await isClaimed(tx, request, processes)) await tx.keptReplies.delete(request.scope)
}

/**
 * Removes expired keys, the oldest first, so that the store doesn't grow forever. Those of running requests stay.
 *
 * @returns how many were removed.
 */
export async function forgetExpired(
  tx: Transaction,
  {now, processes, most}: {now: number; processes: ProcessTable; most: number},
): Promise<number> {
  const expired = await tx.keptReplies.list({upTo: {member: 'expiresAt', value: now}, limit: most})
  const ended = expired.filter(({running}) => running === null || !processes.isAlive(running))
  await tx.keptReplies.deleteAll(ended.map(({id}) => id))
  return ended.length
}

/** Identifies the process that works on a request, so that others can find out whether it still runs. */
export interface ProcessMark {
  readonly pid: number
  /** Different for each boot of the machine; null if unknown. */
  readonly boot: string | null
  /** When the process started, because its pid may be reused; null if unknown. */
  readonly started: string | null
}

/** What is stored for an idempotency key: a running request, or the response of one that succeeded. */
export interface StoredResponse extends Stored {
  /** The process that runs it; null once it has ended. */
  readonly running: ProcessMark | null
  /** Digest of the body, for the strict mode. */
  readonly bodyDigest: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Epoch milliseconds by the sandbox clock. */
  readonly expiresAt: number
}
