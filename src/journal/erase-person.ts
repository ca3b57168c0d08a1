import {plainId, resource} from '../contract/resource.ts'
import {type Database, immediate} from '../sqlite/index.ts'
import {joinResources, type RequestRow, splitResources, touchesAny} from './request-record.ts'

/** The requests of a person. */
export interface PersonRequests {
  /** Their personal fields can be removed. */
  readonly finished: readonly string[]
  /** They still run, or their effect is unknown. */
  readonly open: readonly string[]
}

/** @param resources what belongs to the person, as `card:3004`. */
export function requestsOf(db: Database, resources: readonly string[]): PersonRequests {
  const ids = idsIn(resources)
  const {sql, values} = touchesAny(resources)
  const touched = db.all<RequestRow>(`SELECT * FROM request WHERE ${sql}`, values)
  // A request that no operation of the contract matches has ids of no kind, from its path.
  const others = db
    .all<RequestRow>(`SELECT * FROM request WHERE resources NOT LIKE '%:%'`)
    .filter(({path}) => path.split('/').some(part => ids.has(plainId(decoded(part)))))
  const all = [...touched, ...others]
  const isOpen = ({outcome}: RequestRow) => outcome === null || outcome === 'unknown'
  return {
    finished: all.filter(row => !isOpen(row)).map(({id}) => id),
    open: all.filter(isOpen).map(({id}) => id),
  }
}

/** The ids alone. */
export const idsIn = (resources: readonly string[]): ReadonlySet<string> =>
  new Set(resources.map(one => one.slice(one.indexOf(':') + 1)))

/**
 * Removes what is personal in requests: contents, texts and ids. What prevents a second effect stays: the key, the
 * fingerprint, the reference that cardctl made, the effect and the times.
 */
export function eraseRequests(db: Database, requests: readonly string[], resources: readonly string[]): void {
  const ids = idsIn(resources)
  const gone = new Set(resources)
  const without = (path: string) =>
    path
      .split('/')
      .map(part => (ids.has(plainId(decoded(part))) ? 'erased' : part))
      .join('/')
  const staysWith = (one: string) => !gone.has(one) && !ids.has(one) && !/^(?:control|trace):/.test(one)
  immediate(db, () => {
    for (const id of requests) {
      const row = db.get<RequestRow>('SELECT * FROM request WHERE id = ?', [id])
      if (row === undefined) continue
      const kept = splitResources(row.resources).filter(staysWith)
      const resources = joinResources(kept)
      db.run(
        `UPDATE request SET operation = ?, path = ?, resources = ?, reply_id = ?, sent = NULL, said = NULL, note = NULL,
           ticket = NULL, evidence = NULL WHERE id = ?`,
        [
          // The name of an operation that no contract describes is its path.
          without(row.operation),
          without(row.path),
          resources,
          row.reply_id !== null && kept.includes(resource('batch', row.reply_id)) ? row.reply_id : null,
          id,
        ],
      )
      const left = new Set(resources.split('/'))
      for (const one of row.resources.split('/').filter(part => !left.has(part)))
        db.run('DELETE FROM touched WHERE resource = ? AND at = ? AND request = ?', [one, row.begun_at, id])
      db.run('DELETE FROM kept_input WHERE request_id = ?', [id])
    }
  })
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Writes the file anew, so that no page of it and of its log keeps what was removed. */
export function leaveNoBytes(db: Database): void {
  db.exec('VACUUM')
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}
