import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {describe, expect, onTestFinished, test} from 'vitest'
import {createSandbox, type Sandbox, type Snapshot} from '../../src/sandbox/index.ts'
import {
  checkSnapshot,
  rowsOf,
  SNAPSHOT_VERSION,
  type StateRow,
  snapshotOf,
} from '../../src/sandbox/snapshot/snapshot.ts'
import {loadSnapshot, takeSnapshot} from '../../src/sandbox/snapshot/state.ts'
import type {Transaction} from '../../src/sandbox/store/store.ts'
import {migrations} from '../../src/sandbox/store/tables.ts'
import {START, type TestSandbox, temporaryFile, testSandbox} from './helpers/sandbox.ts'
import {snapshotModel} from './helpers/snapshot-model.ts'
import {openStore, storeOptions} from './helpers/store.ts'

const DAY = 86_400_000
const patch = (sandbox: TestSandbox, creditLimit: number, key: string) =>
  sandbox.op('accounts.patchCredit.v4', {path: {id: '2001'}, body: {creditLimit}}, {key})
const save = async (sandbox: TestSandbox): Promise<Snapshot> =>
  (await sandbox.op('sandbox.snapshot.take')).body as unknown as Snapshot
const load = (sandbox: TestSandbox, body: unknown) => sandbox.op('sandbox.snapshot.load', {body})

/** Everything that a snapshot has, without when it was made. */
const contentOf = async (snapshot: Snapshot) => ({now: snapshot.now, rows: await rowsOf(snapshot)})

test('a sandbox responds after a load as the one that was saved', async () => {
  const other = await storeOptions()
  const report = await snapshotModel({seed: 8, past: 150, calls: 120, other})
  expect(report.differences).toEqual([])
  // Otherwise it has compared refusals only.
  expect(report.successes).toBeGreaterThan(30)
  expect(report.replayed).toBeGreaterThan(0)
})

test('a load puts back rows, faults, keys and the clock, for all processes on the file', async () => {
  const file = await temporaryFile()
  const [sandbox, other] = [await testSandbox({file}), await testSandbox({file})]
  await patch(sandbox, 6000, 'before')
  const {id} = (
    await sandbox.op('sandbox.faults.add', {body: {operation: 'cards.get.v4', status: 503, count: 2}})
  ).body
  await sandbox.op('cards.get.v4', {path: {id: '3001'}})
  await sandbox.op('sandbox.clock.advance', {body: {advanceMs: DAY / 2}})
  const saved = await save(sandbox)
  expect(saved.now).toBe('2026-06-16T00:00:00.000Z')

  await sandbox.op('sandbox.faults.clear')
  await sandbox.op('sandbox.clock.advance', {body: {advanceMs: 3 * DAY}})
  await patch(sandbox, 7000, 'after')
  sandbox.pass(10 * DAY)
  other.pass(10 * DAY)
  expect((await load(sandbox, saved)).body).toEqual({
    description: 'Snapshot loaded',
    rows: saved.rows,
    now: '2026-06-16T00:00:00.000Z',
  })

  expect((await other.op('sandbox.clock.get')).body).toEqual({
    now: '2026-06-16T00:00:00.000Z',
    offsetMs: DAY / 2 - 10 * DAY,
  })
  expect((await other.op('sandbox.faults.list')).body).toMatchObject([{id, remaining: 1, struck: 1}])
  const limit = async () =>
    (await other.op('sandbox.state.get', {path: {kind: 'account', id: '2001'}})).body.creditLimit
  expect(await limit()).toBe(6000)
  // A key of before has its response; one of after was never used.
  expect((await patch(other, 6000, 'before')).headers).toHaveProperty('x-idempotent-replayed')
  expect((await patch(other, 8000, 'after')).headers).not.toHaveProperty('x-idempotent-replayed')
  expect(await limit()).toBe(8000)
  expect(await contentOf(await save(sandbox))).not.toEqual(await contentOf(saved))
  await load(other, saved)
  expect(await contentOf(await save(sandbox))).toEqual(await contentOf(saved))
})

test('a key counts in another sandbox too, and encrypted values can be read there', async () => {
  const [one, two] = [await testSandbox(), await testSandbox()]
  const jwks = async (sandbox: TestSandbox) => (await sandbox.send('GET', '/.well-known/jwks.json')).text
  const key = await jwks(one)
  await load(two, await save(one))
  expect(await jwks(two)).toBe(key)
  const body = {cardNumber: '4111111111111111'}
  expect((await two.op('cards.getByNumber.v4', {body})).body).toMatchObject({id: '3001'})
  // The keys outlive a reset, as those of the sandbox itself do.
  await two.op('sandbox.reset')
  expect(await jwks(two)).toBe(key)
  expect((await two.op('cards.getByNumber.v4', {body})).status).toBe(200)
})

