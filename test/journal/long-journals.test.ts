import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import type {RequestFilter} from '../../src/journal/recorded-requests.ts'
import {bytesRead, countsReads} from '../helpers/bytes-read.ts'
import {HOUR, patchOf, temporaryFolder, testJournal} from './fixtures.ts'

const MANY = 20_000
/** A few pages of tables and indexes; all requests take some 8 MB. */
const LITTLE = 400_000

const MIDDLE = {
  id: `r_${String(MANY / 2).padStart(26, '0')}`,
  begunAt: Date.UTC(2027, 0, 4, 12) + (MANY / 2) * 1000,
}

/** A journal with one unfinished request behind many that ended, a second apart. */
function longJournal(file: string) {
  const d = testJournal(file)
  const {id} = d.journal.begin(patchOf('2001', {resources: ['account:2001']}))
  d.journal.begin(patchOf('2002', {job: 'j_1'}))
  d.gone.add('first')
  const {db} = d.journal.store
  const columns = db
    .all<{name: string}>('PRAGMA table_info(request)')
    .map(({name}) => name)
    .filter(name => !['id', 'begun_at', 'outcome'].includes(name))
    .join(', ')
  db.run(
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     INSERT INTO request (id, begun_at, outcome, ${columns})
     SELECT printf('r_%026d', i), begun_at + i * 1000, 'done', ${columns} FROM n, request WHERE id = ?`,
    [id],
  )
  d.clock.at += MANY * 1000 + HOUR
  return d
}

// Each reader has its own connection, so that nothing is in its cache.
describe.runIf(countsReads)('in a journal with many requests', () => {
  const cases: readonly [string, RequestFilter, number][] = [
    ['the newest', {limit: 30}, 30],
    ['the unfinished', {state: 'unfinished'}, 2],
    ['those of a time', {since: Date.UTC(2027, 0, 4, 12) + (MANY - 9) * 1000}, 10],
    ['those of a job', {job: 'j_1'}, 1],
    ['the newest of a resource that all touched', {resources: ['account:2001'], limit: 30}, 30],
    ['the newest of it before another', {resources: ['account:2001'], before: MIDDLE, limit: 30}, 30],
  ]
  it.each(cases)('%s are listed without reading all', (_, filter, count) => {
    using folder = temporaryFolder()
    using d = longJournal(join(folder.path, 'journal.db'))
    const reader = d.other('second')
    const bytes = bytesRead(() => expect(reader.requests.list(filter)).toHaveLength(count))
    expect(bytes).toBeLessThan(LITTLE)
  })

  it('unfinished requests are found without reading all', () => {
    using folder = temporaryFolder()
    using d = longJournal(join(folder.path, 'journal.db'))
    const reader = d.other('second')
    expect(bytesRead(() => expect(reader.unfinished()).toHaveLength(2))).toBeLessThan(LITTLE)
    expect(bytesRead(() => reader.requests.list())).toBeGreaterThan(10 * LITTLE)
  })
})
