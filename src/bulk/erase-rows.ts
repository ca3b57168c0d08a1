import {plainId} from '../contract/resource.ts'
import type {JobStore} from './job-store.ts'
import {valuesPlace} from './row-records.ts'

/** The rows of a person. */
export interface PersonRows {
  readonly finished: readonly {readonly job: string; readonly row: number}[]
  /** Jobs with rows of the person that aren't finished. */
  readonly openJobs: readonly string[]
}

/**
 * The rows that sent one of these requests, or have one of these ids as a value.
 *
 * @param ids ids of the person.
 */
export function rowsOf(store: JobStore, requests: ReadonlySet<string>, ids: ReadonlySet<string>): PersonRows {
  const finished: {job: string; row: number}[] = []
  const openJobs = new Set<string>()
  for (const {id, state} of store.list()) {
    const isDone = state === 'done' || state === 'cancelled' || state === 'exported'
    for (const {row, request, values, state: rowState} of store.results(id)) {
      const isTheirs =
        (request !== undefined && requests.has(request)) ||
        Object.values(values).some(value => ids.has(plainId(value)))
      if (!isTheirs) continue
      if (isDone && rowState !== 'sent' && rowState !== 'unknown') finished.push({job: id, row})
      else openJobs.add(id)
    }
  }
  return {finished, openJobs: [...openJobs]}
}

/** Removes values, response and message of rows, and note, ticket and name of the file of their jobs. Their state, request and times stay. */
export function eraseRows(store: JobStore, rows: PersonRows['finished']): void {
  const {journal} = store
  journal.store.durably(() => {
    for (const {job, row} of rows) {
      journal.store.db.run(
        'UPDATE bulk_row SET sealed = ?, message = NULL, reply = NULL WHERE job = ? AND row = ?',
        [journal.store.seal(valuesPlace(job, row), {}), job, row],
      )
    }
    for (const job of new Set(rows.map(each => each.job))) {
      store.setSettings(job, {...store.get(job).settings, note: undefined, ticket: undefined})
      journal.store.db.run(`UPDATE bulk_job SET source = 'erased' WHERE id = ?`, [job])
      journal.store.db.run('UPDATE request SET note = NULL, ticket = NULL WHERE job = ?', [job])
    }
  })
}
