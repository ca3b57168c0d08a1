import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {exitOf} from '../../src/errors/registry.ts'
import {openRecorder} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {callOf} from '../webhook/calls.ts'
import {exchangeOf} from '../webhook/recordings.ts'

const DATA = '.local/share/cardctl'
const PLANTED = ['Planted', 'PLANTED-7', 'planted-file', 'account:2001', '/2001']

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Erased {
  readonly erased: boolean
  readonly requests: number
  readonly rows: number
  readonly calls: number
  readonly kept: readonly string[]
}

const patch = (account: string, limit: number, ...more: string[]) =>
  home.run(['accounts', 'patch', account, '--type', 'credit', '-F', `creditLimit=${limit}`, ...more])
const about = ['--note', 'Aino Planted called', '--ticket', 'PLANTED-7']

/** What the raw files still have of the words, apart from the audit trail and the sandbox itself. */
const left = (words: readonly string[] = PLANTED) =>
  readdirSync(join(home.folder, DATA), {recursive: true, withFileTypes: true})
    .filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name))
    .filter(path => !path.includes('/sandbox/sandbox.db') && !path.includes('audit.ndjson'))
    .flatMap(path => {
      const bytes = readFileSync(path)
      return words.filter(word => stands(bytes, word)).map(word => `${path} has ${word}`)
    })

/** A few digits may also be a part of a digest or a time. */
function stands(bytes: Buffer, word: string): boolean {
  if (!/^\d{1,6}$/.test(word)) return bytes.includes(word)
  return new RegExp(`(?<![0-9a-f])${word}(?![0-9a-f])`).test(bytes.toString('latin1'))
}

async function record(cardId: string): Promise<void> {
  const recorder = openRecorder({
    file: join(home.folder, DATA, 'webhook/events.db'),
    durability: 'process',
    keepMs: 1e12,
    now: Date.now,
    onTrouble: () => undefined,
  })
  for (const [index, id] of [cardId, 'another-card'].entries()) {
    const exchange = exchangeOf(index + 1)
    const body = callOf('chip', `call-${index}`, {card: {cardId: id}})
    await recorder.record({...exchange, request: {...exchange.request, body}})
  }
  await recorder.close()
}