test('a request that still runs is not in a snapshot', async () => {
  let end = () => {}
  const running = new Promise<void>(resolve => {
    end = resolve
  })
  let onWait = () => {}
  const isWaiting = new Promise<void>(resolve => {
    onWait = resolve
  })
  const sandbox = await testSandbox({
    sleep: () => {
      onWait()
      return running
    },
  })
  await sandbox.op('sandbox.faults.add', {
    body: {operation: 'accounts.patchCredit.v4', delayMs: 1000, count: 1},
  })
  const patched = patch(sandbox, 6000, 'slow')
  await isWaiting
  expect((await patch(sandbox, 6000, 'slow')).status).toBe(409)
  const saved = await save(sandbox)
  end()
  await patched
  const other = await testSandbox()
  await load(other, saved)
  // Its effect is not there, so the key is free.
  expect((await patch(other, 6000, 'slow')).headers).not.toHaveProperty('x-idempotent-replayed')
})

describe('in code', () => {
  const open = async (options = {}): Promise<Sandbox> => {
    const sandbox = await createSandbox(options)
    onTestFinished(() => sandbox.close())
    return sandbox
  }
  const statusOf = async (sandbox: Sandbox) =>
    JSON.parse(
      Buffer.from((await sandbox.handle({method: 'GET', url: '/v4/3001?auditUser=t'})).body).toString(),
    ).status
  const block = (sandbox: Sandbox) =>
    sandbox.handle({
      method: 'PATCH',
      url: '/_sandbox/state/card/3001',
      headers: {'content-type': 'application/json'},
      body: '{"status": "CARD_BLOCKED"}',
    })

  test('a test goes back to where it began, and a new sandbox begins there', async () => {
    const sandbox = await open()
    const start = await sandbox.snapshot()
    await block(sandbox)
    const blocked = await sandbox.snapshot()
    await sandbox.load(start)
    expect(await statusOf(sandbox)).toBe('CARD_OK')
    expect(await statusOf(await open({from: blocked}))).toBe('CARD_BLOCKED')
  })

  test('a file that has a state keeps it', async () => {
    const options = await storeOptions(await temporaryFile())
    const start = await (await open()).snapshot()
    await block(await open({...options, from: start}))
    await expect(createSandbox({...options, from: start})).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('has a state already'),
    })
    expect(await statusOf(await open(options))).toBe('CARD_BLOCKED')
  })
})

describe('what is refused', () => {
  test('a snapshot that was changed anywhere, and nothing changes', async () => {
    const sandbox = await testSandbox()
    const text = JSON.stringify(await save(sandbox))
    const before = await contentOf(await save(sandbox))
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('A', '7', ''), async (at, put) => {
        const changed = text.slice(0, at) + put + text.slice(at + 1)
        fc.pre(changed !== text)
        expect((await sandbox.send('PUT', '/_sandbox/snapshot', changed)).status).toBe(400)
      }),
      {numRuns: 60},
    )
    expect(await contentOf(await save(sandbox))).toEqual(before)
  })

  test('a newer version says what to do', async () => {
    const sandbox = await testSandbox()
    const newer = {...(await save(sandbox)), version: SNAPSHOT_VERSION + 1}
    const {status, problem} = await load(sandbox, newer)
    expect(status).toBe(400)
    expect(problem.detail).toMatch(
      /has version 2 of the format\. This cardctl \(\S+\) reads versions up to 1\. Use the cardctl that made it/,
    )
  })

  const times = {savedAt: START, now: START}
  test.each([
    ['an unknown table', ['secrets', {id: '1'}]],
    ['a row without an id', ['cards', {status: 'CARD_OK'}]],
    ['no row', ['cards', 7]],
    ['a number for an indexed text', ['cards', {id: '1', accountId: 7}]],
    ['a text for an indexed number', ['holds', {id: '1', until: 'soon'}]],
    ['more than a row', ['cards', {id: '1'}, 1]],
  ])('rows with %s, although the digest is right', async (_, row) => {
    const sandbox = await testSandbox()
    const made = await snapshotOf([row as unknown as StateRow], times)
    expect(checkSnapshot(made)).toBe(made)
    expect((await load(sandbox, made)).problem.detail).toContain("rows that a sandbox can't have")
    expect((await sandbox.op('cards.get.v4', {path: {id: '3001'}})).status).toBe(200)
  })

  test('what decompresses to something else than rows', async () => {
    const made = await snapshotOf([], times)
    expect(await rowsOf(made)).toEqual([])
    const unusable = "rows that a sandbox can't have"
    await expect(rowsOf({...made, state: ['bm90IGd6aXA=']})).rejects.toThrow(unusable)
    await expect(rowsOf({...made, rows: 1})).rejects.toThrow(unusable)
    const state = (text: string | Buffer) => [gzipSync(text).toString('base64')]
    const nested = `["cards",{"id":"1","x":${'['.repeat(5000)}${']'.repeat(5000)}}]\n`
    await expect(rowsOf({...made, rows: 1, state: state(nested)})).rejects.toThrow(unusable)
    await expect(rowsOf({...made, rows: 1, state: state('["cards",{"id":"1"}]')})).rejects.toThrow(unusable)
    await expect(rowsOf({...made, rows: 1_000_000})).rejects.toThrow('unpacks to more than a sandbox loads')
    const bomb = state(Buffer.alloc(65 * 1024 * 1024))
    await expect(rowsOf({...made, state: bomb})).rejects.toThrow('250000 rows or 64 MiB')
  })

  test('a state that would not fit into the request that loads it', async () => {
    const random = Buffer.alloc(48_000, 1)
    function* rows(): Generator<StateRow> {
      for (let at = 0; at < 160; at++) {
        for (let place = 0; place < random.length; place += 4)
          random.writeUInt32LE((Math.imul(place + at * 48_001, 2_654_435_761) ^ (at << 7)) >>> 0, place)
        yield ['customers', {id: String(at), locale: random.toString('base64')} as {id: string}]
      }
    }
    await expect(snapshotOf(rows(), times)).rejects.toThrow('The state is more than fits')
  })
})

