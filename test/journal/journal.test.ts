import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {Secret} from '../../src/sensitive/secret.ts'
import {immediate} from '../../src/sqlite/index.ts'
import {failureOf, HOUR, patchOf, temporaryFolder, testJournal} from './fixtures.ts'

describe('a request', () => {
  it('is in the journal before and after', () => {
    using d = testJournal()
    const {id, key} = d.journal.begin(patchOf('2001', {key: 'k1', job: 'j_1', reference: 'ref'}))
    expect(id).toMatch(/^r_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(key).toEqual({state: 'new'})
    expect(d.journal.requests.get(id)).toMatchObject({
      id,
      profile: 'prod',
      operation: 'accounts.patchCredit.v4',
      effectMark: 'write',
      method: 'PATCH',
      path: '/v4/CREDIT/2001',
      target: 'https://api.example',
      resources: ['2001'],
      key: 'k1',
      auditUser: 'aino',
      job: 'j_1',
      reference: 'ref',
      state: 'running',
      begunAt: d.clock.at,
      pid: 4711,
    })
    d.clock.at += 1_500
    const end = {
      status: 503,
      replyId: '88121',
      durationMs: 1_499.6,
      attempts: 3,
      effect: 'none',
      repeatable: true,
      failure: 'SERVICE_FAULT',
    } as const
    expect(d.journal.end(id, {...end, outcome: 'failed'})).toBe(true)
    expect(d.journal.requests.get(id)).toMatchObject({
      ...end,
      state: 'failed',
      durationMs: 1_500,
      endedAt: d.clock.at,
    })
  })

  it('that ended for certain keeps its end; an unknown end may become certain', () => {
    using d = testJournal()
    const {id} = d.journal.begin(patchOf('2001'))
    expect(d.journal.end(id, {outcome: 'unknown', effect: 'unknown'})).toBe(true)
    expect(d.journal.end(id, {outcome: 'done', effect: 'done'})).toBe(true)
    expect(d.journal.end(id, {outcome: 'none', effect: 'none'})).toBe(false)
    expect(d.journal.requests.get(id)?.state).toBe('done')
    expect(d.journal.end('r_nobody', {outcome: 'done'})).toBe(false)
  })

  it('many begin together or not at all', () => {
    using d = testJournal()
    d.journal.begin(patchOf('1', {key: 'taken'}))
    expect(failureOf(() => d.journal.beginAll([patchOf('2'), patchOf('3', {key: 'taken'})])).code).toBe(
      'KEY_REUSED',
    )
    expect(d.journal.requests.list()).toHaveLength(1)
    const begun = d.journal.beginAll([patchOf('2'), patchOf('3')])
    d.journal.endAll(begun.map(({id}) => ({id, outcome: 'done'}) as const))
    expect(d.journal.requests.list({state: 'done'}).map(({id}) => id)).toEqual(
      begun.map(({id}) => id).reverse(),
    )
  })
})

describe('the list', () => {
  it('is filtered by time, state, operation, resource and job, newest first', () => {
    using d = testJournal()
    const ids = ['2001', '2001', '20', '2003'].map((account, n) => {
      const {id} = d.journal.begin(
        patchOf(account, {operation: n === 3 ? 'other' : 'op', job: n < 2 ? 'j_1' : 'j_2'}),
      )
      d.clock.at += HOUR
      return id
    })
    const [a = '', b = '', c = '', e = ''] = ids
    d.journal.end(a, {outcome: 'done'})
    d.journal.end(b, {outcome: 'unknown'})
    const start = d.clock.at - 4 * HOUR
    const list = (filter: Parameters<typeof d.journal.requests.list>[0]) =>
      d.journal.requests.list(filter).map(({id}) => id)
    expect(list({})).toEqual([e, c, b, a])
    expect(list({limit: 2})).toEqual([e, c])
    expect(list({limit: 0})).toEqual([])
    expect(list({since: start + HOUR, until: start + 3 * HOUR})).toEqual([c, b])
    expect(list({state: 'done'})).toEqual([a])
    expect(list({state: 'unknown'})).toEqual([b])
    expect(list({state: 'running', limit: 1})).toEqual([e])
    expect(list({operation: 'other'})).toEqual([e])
    expect(list({resource: '2001'})).toEqual([b, a])
    expect(list({resource: '20'})).toEqual([c])
    expect(list({job: 'j_2'})).toEqual([e, c])
    d.gone.add('first')
    expect(list({state: 'unfinished'})).toEqual([e, c])
    expect(list({state: 'running'})).toEqual([])
  })

  it('keeps the note and the ticket of a request, and finds it by its ticket', () => {
    using d = testJournal()
    const {id} = d.journal.begin(patchOf('2001', {note: 'asked for by phone', ticket: 'SUP-12'}))
    const {id: other} = d.journal.begin(patchOf('2002'))
    expect(d.journal.requests.get(id)).toMatchObject({note: 'asked for by phone', ticket: 'SUP-12'})
    expect(d.journal.requests.get(other)).toMatchObject({note: undefined, ticket: undefined})
    expect(d.journal.requests.list({ticket: 'SUP-12'}).map(one => one.id)).toEqual([id])
    expect(d.journal.requests.list({ticket: 'SUP-1'})).toEqual([])
  })

  it('finds resources whatever signs they have', () => {
    using d = testJournal()
    const odd = ['a/b', '%2F', 'ä ö', '_']
    const {id} = d.journal.begin(patchOf('x', {resources: odd}))
    for (const resource of odd) expect(d.journal.requests.list({resource}).map(one => one.id)).toEqual([id])
    expect(d.journal.requests.list({resource: 'b'})).toEqual([])
    expect(d.journal.requests.get(id)?.resources).toEqual(odd)
  })
})

describe('an unfinished request', () => {
  it('is reported once, by the first process that asks, and not while its own runs', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    const second = d.other('second')
    const {id} = second.begin(patchOf('2001'))
    expect(d.journal.unfinished()).toEqual([])
    d.gone.add('second')
    expect(d.journal.unfinished().map(record => [record.id, record.state])).toEqual([[id, 'unfinished']])
    expect(d.journal.unfinished()).toEqual([])
    expect(d.other('third').unfinished()).toEqual([])
    expect(d.journal.requests.get(id)?.state).toBe('unfinished')
  })

  it('of another machine counts as running for a day', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    d.journal.begin(patchOf('2001'))
    // Its lock, which this machine could see, stayed there.
    d.journal.store.db.run(`UPDATE request SET process_mark = 'elsewhere'`)
    const here = d.other('here', {isAlive: () => undefined})
    d.clock.at += 23 * HOUR
    expect(here.unfinished()).toEqual([])
    d.clock.at += HOUR
    expect(here.unfinished()).toHaveLength(1)
  })

  it('can be resolved, with the evidence; one that runs or ended cannot', () => {
    using d = testJournal()
    const {id} = d.journal.begin(patchOf('2001'))
    expect(d.journal.resolve(id, {effect: 'done', evidence: 'seen'})).toBe(false)
    d.gone.add('first')
    expect(d.journal.resolve(id, {effect: 'unknown', evidence: 'the list does not show it'})).toBe(true)
    expect(d.journal.requests.get(id)).toMatchObject({
      state: 'unknown',
      evidence: 'the list does not show it',
    })
    expect(d.journal.resolve(id, {effect: 'done', evidence: 'batch 88121 carries its reference'})).toBe(true)
    expect(d.journal.requests.get(id)).toMatchObject({
      state: 'done',
      effect: 'done',
      evidence: 'batch 88121 carries its reference',
      resolvedAt: d.clock.at,
    })
    expect(d.journal.resolve(id, {effect: 'none', evidence: 'no'})).toBe(false)
  })
})

