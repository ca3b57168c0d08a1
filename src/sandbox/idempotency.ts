import type {ProcessTable} from './process-mark.ts'
import type {KeptReply} from './state/kept-reply.ts'
import type {Transaction} from './store/store.ts'

/** How long a successful reply and its key are kept, by the sandbox clock. */
export const KEPT_MS = 24 * 60 * 60 * 1000
export const MAX_KEY_LENGTH = 64

/** A request that carries a key. */
export interface KeyedRequest {
  /** Credential, method, path and key together: the same key elsewhere is another key. */
  readonly scope: string
  /** Digest of the body's bytes. */
  readonly bodyDigest: string
  /** Epoch ms by the sandbox clock. */
  readonly now: number
}

/** What the key means for a request that arrives with it. */
export type KeyState =
  | {readonly kind: 'new'}
  | {readonly kind: 'running'}
  | {readonly kind: 'done'; readonly reply: KeptReply; readonly sameBody: boolean}

export function scopeOf(credential: string, method: string, path: string, key: string): string {
  return JSON.stringify([credential, method, path, key])
}

/** Reads the state of a key. The mark of a process that died counts for nothing: its work was rolled back. */
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

/** Marks the key as running, for work that takes more than the one transaction. */
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

/** Keeps the reply of a success, in the transaction of its effect: either both last or neither. */
export async function keep(
  tx: Transaction,
  request: KeyedRequest,
  reply: Pick<KeptReply, 'status' | 'headers' | 'body'>,
): Promise<void> {
  await tx.keptReplies.put({
    id: request.scope,
    running: null,
    bodyDigest: request.bodyDigest,
    expiresAt: request.now + KEPT_MS,
    ...reply,
  })
}

/** Takes the mark back after a failure: the retry is a fresh attempt. */
export async function release(tx: Transaction, request: KeyedRequest): Promise<void> {
  await tx.keptReplies.delete(request.scope)
}

/** Forgets a few of the expired, so that the store doesn't grow for ever. */
export async function forgetExpired(tx: Transaction, now: number): Promise<void> {
  for (const kept of await tx.keptReplies.list({upTo: {member: 'expiresAt', value: now}, limit: 50})) {
    if (kept.running === null) await tx.keptReplies.delete(kept.id)
  }
}