describe('a load that fails on its way', () => {
  /** Fails at the n-th change of a row. */
  function failing(tx: Transaction, after: number): Transaction {
    let left = after
    const change = () => {
      if (left-- === 0) throw new Error('the disk is full')
    }
    return Object.fromEntries(
      Object.entries(tx).map(([name, table]) => [
        name,
        new Proxy(table, {
          get: (target, member) => {
            const own: unknown = Reflect.get(target, member, target)
            if (typeof own !== 'function') return own
            if (member === 'put' || member === 'clear') change()
            return own.bind(target)
          },
        }),
      ]),
    ) as unknown as Transaction
  }

  test.each([0, 5, 21, 22, 60, 150])('leaves the state as it was: after %i changes', async after => {
    const sandbox = await createSandbox({now: () => START})
    const snapshot = await sandbox.snapshot()
    await sandbox.close()
    const store = await openStore()
    onTestFinished(() => store.close())
    const service = {now: () => START}
    await store.transaction(async tx => {
      for (const name of ['a', 'b']) await tx.customers.put({id: name} as never)
      await tx.settings.put({id: 'clock-offset', value: 5000})
    })
    const before = await contentOf(await store.read(tx => takeSnapshot(service, tx)))
    const failed = store.transaction(tx => loadSnapshot(service, failing(tx, after), snapshot))
    // Work that shares the commit is not lost with it.
    const kept = store.transaction(tx => tx.faults.put({id: 'kept'} as never))
    await expect(failed).rejects.toThrow('the disk is full')
    await kept
    await store.transaction(tx => tx.faults.delete('kept'))
    expect(await contentOf(await store.read(tx => takeSnapshot(service, tx)))).toEqual(before)
    const loaded = await store.transaction(tx => loadSnapshot(service, tx, snapshot))
    expect(loaded.digest).toBe(snapshot.digest)
    expect(await contentOf(await store.read(tx => takeSnapshot(service, tx)))).toMatchObject({
      now: snapshot.now,
    })
  })
})

describe('snapshots of all versions', () => {
  const folder = join(import.meta.dirname, 'snapshots')
  const files = readdirSync(folder).filter(file => file.endsWith('.json'))

  test('there is one of each', () => {
    const wanted = Array.from({length: SNAPSHOT_VERSION}, (_, at) => `version-${at + 1}.json`)
    expect(files.sort()).toEqual(wanted.sort())
  })

  test.each(files)('%s loads', async file => {
    const sandbox = await testSandbox()
    const loaded = await load(sandbox, JSON.parse(readFileSync(join(folder, file), 'utf8')))
    expect(loaded.body).toMatchObject({now: '2026-06-16T13:00:00.000Z'})
    expect((await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2001'}})).body).toMatchObject(
      {
        creditLimit: 6000,
        effects: 1,
      },
    )
    expect((await sandbox.op('a2a.get.v1', {path: {id: '88001'}})).body).toMatchObject({status: 'COMPLETED'})
    expect((await sandbox.op('sandbox.authorisations.list')).body).toHaveLength(2)
    expect((await sandbox.op('sandbox.faults.list')).body).toMatchObject([{status: 503}])
    const body = {cardNumber: '4111111111111111'}
    expect((await sandbox.op('cards.getByNumber.v4', {body})).body).toMatchObject({id: '3001'})
  })

  test('a new step of the tables asks whether rows of older snapshots still fit', () => {
    // If they don't, raise SNAPSHOT_VERSION and bring them to the new form. Either way, raise this number.
    expect(migrations).toHaveLength(1)
  })
})

test('a closed sandbox says so, whatever is asked of it', async () => {
  const sandbox = await createSandbox()
  const snapshot = await sandbox.snapshot()
  await sandbox.close()
  const asked = [
    sandbox.handle({method: 'GET', url: '/v4/3001?auditUser=test'}),
    sandbox.snapshot(),
    sandbox.load(snapshot),
    sandbox.serve(),
  ]
  for (const one of await Promise.allSettled(asked))
    expect(one).toMatchObject({status: 'rejected', reason: {message: 'The sandbox is closed.'}})
})
