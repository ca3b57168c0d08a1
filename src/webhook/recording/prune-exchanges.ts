import {setTimeout as pause} from 'node:timers/promises'
import {type Database, immediate} from '../../sqlite/index.ts'

/** How long calls are kept: none that came before, and no more than the newest so many. */
export interface Retention {
  /** Milliseconds since 1970. */
  before(): number
  readonly newest: number
}

/** So many go in one transaction. */
const SLICE = 500
/** Between two slices others have the lock, and calls are answered. */
const PAUSE_MS = 5
const EVERY_MS = 600_000

/**
 * Removes calls that came before `before`, ms since 1970, the oldest first, in slices that no server has to wait for.
 * Gives how many went.
 */
export async function pruneExchanges(db: Database, before: number, signal?: AbortSignal): Promise<number> {
  for (let removed = 0; ; await pause(PAUSE_MS)) {
    if (signal?.aborted) return removed
    const slice = immediate(db, () =>
      Number(
        db.run(
          `DELETE FROM exchange WHERE rowid IN (SELECT rowid FROM exchange WHERE at < ? ORDER BY at LIMIT ${SLICE})`,
          [before],
        ).changes,
      ),
    )
    removed += slice
    if (slice < SLICE) return removed
  }
}

/** Removes what is too old, or one too many, now and every ten minutes until the signal aborts. */
export function keepPruned(db: Database, retention: Retention, signal: AbortSignal): void {
  const prune = async () => {
    try {
      await pruneExchanges(db, retentionLimit(db, retention), signal)
    } catch {
      // Locked, damaged, or no room for the log: writing tells, and the next time will do.
    }
  }
  void prune()
  const timer = setInterval(() => void prune(), EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), {once: true})
}

/** Before which moment calls have to go. */
function retentionLimit(db: Database, {before, newest}: Retention): number {
  const row = db.get<{at: number}>('SELECT at FROM exchange ORDER BY at DESC LIMIT 1 OFFSET ?', [newest - 1])
  return Math.max(before(), row?.at ?? 0)
}
