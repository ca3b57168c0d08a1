import {randomBytes} from 'node:crypto'
import type {Witness} from '../audit/index.ts'
import {immediate} from '../sqlite/index.ts'
import {openOther} from './adopt-journal.ts'
import {journalsIn} from './journal-file.ts'

/**
 * What the journals of a folder know about the audit trail. A request without an effect needs no entry, and one whose end
 * was only found out later may have none: its process ended first. A mark that more requests have than it was made for
 * excuses none of them.
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
  const uses = new Map<string, number>()
  for (const {mark} of requests.values()) if (mark !== null) uses.set(mark, (uses.get(mark) ?? 0) + 1)
  for (const [id, {mark, journal}] of requests)
    if (mark !== null && (uses.get(mark) ?? 0) > madeFor(mark)) requests.set(id, {mark: null, journal})
  return {requests, keys}
}

/**
 * Notes in the journals of a folder that what ended so far may have no entry, once a sealed line of the trail names the
 * marks. Whatever ends later needs one, by any clock: a mark says for how many requests it was made.
 *
 * @returns the marks of all requests, earlier ones too.
 */
export function excuseRequests(folder: string): string[] {
  const marks = new Set<string>()
  for (const journal of journalsIn(folder)) {
    using db = openOther(journal)
    immediate(db, () => {
      const open = `excused_by IS NULL AND ${NEEDS_ENTRY}`
      const found = db.get<{n: number}>(`SELECT count(*) AS n FROM request WHERE ${open}`)
      const mark = `${randomBytes(8).toString('hex')}.${found?.n}`
      db.run(`UPDATE request SET excused_by = ? WHERE ${open}`, [mark])
    })
    for (const row of db.all<{mark: string}>(
      'SELECT DISTINCT excused_by AS mark FROM request WHERE excused_by IS NOT NULL',
    ))
      marks.add(row.mark)
  }
  return [...marks]
}

const NEEDS_ENTRY = `outcome <> 'none' AND resolved_at IS NULL`

const madeFor = (mark: string): number => Number(mark.split('.')[1] ?? 0)
