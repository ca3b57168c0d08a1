import {stat} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

const DAY = 86_400_000
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4321']
const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']
const BULK = 'accounts.patchCredit.v4'

let home: Home
/** How far the clock is ahead. It is right: see wrong-clock.test.ts for one that isn't. */
let days: number
beforeEach(async () => {
  home = await openHome()
  days = 0
})
afterEach(() => home.remove())

const clock = (options: RunOptions = {}): RunOptions => ({now: () => Date.now() + days * DAY, ...options})
const SURE = '--clock-is-right'
const run = (argv: readonly string[], options?: RunOptions) => home.run(argv, clock(options))
const bulk = (rows: number, ...more: string[]) => {
  const stdin = `id,creditLimit\n${Array.from({length: rows}, (_, at) => `2001,${1000 + at}\n`).join('')}`
  return run(['bulk', 'run', BULK, '--from', '-', '--rate', 'off', ...more], {stdin})
}
const requests = (options?: RunOptions) => home.json<{id: string}[]>(['requests', 'list'], clock(options))
const jobs = () => home.json<{job: string; state: string}[]>(['bulk', 'list'], clock())
const fault = (...flags: string[]) => run(['sandbox', 'faults', 'add', ...flags])
const clear = () => run(['sandbox', 'faults', 'clear', '--yes'])

describe('requests prune', () => {
  test('says what stays and why, and never frees a key that still protects', async () => {
    await run([...PATCH, '--idempotency-key', 'k'])
    await run(CREATE)
    await fault('--operation', BULK, '--drop', 'before')
    expect((await run([...PATCH, '--idempotency-key', 'lost'])).code).toBe(10)
    await clear()
    const young = await run(['requests', 'prune', '--older-than', '1s', '--yes'], {
      now: () => Date.now() + 2000,
    })
    expect(young.code).toBe(0)
    expect(young.stdout).toContain('Removed 0 requests.')
    expect(young.stdout).toContain('Kept 2: younger than 24 hours, so their keys still protect.')
    expect(young.stdout).toContain('Kept 1: effect unknown')
    const other = [...PATCH, '-F', 'segment=SEGMENT_A', '--idempotency-key', 'k']
    expect((await run(other)).stderr).toContain('KEY_REUSED')
    days = 2
    const later = await run(['requests', 'prune', '--older-than', '1s', '--yes', SURE])
    expect(later.stdout).toContain('Removed 1 requests.')
    expect(later.stdout).toContain('Kept 1: transfers of the last 7 days')
    expect((await run(CREATE)).stderr).toContain('same transfers')
    expect(await requests()).toHaveLength(2)
    days = 9
    const report = JSON.parse(
      (await run(['requests', 'prune', '--older-than', '1d', '--yes', SURE, '-o', 'json'])).stdout,
    )
    expect(report).toMatchObject({what: 'requests', removed: 1, kept: [{count: 1}]})
  })
})

describe('bulk prune', () => {
  test('removes finished jobs with their rows, and says why others stay', async () => {
    await bulk(3)
    const [finished] = await jobs()
    await fault('--operation', BULK, '--status', '429')
    await bulk(5)
    await clear()
    expect(
      await run(['bulk', 'prune', '--older-than', '1s', '--yes'], {now: () => Date.now() + 2000}),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Removed 0 bulk jobs[\s\S]*Kept 1: worked on in the last 24 hours[\s\S]*Kept 1: rows are left/,
      ),
    })
    days = 100
    const pruned = await run(['bulk', 'prune', '--yes', SURE])
    expect(pruned.stdout).toContain('Removed 1 bulk jobs.')
    expect(pruned.stdout).toContain('Kept 1: rows are left; see bulk resume and bulk cancel.')
    expect((await run(['bulk', 'results', finished?.job ?? ''])).code).toBe(5)
    const [left] = await jobs()
    await run(['bulk', 'cancel', left?.job ?? ''])
    days = 200
    await run(['bulk', 'prune', '--yes', SURE])
    expect(await jobs()).toEqual([])
    const db = new DatabaseSync(join(home.folder, '.local/share/cardctl/journal/sandbox.db'))
    expect(db.prepare('SELECT count(*) AS n FROM bulk_row').get()).toEqual({n: 0})
    db.close()
  })
})

describe('by itself', () => {
  test('sending removes what is finished and older than 90 days, and nothing unfinished', async () => {
    await run(PATCH)
    await bulk(3)
    await fault('--operation', BULK, '--drop', 'before')
    expect((await run(PATCH)).code).toBe(10)
    await clear()
    const [lost] = await requests()
    days = 89
    await run([...PATCH, SURE])
    expect(await requests()).toHaveLength(6)
    expect(await jobs()).toHaveLength(1)
    days = 91
    // Looking removes nothing.
    expect(await requests()).toHaveLength(6)
    await run([...PATCH, SURE], {env: {CARDCTL_KEEP: 'off'}})
    expect(await requests()).toHaveLength(7)
    await run(PATCH)
    const left = await requests()
    expect(left).toHaveLength(4)
    expect(left.at(-1)?.id).toBe(lost?.id)
    expect(await jobs()).toEqual([])
  })

  test('after the time that is given, but never within a day', async () => {
    const env = {CARDCTL_KEEP: '1s'}
    await run(PATCH)
    days = 0.5
    await run(PATCH, {env})
    expect(await requests()).toHaveLength(2)
    days = 2
    await run([...PATCH, SURE], {env})
    expect(await requests()).toHaveLength(1)
    const {code, stderr} = await run(PATCH, {env: {CARDCTL_KEEP: 'for ever'}})
    expect([code, stderr]).toEqual([2, expect.stringContaining('CARDCTL_KEEP')])
    expect(await requests()).toHaveLength(1)
  })
})

test('the file becomes smaller', async () => {
  await bulk(800, '--unordered')
  const file = join(home.folder, '.local/share/cardctl/journal/sandbox.db')
  const before = (await stat(file)).size
  days = 100
  const pruned = await home.json<{removed: number; freedBytes: number}>(
    ['requests', 'prune', '--yes', SURE],
    clock(),
  )
  expect(pruned.removed).toBe(800)
  expect(pruned.freedBytes).toBeGreaterThan(0)
  await run(['bulk', 'prune', '--yes'])
  expect((await stat(file)).size).toBeLessThan(before / 4)
})
