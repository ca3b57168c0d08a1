import {cpSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {JobStore} from '../../src/bulk/index.ts'
import type {Journal} from '../../src/journal/index.ts'
import {HOUR, patchOf, temporaryFolder, testJournal} from './fixtures.ts'

/** Processes of other containers: the system says nothing about them. */
const unseen = {isAlive: () => undefined}

const jobs = (journal: Journal, now: number): JobStore => new JobStore(journal, () => now)

function startJob(store: JobStore, id = 'j_1') {
  store.create({id, operation: 'accounts.patchCredit.v4', source: 'rows.csv', settings: {map: {}}})
  store.addRows(
    id,
    [1, 2].map(row => ({row, line: row + 1, values: {accountId: String(row)}})),
  )
  store.start(id, 2)
}

const ledgerOf = async (store: JobStore, job: string) => {
  const place = store.rows({job, isRepeatable: true, isUnordered: true, ended: () => undefined})
  const rows = await place({isOver: () => false, hurry: async () => undefined})
  const next = await rows.order.next()
  if (next === undefined) throw new Error('no row')
  return {...rows, row: next.row}
}

describe('the lock of a process that others cannot see', () => {
  it('keeps a job while the process lives, whatever the clock says, and frees it at once when it has ended', () => {
    using folder = temporaryFolder()
    using its = testJournal(join(folder.path, 'x.db'))
    const {clock} = its
    const runner = its.other('a', unseen)
    startJob(jobs(runner, clock.at))
    const other = jobs(its.other('b', unseen), clock.at)
    expect(() => other.claim('j_1')).toThrow('Another process')
    clock.at += 48 * HOUR
    expect(() => other.claim('j_1')).toThrow('Another process')
    runner.close()
    expect(other.get('j_1').state).toBe('stopped')
    other.claim('j_1')
    expect(other.get('j_1').state).toBe('running')
  })

  it('tells a request that is on its way from one whose process has ended', () => {
    using folder = temporaryFolder()
    using its = testJournal(join(folder.path, 'x.db'))
    const sender = its.other('a', unseen)
    const {id} = sender.begin(patchOf('1'))
    const reader = its.other('b', unseen)
    expect(reader.requests.get(id)?.state).toBe('running')
    sender.close()
    expect(reader.requests.get(id)?.state).toBe('unfinished')
    expect(reader.unfinished().map(one => one.id)).toEqual([id])
  })

  it('tells what a process left open with a journal that it has closed', () => {
    using folder = temporaryFolder()
    using its = testJournal(join(folder.path, 'x.db'))
    const first = its.other('a')
    const {id} = first.begin(patchOf('1'))
    const second = its.other('a')
    expect(second.requests.get(id)?.state).toBe('running')
    first.close()
    expect(second.requests.get(id)?.state).toBe('unfinished')
  })

  it('believes no lock in a copy of the folder: there, only the time frees a job', () => {
    using folder = temporaryFolder()
    const [here, there] = ['here', 'there'].map(name => join(folder.path, name))
    using its = testJournal(join(here ?? '', 'x.db'))
    startJob(jobs(its.other('a', unseen), its.clock.at))
    cpSync(here ?? '', there ?? '', {recursive: true})
    using copied = testJournal(join(there ?? '', 'x.db'))
    const store = jobs(copied.other('b', unseen), copied.clock.at)
    expect(store.get('j_1').state).toBe('running')
    copied.clock.at += 25 * HOUR
    expect(store.get('j_1').state).toBe('stopped')
  })

  it('leaves no file of a process that has ended', () => {
    using folder = temporaryFolder()
    using its = testJournal(join(folder.path, 'x.db'))
    const first = its.other('a', unseen)
    first.begin(patchOf('1'))
    const files = () => readdirSync(join(folder.path, 'processes'))
    expect(files()).toHaveLength(1)
    first.close()
    expect(files()).toEqual([])
  })
})

describe('a run whose job another process has taken over', () => {
  it('sends no further row, and leaves the rows and the state to the other', async () => {
    using folder = temporaryFolder()
    using its = testJournal(join(folder.path, 'x.db'))
    const {clock} = its
    const late = jobs(its.other('a'), clock.at)
    startJob(late)
    const {row, ledger, order} = await ledgerOf(late, 'j_1')
    const begun = await ledger.begin({row, start: patchOf('1', {job: 'j_1'})})
    if (begun === 'lost') throw new Error('lost')
    its.gone.add('a')
    const other = jobs(its.other('b'), clock.at)
    other.claim('j_1')
    const end = {state: 'again'} as const
    ledger.end({
      row,
      begun,
      outcome: {row: end, conclusive: false, request: {outcome: 'failed', effect: 'none'}},
      isLast: true,
    })
    order.left(row.row)
    await ledger.settle()
    expect(other.counts('j_1')).toMatchObject({sent: 1, waiting: 1, again: 0})
    await expect(ledger.begin({row: {...row, row: 2}, start: patchOf('2', {job: 'j_1'})})).rejects.toThrow(
      'has taken over bulk job j_1',
    )
    expect(other.counts('j_1')).toMatchObject({sent: 1, waiting: 1})
    late.leave('j_1')
    expect(other.get('j_1').state).toBe('running')
  })
})
