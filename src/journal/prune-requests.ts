import {type Database, immediate} from '../sqlite/index.ts'
import {KEY_LIFE_MS} from './key-rules.ts'
import type {RequestRow} from './request-row.ts'

export interface PruneOptions {
  /** Begun before, ms since 1970. The last 24 hours always stay: the rule about keys needs them. */
  readonly before: number
  /** Also those whose effect is still unknown. */
  readonly unresolved?: boolean | undefined
}

export interface Pruned {
  readonly removed: number
  /** Older ones that stay because they run, or because nobody knows yet how they ended. */
  readonly kept: number
}

export function pruneRequests(
  db: Database,
  {before, unresolved = false}: PruneOptions,
  now: number,
  isGone: (row: RequestRow) => boolean,
): Pruned {
  const limit = Math.min(before, now - KEY_LIFE_MS)
  return immediate(db, () => {
    let removed = Number(
      db.run(`DELETE FROM request WHERE begun_at < ? AND outcome IS NOT NULL AND outcome <> 'unknown'`, [
        limit,
      ]).changes,
    )
    const rest = db.all<RequestRow>('SELECT * FROM request WHERE begun_at < ?', [limit])
    const remove = unresolved ? rest.filter(row => row.outcome !== null || isGone(row)) : []
    for (const {id} of remove) removed += Number(db.run('DELETE FROM request WHERE id = ?', [id]).changes)
    return {removed, kept: rest.length - remove.length}
  })
}
