import {Failure} from '../errors/failure.ts'
import type {Database} from '../sqlite/index.ts'

/** How long the service keeps a key (outline, "Limits"). */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * What the journal knows of a key. `repeat`: the same request went out under it while the key is still alive. `expired`:
 * it did, but the service has forgotten the key, so that a repeat is a new effect: ask first.
 */
export type KeyState =
  | {readonly state: 'new'}
  | {readonly state: 'repeat' | 'expired'; readonly since: number; readonly last: string}

export interface KeyUse {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly fingerprint: string
}

interface UseRow extends KeyUse {
  readonly id: string
  readonly begun_at: number
  readonly effect: string | null
}

/** @throws Failure KEY_REUSED when the key was used with another request, however long ago. */
export function judgeKey(db: Database, key: string, asked: KeyUse, now: number): KeyState {
  const uses = db.all<UseRow>(
    `SELECT id, operation, method, path, fingerprint, begun_at, effect FROM request
     WHERE key = ? ORDER BY begun_at, id`,
    [key],
  )
  for (const use of uses) refuseOther(use, asked, key)
  const last = uses.at(-1)
  if (last === undefined) return {state: 'new'}
  const since = startOfLife(uses) ?? last.begun_at
  const certainlyNothing = uses.every(use => use.effect === 'none')
  const state = now - since >= KEY_LIFE_MS && !certainlyNothing ? 'expired' : 'repeat'
  return {state, since, last: last.id}
}

/**
 * When the key's present life began: at the first use that may have had an effect, and anew at the first such use after
 * a life was over.
 */
function startOfLife(uses: readonly UseRow[]): number | undefined {
  let start: number | undefined
  for (const {effect, begun_at} of uses) {
    if (effect === 'none') continue
    if (start === undefined || begun_at - start >= KEY_LIFE_MS) start = begun_at
  }
  return start
}

function refuseOther(use: UseRow, asked: KeyUse, key: string): void {
  const sameTarget =
    use.operation === asked.operation && use.method === asked.method && use.path === asked.path
  if (sameTarget && use.fingerprint === asked.fingerprint) return
  const why = `It was ${use.method} ${use.path}${sameTarget ? ' with another content' : ''}.`
  throw new Failure('KEY_REUSED', {
    message: `The idempotency key was used with another request, ${use.id}. ${why}`,
    effect: 'none',
    idempotencyKey: key,
    data: {usedBy: use.id},
  })
}