describe('the kept input', () => {
  it('is returned unchanged, for 24 hours', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    const input = {path: {id: '2001'}, query: {a: 1}, body: {z: 'ä', a: [1.5, null]}}
    const {id} = d.journal.begin(patchOf('2001', {input}))
    expect(JSON.stringify(d.journal.requests.keptInput(id))).toBe(JSON.stringify(input))
    d.clock.at += 24 * HOUR
    expect(d.journal.requests.keptInput(id)).toBeUndefined()
    const rows = () => d.journal.store.db.get<{n: number}>('SELECT count(*) AS n FROM kept_input')?.n
    expect(rows()).toBe(1)
    d.other('later')
    expect(rows()).toBe(0)
    expect(d.journal.requests.get(id)).toBeDefined()
  })

  it('is not there where something is sensitive, or nobody knows', () => {
    using d = testJournal()
    const none = (more: Parameters<typeof patchOf>[1]) =>
      expect(d.journal.requests.keptInput(d.journal.begin(patchOf('1', more)).id)).toBeUndefined()
    none({sensitive: ['/pinBlock']})
    none({sensitive: undefined})
    none({input: {path: {}, query: {}, body: {items: [{note: new Secret('x')}]}}})
    none({input: {path: {}, query: {}, body: {deep: {pinBlock: 'AB'}}}})
    none({input: {path: {}, query: {token: 'abc'}, body: {}}})
  })

  it('cannot be opened for another request', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    const [one, two] = d.journal.beginAll([patchOf('1'), patchOf('2')])
    d.journal.store.db.run(
      'UPDATE kept_input SET sealed = (SELECT sealed FROM kept_input WHERE request_id = ?) WHERE request_id = ?',
      [one?.id ?? '', two?.id ?? ''],
    )
    expect(d.journal.requests.keptInput(two?.id ?? '')).toBeUndefined()
  })

  it('and nothing else in the files shows the request', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    d.journal.begin(
      patchOf('3001', {
        sensitive: ['/pinBlock', '/cards/*/number'],
        input: {
          path: {id: '3001'},
          query: {},
          body: {pinBlock: 'CANARY-BLOCK', cards: [{number: '4111111111111111'}], holder: 'CANARY-HOLDER'},
        },
      }),
    )
    d.journal.begin(
      patchOf('2001', {input: {path: {id: '2001'}, query: {}, body: {address: 'CANARY-STREET'}}}),
    )
    const names = readdirSync(folder.path, {recursive: true, encoding: 'utf8'})
    for (const name of names.filter(one => statSync(join(folder.path, one)).isFile())) {
      const bytes = readFileSync(join(folder.path, name)).toString('latin1')
      for (const canary of ['CANARY', '4111111111111111']) expect(bytes).not.toContain(canary)
      expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600)
    }
  })
})