describe('data erase', () => {
  beforeEach(async () => {
    await patch('2001', 6000, ...about)
    await patch('2001', -5, ...about)
    await patch('2002', 6100, '--note', 'another person')
    const bulk = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes', ...about]
    await home.run(bulk, {stdin: 'id,creditLimit\n2001,6001\n2002,6101\n'})
  })

  it('shows first what would go, and changes nothing', async () => {
    const before = await home.json(['requests', 'list'])
    const plan = await home.json<Erased>(['data', 'erase', '--account', '2001', '--dry-run'])
    expect(plan).toMatchObject({erased: false, rows: 1, calls: 0, kept: []})
    expect(plan.requests).toBeGreaterThanOrEqual(2)
    expect(await home.json(['requests', 'list'])).toEqual(before)
    const {code, stderr} = await home.run(['data', 'erase', '--account', '2001'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('CONFIRMATION_REQUIRED')])
    expect(left().length).toBeGreaterThan(3)
  })

  it.each(['02001', '2001 ', '+2001', '\uff12\uff10\uff10\uff11', '2001\u200b'])(
    'finds and erases what was sent for %j',
    async id => {
      await home.run(['data', 'erase', '--account', '2001', '--yes'])
      await patch(id, 6200, '--no-check-input')
      await home.run(['api', 'PUT', `/v7/thing/${encodeURIComponent(id)}`, '-F', 'a=1', '--confirm', '/v7'])
      const transfer = ['a2a', 'create', '--transfer', `${id}:2007:5:EUR:x`, '--no-check-input']
      await home.run([...transfer, '--confirm-count', '1', '--confirm-total', 'EUR:5', '--no-service-check'])
      const count = async (...argv: string[]) => (await home.json<unknown[]>(argv)).length
      for (const name of ['2001', 'account:2001', id]) {
        expect(await count('requests', 'list', '--resource', name)).toBeGreaterThanOrEqual(1)
        expect(await count('audit', 'list', '--resource', name)).toBeGreaterThanOrEqual(1)
      }
      expect(await count('history', 'account', '2001', '--local')).toBe(
        await count('history', 'account', id, '--local'),
      )
      const erased = await home.json<Erased>(['data', 'erase', '--account', id, '--confirm', id])
      expect(erased).toMatchObject({erased: true})
      expect(erased.requests).toBeGreaterThanOrEqual(2)
      expect(await home.json(['requests', 'list', '--resource', '2001'])).toEqual([])
      expect(left(['account:2001', '/2001', id, encodeURIComponent(id)])).toEqual([])
    },
  )

  it('leaves no byte of names and ids, and keeps what prevents a second effect', async () => {
    const key = 'key-that-stays'
    await patch('2001', 6003, '--idempotency-key', key)
    const others = await home.json<{id: string}[]>(['requests', 'list', '--resource', '2002'])
    const before = await home.json<{begunAt: string}[]>(['requests', 'list'])
    const states = async () =>
      (await home.json<{row: number; state: string}[]>(['bulk', 'results', 'last'])).map(({row, state}) => [
        row,
        state,
      ])
    const statesBefore = await states()
    expect(statesBefore).toContainEqual([1, 'done'])
    expect(await home.json(['data', 'erase', '--account', '2001', '--yes'])).toMatchObject({
      erased: true,
      rows: 1,
    })
    expect(left()).toEqual([])
    expect(await home.json(['requests', 'list', '--resource', '2001'])).toEqual([])
    const after = await home.json<{begunAt: string}[]>(['requests', 'list'])
    expect(after.map(({begunAt}) => begunAt)).toEqual(before.map(({begunAt}) => begunAt))
    const stay = await home.json<{id: string}[]>(['requests', 'list', '--resource', '2002'])
    expect(stay.map(({id}) => id)).toEqual(others.map(({id}) => id))
    expect(stay).toContainEqual(expect.objectContaining({note: 'another person'}))
    // The key still belongs to the erased request, whose content is compared by its fingerprint.
    const reused = await patch('2001', 9999, '--idempotency-key', key)
    expect([reused.code, reused.stderr]).toEqual([2, expect.stringContaining('KEY_REUSED')])
    expect(await states()).toEqual(statesBefore)
  })

  it('leaves a mark in the audit trail without an id, and its chain intact', async () => {
    await home.run(['data', 'erase', '--account', '2001', '--yes'])
    const [mark] = await home.json<{note: string; osUser: string}[]>(['audit', 'list', '--kind', 'erase'])
    expect(mark?.note).toMatch(/^account: \d+ requests, 1 row, 0 calls; not 0 unfinished$/)
    expect(mark?.osUser).toBe('tester')
    const {stdout} = await home.run(['audit', 'list', '--kind', 'erase'], {columns: 200})
    expect(stdout).toMatch(/account: \d+ requests, 1 row, 0 calls/)
    const stay = await home.json<unknown[]>(['audit', 'list', '--resource', 'account:2001'])
    const again = await home.json<{auditEntries: number}>(['data', 'erase', '--account', '2001', '--dry-run'])
    expect(again.auditEntries).toBe(stay.length)
    expect(stay.length).toBeGreaterThan(1)
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
  })

  it('names an unfinished request and an open job, and keeps both', async () => {
    const db = new DatabaseSync(join(home.folder, DATA, 'journal/sandbox.db'))
    const [open] = await home.json<{id: string}[]>(['requests', 'list', '--resource', '2001'])
    db.prepare(`UPDATE request SET outcome = 'unknown' WHERE id = ?`).run(open?.id ?? '')
    db.exec(`UPDATE bulk_job SET state = 'stopped'`)
    db.close()
    const [{job}] = await home.json<[{job: string}]>(['bulk', 'list'])
    const {code, stdout, stderr} = await home.run([
      'data',
      'erase',
      '--account',
      '2001',
      '--yes',
      '-o',
      'json',
    ])
    expect([code, stderr]).toEqual([11, expect.stringContaining(`${open?.id}, ${job}`)])
    expect(JSON.parse(stdout)).toMatchObject({erased: true, rows: 0, kept: [open?.id, job]})
    expect(await home.json(['requests', 'list', '--resource', '2001'])).toMatchObject([{id: open?.id}])
    expect(await home.json(['bulk', 'results', job])).toHaveLength(2)
  })

  it('removes the recorded calls of a card and no others', async () => {
    await record('card-of-planted')
    expect(left(['card-of-planted'])).not.toEqual([])
    const erased = await home.json(['data', 'erase', '--card', 'card-of-planted', '--local', '--yes'])
    expect(erased).toMatchObject({erased: true, requests: 0, calls: 1})
    expect(left(['card-of-planted'])).toEqual([])
    expect(await home.json(['webhook', 'events', 'list'])).toHaveLength(1)
  })

  it('wants each id confirmed on a live profile', async () => {
    await record('card-of-planted')
    const add = ['profiles', 'add', 'prod', '--kind', 'live', '--base-url', 'https://api.example']
    await home.run([...add, '--auth', 'bearer', '--secret', '-', '--audit-user', 'aino'], {
      stdin: 'a-token\n',
    })
    const line = ['data', 'erase', '--card', 'card-of-planted', '--local', '-p', 'prod', '--yes']
    const {code, stderr} = await home.run(line)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--confirm card-of-planted')])
    expect((await home.run([...line, '--confirm', 'card-of-planted'])).code).toBe(0)
    expect(left(['card-of-planted'])).toEqual([])
  })

  it('leaves no copy that a killed transfer left, and does not say so while one runs', async () => {
    const copyOf = (pid: number) => {
      const folder = join(home.folder, DATA, `transfer-${pid}-0123456789ab`)
      mkdirSync(folder, {mode: 0o700})
      writeFileSync(join(folder, 'journal_sandbox.db'), 'Aino Planted')
    }
    copyOf(999_999)
    copyOf(process.pid)
    const {code, stderr} = await home.run(['data', 'erase', '--account', '2001', '--yes'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('is running')])
    expect(left(['Aino Planted']).filter(path => path.includes('-999999-'))).toEqual([])
    rmSync(join(home.folder, DATA, `transfer-${process.pid}-0123456789ab`), {recursive: true})
    copyOf(999_999)
    expect((await home.run(['data', 'erase', '--account', '2001', '--yes'])).code).toBe(0)
    expect(left()).toEqual([])
  })

  it('asks the service nothing about an account', async () => {
    const line = ['data', 'erase', '--account', '2001', '--dry-run']
    const before = await home.run(line)
    expect(before.stderr).not.toContain('Could not read')
    const shown = await home.run([...line, '--verbose'])
    expect(shown.stderr).not.toContain('GET')
  })

  it('leaves what belongs to the owners of a card', async () => {
    await patch('2001', 4999)
    const found = await home.json<Erased>(['data', 'erase', '--card', '3001', '--dry-run'])
    const local = await home.json<Erased>(['data', 'erase', '--card', '3001', '--dry-run', '--local'])
    expect([found.requests, local.requests]).toEqual([0, 0])
  })

  it('needs a person, and finds nothing where there is nothing', async () => {
    expect((await home.run(['data', 'erase'])).code).toBe(2)
    expect(await home.json(['data', 'erase', '--card', '9', '--local', '--yes'])).toMatchObject({
      erased: false,
    })
  })
})

