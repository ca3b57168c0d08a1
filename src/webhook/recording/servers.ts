import type {Database} from '../../sqlite/index.ts'

/** A server that writes to the recording. */
export interface ServerNote {
  readonly url: string
  /** The file with the certificate that was made for it. */
  readonly ca?: string | undefined
  /** What tells its process from others, also from a later one of the same number. */
  readonly process: {readonly pid: number; readonly mark: string}
  /** Milliseconds since 1970. */
  readonly since: number
}

export function noteServer(db: Database, {url, ca, process, since}: ServerNote): void {
  db.run('INSERT OR REPLACE INTO server (url, ca, pid, mark, since) VALUES (?, ?, ?, ?, ?)', [
    url,
    ca ?? null,
    process.pid,
    process.mark,
    since,
  ])
}

export function forgetServer(db: Database, {url, process}: ServerNote): void {
  db.run('DELETE FROM server WHERE url = ? AND pid = ?', [url, process.pid])
}

/** The latest first; some may have ended without a word. */
export function notedServers(db: Database): ServerNote[] {
  interface Row {
    readonly url: string
    readonly ca: string | null
    readonly pid: number
    readonly mark: string
    readonly since: number
  }
  const rows = db.all<Row>('SELECT * FROM server ORDER BY since DESC')
  return rows.map(({url, ca, pid, mark, since}) => ({url, ca: ca ?? undefined, process: {pid, mark}, since}))
}
