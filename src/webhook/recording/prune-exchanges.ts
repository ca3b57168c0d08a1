import {setImmediate as nextTurn} from 'node:timers/promises'
import {type Database, immediate} from '../../sqlite/index.ts'

/** How long calls are kept: none that came before, and no more than the newest so many. */
export interface Retention {
  /** Milliseconds since 1970. */
  before(): number
  readonly newest: number
}

/** So many go in one transaction: a listener that writes to the same file must not wait for long. */
const SLICE = 500
const EVERY_MS = 600_000

/** Removes calls that came before `before`, ms since 1970, slice by slice, the oldest first; says how many went. */
export function* pruneExchanges(db: Database, before: number): Generator<number, void, undefined> {
  for (let removed = SLICE; removed === SLICE; ) {
    removed = immediate(db, () =>
      Number(
        db.run(
          `DELETE FROM exchange WHERE rowid IN (SELECT rowid FROM exchange WHERE at < ? ORDER BY at LIMIT ${SLICE})`,
          [before],
        ).changes,
      ),
    )
    yield removed
  }
}

/** Removes what is too old, or one too many, every ten minutes until the signal aborts; between slices calls are answered. */
export function keepPruned(db: Database, retention: Retention, signal: AbortSignal): void {
  const prune = async () => {
    try {
      for (const _removed of pruneExchanges(db, retentionLimit(db, retention))) {
        await nextTurn()
        if (signal.aborted) return
      }
    } catch {
      // Locked, or no room for the log: the next time will do.
    }
  }
  const timer = setInterval(() => void prune(), EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), {once: true})
}

/** Before which moment calls have to go. */
export function retentionLimit(db: Database, {before, newest}: Retention): number {
  const row = db.get<{at: number}>('SELECT at FROM exchange ORDER BY at DESC LIMIT 1 OFFSET ?', [newest - 1])
  return Math.max(before(), row?.at ?? 0)
}