it('is no success if it could not be read what belongs to the person', async () => {
  await patch('2001', 1)
  await home.run(['sandbox', 'faults', 'add', '--operation', 'cards.listByCustomer.v4', '--status', '500'])
  const {code, stdout, stderr} = await home.run([
    'data',
    'erase',
    '--account',
    '2001',
    '--customer',
    '1001',
    '--yes',
    '-o',
    'json',
  ])
  expect({code, erased: JSON.parse(stdout).erased}).toEqual({code: exitOf('LIST_INCOMPLETE'), erased: true})
  expect(stderr).toContain('records may be missing here')
})

it('is said by each report and history that lacks what was erased', async () => {
  const send = (transfer: string) =>
    home.run(['a2a', 'create', '--transfer', transfer, '--yes', '--wait', '-p', 'sandbox'])
  await send('2006:2007:40:EUR')
  await send('2010:2007:2:EUR')
  const shift = () =>
    home.json<{money: readonly object[]; withoutAmounts: number}>(['report', 'shift', '-p', 'sandbox'])
  expect(await shift()).toMatchObject({withoutAmounts: 0})
  const erase = ['data', 'erase', '--account', '2006', '--local', '--yes', '-p', 'sandbox']
  expect((await home.run([...erase, '--confirm', '2006'])).code).toBe(0)
  expect(await shift()).toMatchObject({money: [{transfers: 1}], withoutAmounts: 1})
  const {stdout} = await home.run(['report', 'shift', '-p', 'sandbox'], {columns: 160})
  expect(stdout).toContain('1 batch whose amounts were erased from the records')
  const {stderr} = await home.run(['history', 'account', '2006', '--local', '-p', 'sandbox'])
  expect(stderr).toContain('was erased (data erase)')
  expect((await home.run(['history', 'account', '2010', '--local', '-p', 'sandbox'])).stderr).not.toContain(
    'erased',
  )
  const batches = await home.json<{id: string}[]>(['a2a', 'list', '-p', 'sandbox'])
  const oldest = batches.at(1)?.id ?? ''
  const report = await home.run(['report', 'batch', oldest, '-p', 'sandbox'], {columns: 160})
  expect(report.stdout).toContain('erased or no longer kept here')
})
