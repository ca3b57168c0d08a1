import {mkdtemp, readFile, rename, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

const DAY = 86_400_000
const PATCH = 'accounts.patchCredit.v4'
// All changes are of one account; that these keep their order is another test's business.
const RUN = ['bulk', 'run', PATCH, '--from', '-', '--rate', 'off', '--unordered']

let home: Home
let folder: string
beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-bulk-'))
})
afterEach(async () => {
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const effects = async (id: string): Promise<number> =>
  (await home.json<{effects: number}>(['sandbox', 'state', 'show', 'account', id])).effects
const fault = (...flags: string[]) => home.run(['sandbox', 'faults', 'add', '--operation', PATCH, ...flags])
const clear = () => home.run(['sandbox', 'faults', 'clear', '--yes'])
/** So many changes of one account, each another. */
const changes = (count: number) =>
  `id,creditLimit\n${Array.from({length: count}, (_, at) => `2001,${1000 + at}\n`).join('')}`
const run = (stdin: string, more: readonly string[] = [], options: RunOptions = {}) =>
  home.run([...RUN, ...more], {stdin, ...options})
const lastJob = async (): Promise<BulkSummary> => {
  const [job] = await home.json<BulkSummary[]>(['bulk', 'list'])
  if (job === undefined) throw new Error('there is no job')
  return job
}

describe('bulk run', () => {
  test('sends every row once, and writes how each ended', async () => {
    const file = join(folder, 'out.ndjson')
    const {code, stdout} = await run(changes(40), ['--results', file])
    expect(code).toBe(0)
    expect(stdout).toContain('done')
    expect(await effects('2001')).toBe(40)
    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({row}) => row)).toEqual(Array.from({length: 40}, (_, at) => at + 1))
    expect(lines[0]).toMatchObject({state: 'done', status: 200, request: expect.stringMatching(/^r_/)})
    expect((await stat(file)).mode & 0o077).toBe(0)
    const {job} = await lastJob()
    const requests = await home.json<{job: string; key: string}[]>(['requests', 'list', '--limit', '100'])
    expect(requests.filter(entry => entry.job === job)).toHaveLength(40)
    expect(new Set(requests.map(({key}) => key)).size).toBe(40)
  })

  test('reads too, in the order of the rows, without an entry in the journal', async () => {
    const rows = '{"card":"3001"}\n{"card":"3002"}\n'
    const args = ['bulk', 'run', 'cards.get.v4', '--from', '-', '--map', 'card=path:id', '--rate', 'off']
    expect((await home.run(args, {stdin: rows})).code).toBe(0)
    const results = await home.json<{reply: {id: string}}[]>(['bulk', 'results', (await lastJob()).job])
    expect(results.map(({reply}) => String(reply.id))).toEqual(['3001', '3002'])
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  test('checks all rows before any is sent', async () => {
    const {code, stderr} = await run('id,creditLimt\n2001,1\n2001,2\n')
    expect(code).toBe(2)
    expect(stderr).toContain('a column is not known here: creditLimt')
    expect(stderr).toContain('--map "creditLimt=creditLimit"')
    expect((await run('id,creditLimit\n2001,x\n2001,2\n2001,y\n')).stderr).toContain('2 rows (lines 2, 4)')
    expect(await effects('2001')).toBe(0)
    expect(await home.json(['bulk', 'list'])).toEqual([])
  })

  test('failed rows do not stop the others, and are written to a file to correct', async () => {
    const file = join(folder, 'failed.csv')
    const rows = 'id,creditLimit\n2001,11\n999999,12\n2001,13\n'
    const {code, stderr} = await run(rows, ['--failed-rows', file])
    expect(code).toBe(11)
    expect(stderr).toContain('2 of 3 rows done, 1 failed')
    expect(await readFile(file, 'utf8')).toBe('id,creditLimit\n999999,12\n')
    expect(await lastJob()).toMatchObject({state: 'done', done: 2, failed: 1})
  })

  test.each([
    ['pin.view.v3', 'secret'],
    ['cards.controlToken.v1', 'neither an operation of the contract'],
    ['a2a.create.v1', 'a2a create'],
  ])('%s is refused', async (operation, words) => {
    const {code, stderr} = await home.run(['bulk', 'run', operation, '--from', '-'], {stdin: 'id\n1\n'})
    expect([2, 3]).toContain(code)
    expect(stderr).toContain(words)
  })

  test('a service that is down stops the run, and the rest stays to be sent', async () => {
    await fault('--status', '503')
    const {code, stderr} = await run(changes(60), ['--concurrency', '4'])
    expect(code).toBe(13)
    expect(stderr).toContain('The service is down')
    const job = await lastJob()
    expect(job).toMatchObject({state: 'stopped', done: 0, failed: 0})
    expect(job.waiting).toBeGreaterThanOrEqual(40)
    await clear()
    expect((await home.run(['bulk', 'resume', job.job, '--rate', 'off'])).code).toBe(0)
    expect(await effects('2001')).toBe(60)
  })

  test('stops at a signal with what is on its way ended', async () => {
    const stop = new AbortController()
    await fault('--delay', '20ms')
    setTimeout(() => stop.abort('SIGINT'), 400)
    const {code, stderr} = await run(changes(400), ['--concurrency', '4'], {signal: stop.signal})
    expect(code).toBe(130)
    const job = await lastJob()
    expect(stderr).toContain(`cardctl bulk resume ${job.job}`)
    expect(job).toMatchObject({state: 'stopped', sent: 0, again: 0, failed: 0})
    expect(await effects('2001')).toBe(job.done)
  })
})

describe('bulk resume', () => {
  /** A job of which some answers were lost behind their effect. */
  async function broken(count = 12): Promise<BulkSummary> {
    await fault('--drop', 'after', '--count', '9')
    const {code} = await run(changes(count), ['--concurrency', '1'])
    expect(code).toBe(11)
    await clear()
    const job = await lastJob()
    expect(job.sent).toBeGreaterThan(0)
    expect(job.state).toBe('stopped')
    return job
  }

  test('sends rows with an unknown effect again with the same keys', async () => {
    const {job, sent} = await broken()
    expect(await effects('2001')).toBe(12)
    expect(sent).toBeGreaterThan(0)
    expect((await home.run(['bulk', 'resume', job, '--rate', 'off'])).code).toBe(0)
    expect(await effects('2001')).toBe(12)
    expect(await lastJob()).toMatchObject({state: 'done', done: 12})
    // What became of the rows is known of their first requests too.
    const requests = await home.json<{state: string}[]>(['requests', 'list'])
    expect(requests.filter(({state}) => state !== 'done')).toEqual([])
  })

  test('after the keys have expired it stops and asks', async () => {
    const {job} = await broken()
    const later = {now: () => Date.now() + DAY}
    const {code, stderr} = await home.run(['bulk', 'resume', job, '--rate', 'off'], later)
    expect(code).toBe(2)
    expect(stderr).toContain('forgotten their keys')
    expect(await effects('2001')).toBe(12)
    const before = await lastJob()
    expect(before).toMatchObject({state: 'stopped', next: `cardctl bulk resume ${job} -p sandbox`})
    expect(Date.parse(before.keysUntil ?? '')).toBeLessThan(later.now())
    // The command that works then.
    const next = `cardctl requests list --job ${job} --open -p sandbox`
    const {stdout} = await home.run(['bulk', 'status', job, '-o', 'json'], later)
    expect(JSON.parse(stdout)).toMatchObject({next})
    expect((await home.run(['doctor'], later)).stdout.replace(/\s+/g, ' ')).toContain(`→ Next: ${next}`)
    const {stdout: open} = await home.run([...next.split(' ').slice(1), '-o', 'json'], later)
    expect(JSON.parse(open)).toHaveLength(before.sent)
  })

  test('cancelled rows are not sent', async () => {
    const {job} = await broken()
    expect((await home.run(['bulk', 'cancel', job])).code).toBe(0)
    const {code, stderr} = await home.run(['bulk', 'resume', job])
    expect(code).toBe(2)
    expect(stderr).toContain('cancelled')
  })

  test('continues on another machine, from its file, with the same keys', async () => {
    const {job} = await broken()
    const file = join(folder, 'job.ndjson')
    expect((await home.run(['bulk', 'export', job, '--to', file])).code).toBe(0)
    expect((await stat(file)).mode & 0o077).toBe(0)
    const here = await home.run(['bulk', 'resume', job, '--rate', 'off'])
    expect(here.code, 'not from two places').toBe(2)
    // What the service answered to a row may be far longer than a row.
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const last = JSON.parse(lines.pop() ?? '')
    lines.push(JSON.stringify({...last, reply: Array(3).fill('x'.repeat(1_000_000))}))
    await writeFile(file, lines.join('\n'))
    // Another machine: a data folder of its own has no journal, and here the same embedded service.
    const journal = join(home.folder, '.local/share/cardctl/journal')
    await rename(journal, join(folder, 'journal'))
    expect((await home.run(['bulk', 'import', file])).code).toBe(0)
    expect(await lastJob()).toMatchObject({job, state: 'stopped'})
    expect((await home.run(['bulk', 'import', file])).code, 'once').toBe(2)
    expect((await home.run(['bulk', 'resume', job, '--rate', 'off'])).code).toBe(0)
    expect(await lastJob()).toMatchObject({state: 'done', done: 12})
    expect(await effects('2001')).toBe(12)
  })

  test('an imported job is confirmed where it continues, once', async () => {
    const rows = 'id,status\n2001,ACCOUNT_TO_CLOSE\n2003,ACCOUNT_TO_CLOSE\n'
    await fault('--status', '503')
    expect((await run(rows, ['--confirm', 'ACCOUNT_TO_CLOSE:2'])).code).not.toBe(0)
    const {job} = await lastJob()
    const file = join(folder, 'job.ndjson')
    expect((await home.run(['bulk', 'export', job, '--to', file])).code).toBe(0)
    expect((await home.run(['bulk', 'import', file])).code).toBe(0)
    const before = await effects('2001')
    const resume = ['bulk', 'resume', job, '--rate', 'off', '--yes']
    const unasked = await home.run(resume)
    expect(unasked.code).toBe(2)
    expect(unasked.stderr).toContain('2 of 2 rows set ACCOUNT_TO_CLOSE, which cannot be undone.')
    expect(await effects('2001')).toBe(before)
    const confirm = ['--confirm', 'ACCOUNT_TO_CLOSE:2']
    expect((await home.run([...resume, ...confirm])).code, 'the service is down').not.toBe(2)
    await clear()
    const again = await home.run(resume)
    expect(again.code).not.toBe(2)
    expect(again.stderr).not.toContain('cannot be undone')
    expect(await effects('2001')).toBe(before + 1)
  })

  test('a file of another kind is refused whole', async () => {
    const {job} = await broken()
    const file = join(folder, 'job.ndjson')
    await home.run(['bulk', 'export', job, '--to', file])
    const text = await readFile(file, 'utf8')
    for (const wrong of [text.replace('job 2', 'job 1'), text.replace('"sent"', '"lost"'), '{}\n']) {
      await writeFile(file, wrong)
      const {code, stderr} = await home.run(['bulk', 'import', file])
      expect(code).toBe(2)
      expect(stderr).toContain('not what bulk export writes')
    }
  })

  test('an unknown job', async () => {
    for (const verb of ['resume', 'status', 'cancel', 'results']) {
      expect((await home.run(['bulk', verb, 'j_0'])).code).toBe(5)
    }
  })
})

test('a value that cannot be undone needs its count', async () => {
  const rows = 'id,status\n2001,ACCOUNT_TO_CLOSE\n'
  const refused = await run(rows, ['--yes'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('--confirm ACCOUNT_TO_CLOSE:COUNT')
  expect((await run(rows, ['--confirm', 'ACCOUNT_TO_CLOSE:2'])).code).toBe(2)
  expect(await effects('2001')).toBe(0)
})

test('every row that writes has its line in the audit trail, and the chain holds', async () => {
  await run('id,creditLimit\n2001,11\n999999,12\n2001,13\n')
  const lines = await home.json<{resources: string[]; outcome: string; key: string; request: string}[]>([
    'audit',
    'list',
  ])
  expect(lines.map(({resources, outcome}) => `${resources} ${outcome}`).sort()).toEqual([
    'account:2001 done',
    'account:2001 done',
    'account:999999 refused',
  ])
  const requests = await home.json<{id: string; key: string}[]>(['requests', 'list'])
  const named = (some: readonly {readonly key: string}[]) => some.map(({key}) => key).sort()
  expect(named(lines)).toEqual(named(requests))
  expect(lines.map(({request}) => request).sort()).toEqual(requests.map(({id}) => id).sort())
  expect((await home.run(['audit', 'verify'])).code).toBe(0)
})

describe('bulk watch', () => {
  test('follows a job that another command runs, to its end', async () => {
    const first = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    let asked = 0
    const service = await openService(async () => {
      if (++asked === 2) first.resolve()
      if (asked > 1) await rest.promise
      return undefined
    })
    const env = {CARDCTL_BASE_URL: service.url}
    const running = run(changes(3), ['--concurrency', '1', '--yes'], {env})
    await first.promise
    const job = (await home.json<BulkSummary[]>(['bulk', 'list'], {env}))[0]?.job ?? ''
    let looks = 0
    const sleep = async () => {
      // The first look may come before the first row is recorded.
      if (++looks === 2) rest.resolve()
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    const {code, stdout, stderr} = await home.run(['bulk', 'watch', job], {env, sleep})
    expect((await running).code).toBe(0)
    await service.close()
    expect(looks).toBeGreaterThan(0)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Done +3/)
    expect(stderr).toMatch(/of 3 rows done, 0 failed/)
  })

  test('shows a job that has ended, and exits like its run', async () => {
    await run(changes(2))
    const done = await lastJob()
    expect(await home.json(['bulk', 'watch', done.job])).toEqual(done)
    await fault('--status', '409')
    await run(changes(2), ['--keep-going'])
    const failed = await lastJob()
    const {code, stderr} = await home.run(['bulk', 'watch', failed.job])
    expect(code).toBe(6)
    expect(stderr).toContain('0 of 2 rows done, 2 failed')
    expect(await lastJob()).toEqual(failed)
  })
})
