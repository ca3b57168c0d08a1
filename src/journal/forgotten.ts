import type {Database} from '../sqlite/index.ts'

/** A time whose effects a sandbox no longer has: it was reset, or a snapshot of before was loaded. */
export interface Forgotten {
  /** ms since 1970: what was begun after this, */
  readonly since: number
  /** and until then. */
  readonly until: number
  /** "The sandbox was reset" */
  readonly how: string
}

export function writeForgotten(db: Database, {since, until, how}: Forgotten): void {
  db.run('INSERT OR REPLACE INTO forgotten (until, since, how) VALUES (?, ?, ?)', [until, since, how])
}

/** Why the sandbox no longer has the effect of a request that was begun then: the last reason. */
export const forgottenAt = (db: Database, begunAt: number): Forgotten | undefined =>
  db.get<Forgotten>(
    'SELECT since, until, how FROM forgotten WHERE since < ? AND until >= ? ORDER BY until DESC LIMIT 1',
    [begunAt, begunAt],
  )
