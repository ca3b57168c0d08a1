import {plainId} from '../../contract/resource.ts'
import {type Database, immediate} from '../../sqlite/index.ts'
import type {Exchange} from '../exchange.ts'
import {contentOf, exchangesOf, type GroupRow} from './call-group.ts'
import {overwriting} from './prune-exchanges.ts'

/** Whether a call names one of these ids: as the whole value of a field. */
const names = (value: unknown, ids: ReadonlySet<string>): boolean => {
  if (typeof value === 'string' || typeof value === 'number') return ids.has(plainId(value))
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(member => names(member, ids))
}

const isTheirs = ({request}: Exchange, ids: ReadonlySet<string>): boolean => names(request.body, ids)

/** The number of calls that name one of these ids. */
export function countCalls(db: Database, ids: ReadonlySet<string>): number {
  let count = 0
  for (const row of db.iterate<GroupRow>('SELECT content FROM call_group'))
    count += exchangesOf(db, row).filter(exchange => isTheirs(exchange, ids)).length
  return count
}

/** Removes the calls that name one of these ids, and their bytes. Returns their number. */
export function eraseCalls(db: Database, ids: ReadonlySet<string>): number {
  let erased = 0
  overwriting(db, () =>
    immediate(db, () => {
      for (const {id, content} of db.all<GroupRow & {id: number}>('SELECT id, content FROM call_group')) {
        const all = exchangesOf(db, {content})
        const kept = all.filter(exchange => !isTheirs(exchange, ids))
        if (kept.length === all.length) continue
        erased += all.length - kept.length
        db.run('UPDATE call_group SET size = ?, content = ? WHERE id = ?', [
          kept.length,
          `[${kept.map(contentOf).join()}]`,
          id,
        ])
      }
    }),
  )
  if (erased > 0) {
    db.exec('VACUUM')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  return erased
}
