import type {Database} from '../sqlite/index.ts'

/** The trail as the last finished append left it. */
export interface Head {
  readonly seq: number
  readonly hash: string
  /** Bytes of the file. */
  readonly size: number
}

/**
 * A small database beside the trail. Its write lock orders all processes that append, and a process that dies lets go of
 * it by itself. It remembers the head, so that lines cut off the end are missed.
 */
export const headMigrations: readonly string[] = [
  `CREATE TABLE head (
     id   INTEGER PRIMARY KEY CHECK (id = 1),
     seq  INTEGER NOT NULL,
     hash TEXT NOT NULL,
     size INTEGER NOT NULL
   ) STRICT`,
]

export function readHead(db: Database): Head | undefined {
  return db.get<Head & object>('SELECT seq, hash, size FROM head')
}

export function writeHead(db: Database, {seq, hash, size}: Head): void {
  db.run('INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?)', [seq, hash, size])
}