describe('pruning', () => {
  it('removes what ended, keeps the last day, what runs and what is unknown', () => {
    using d = testJournal()
    const old = ['1', '2', '3', '4'].map(account => patchOf(account, {operation: `op${account}`}))
    const [done, unknown, running, guarded] = d.journal.beginAll(old).map(({id}) => id)
    d.journal.endAll([
      {id: done ?? '', outcome: 'done'},
      {id: unknown ?? '', outcome: 'unknown'},
      {id: guarded ?? '', outcome: 'done'},
    ])
    d.clock.at += 30 * HOUR
    const fresh = d.journal.begin(patchOf('5')).id
    d.journal.end(fresh, {outcome: 'done'})
    const ids = () => d.journal.requests.list().map(({id}) => id)
    const all = {before: d.clock.at + 1, guarded: {operation: 'op4', forMs: 48 * HOUR}}
    const kept = {keys: 1, guarded: 1, unknown: 1, running: 1}
    expect(d.journal.upkeep.prune(all)).toEqual({removed: 1, kept})
    expect(ids()).toEqual([fresh, guarded, running, unknown])
    expect(d.journal.upkeep.prune({...all, unresolved: true})).toEqual({
      removed: 1,
      kept: {...kept, unknown: 0},
    })
    expect(ids()).toEqual([fresh, guarded, running])
    d.clock.at += 48 * HOUR
    expect(d.journal.upkeep.prune(all)).toEqual({
      removed: 2,
      kept: {keys: 0, guarded: 0, unknown: 0, running: 1},
    })
  })
})

describe('when the journal cannot be written', () => {
  it('if the disk is full, a request does not begin', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    const pages = d.journal.store.db.get<{page_count: number}>('PRAGMA page_count')?.page_count ?? 0
    d.journal.store.db.exec(`PRAGMA max_page_count = ${pages}`)
    const huge = patchOf('1', {input: {path: {}, query: {}, body: {text: 'x'.repeat(50_000)}}})
    expect(failureOf(() => d.journal.begin(huge)).code).toBe('DISK_FULL')
    expect(d.journal.requests.list()).toEqual([])
  })

  it('if another process holds it, a request does not begin', () => {
    using folder = temporaryFolder()
    using d = testJournal(join(folder.path, 'j.db'))
    const other = d.other('second', {busyTimeoutMs: 20})
    immediate(d.journal.store.db, () => {
      expect(failureOf(() => other.begin(patchOf('1'))).code).toBe('FILE_LOCKED')
    })
    expect(d.journal.requests.list()).toEqual([])
    expect(other.begin(patchOf('1')).key.state).toBe('new')
  })

  it('if it is damaged, the file is named and left unchanged', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'j.db')
    const garbage = 'not a journal '.repeat(1_000)
    writeFileSync(file, garbage)
    const failure = failureOf(() => testJournal(file))
    expect(failure.code).toBe('STORE_DAMAGED')
    expect(failure.message).toContain(file)
    expect(readFileSync(file, 'utf8')).toBe(garbage)
  })
})
