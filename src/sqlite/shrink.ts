import {statSync} from 'node:fs'
import type {Database} from './database.ts'

/** So many pages are given back at a time, so that others wait no longer than a moment. */
const PAGES = 500

/**
 * Gives the room of what was removed back to the system, from a file that was opened with `shrinks`. Gives by how many
 * bytes the file became smaller.
 */
export function shrink(db: Database): number {
  if (db.file === ':memory:') return 0
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const before = statSync(db.file).size
  while (freePages(db) > 0) {
    const pages = freePages(db)
    db.exec(`PRAGMA incremental_vacuum(${PAGES})`)
    // A file that was made without it keeps its free pages, and uses them again.
    if (freePages(db) >= pages) break
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return Math.max(0, before - statSync(db.file).size)
}

const freePages = (db: Database): number =>
  db.get<{freelist_count: number}>('PRAGMA freelist_count')?.freelist_count ?? 0
