import {randomBytes} from 'node:crypto'
import type {Witness} from '../audit/index.ts'
import {openOther} from './adopt-journal.ts'
import {journalsIn} from './journal-file.ts'

/**
 * What the journals of a folder know about the audit trail. A request without an effect needs no entry, and one whose end
 * was only found out later may have none: its process ended first.
 */
export function trailWitness(folder: string): Witness {
  const requests: Witness['requests'] = new Map()
  const keys = new Map<string, string>()
  for (const journal of journalsIn(folder)) {
    using db = openOther(journal)
    for (const {id, mark} of db.iterate<{id: string; mark: string | null}>(
      `SELECT id, excused_by AS mark FROM request WHERE ${NEEDS_ENTRY}`,
    ))
      requests.set(id, {mark, journal})
    for (const {public_key: key} of db.all<{public_key: string}>('SELECT public_key FROM trail_key'))
      keys.set(key, journal)
  }
  return {requests, keys}
}

/**
 * Notes in the journals of a folder that what ended so far may have no entry, once a sealed line of the trail names the
 * marks. Whatever ends later needs one, by any clock.
 *
 * @returns the marks of all requests, earlier ones too.
 */
export function excuseRequests(folder: string): string[] {
  const mark = randomBytes(8).toString('hex')
  const marks = new Set<string>()
  for (const journal of journalsIn(folder)) {
    using db = openOther(journal)
    db.run(`UPDATE request SET excused_by = ? WHERE excused_by IS NULL AND ${NEEDS_ENTRY}`, [mark])
    for (const row of db.all<{mark: string}>(
      'SELECT DISTINCT excused_by AS mark FROM request WHERE excused_by IS NOT NULL',
    ))
      marks.add(row.mark)
  }
  return [...marks]
}

const NEEDS_ENTRY = `outcome <> 'none' AND resolved_at IS NULL`
