import {mkdtemp, readFile, rename, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const ACCOUNTS = 'accounts.patchCredit.v4'
// Of price lists the service keeps no promise about keys, so what is cut off stays unknown.
const LISTS = 'pricelists.patch.v1'

interface Line {
  readonly row: number
  readonly state: string
  readonly code?: string
  readonly message?: string
  readonly request?: string
}

let home: Home
let folder: string
beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-bulk-order-'))
})
afterEach(async () => {
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const run = (operation: string, stdin: string, ...more: string[]) =>
  home.run(['bulk', 'run', operation, '--from', '-', '--rate', 'off', ...more], {stdin})
const resume = (job: string, ...more: string[]) => home.run(['bulk', 'resume', job, '--rate', 'off', ...more])
const fault = (...flags: string[]) => home.run(['sandbox', 'faults', 'add', ...flags])
const clear = () => home.run(['sandbox', 'faults', 'clear', '--yes'])
const limit = async () =>
  (await home.json<{creditLimit: number}>(['sandbox', 'state', 'show', 'account', '2001'])).creditLimit
const lastJob = async (): Promise<BulkSummary> => {
  const [job] = await home.json<BulkSummary[]>(['bulk', 'list'])
  if (job === undefined) throw new Error('there is no job')
  return job
}
const resultsOf = (job: string) => home.json<Line[]>(['bulk', 'results', job])
const states = async (job: string) => (await resultsOf(job)).map(({state}) => state)

describe('rows of one resource', () => {
  test('leave one after the other, each when the one before it is done', async () => {
    const before: string[] = []
    let open = 0
    await withService(
      async ({body}) => {
        const {creditLimit} = JSON.parse(String(body)) as {creditLimit: number}
        before.push(`${open} open at ${creditLimit}`)
        open++
        await new Promise(resolve => setImmediate(resolve))
        open--
        return updated()
      },
      async () => {
        const rows = Array.from({length: 9}, (_, at) => `2001,${at}\n`).join('')
        expect((await run(ACCOUNTS, `id,creditLimit\n${rows}`, '-p', 'other')).code).toBe(0)
      },
    )
    expect(before).toEqual(Array.from({length: 9}, (_, at) => `0 open at ${at}`))
  })

  test('wait in place when the one before it may go again, and a resume sends them in their order', async () => {
    await fault('--operation', ACCOUNTS, '--status', '503', '--match', '/creditLimit=1111')
    expect((await run(ACCOUNTS, 'id,creditLimit\n2001,1111\n2001,2222\n')).code).toBe(11)
    const {job} = await lastJob()
    expect(await states(job)).toEqual(['sent', 'waiting'])
    await clear()
    expect((await resume(job)).code).toBe(0)
    expect(await limit()).toBe(2222)
  })

  test('whose effect is unknown go again as the audit user who sent them, whoever began the job', async () => {
    const as = (name: string) => ['--audit-user', name]
    await fault('--operation', ACCOUNTS, '--status', '422', '--match', '/creditLimit=1111')
    expect((await run(ACCOUNTS, 'id,creditLimit\n2001,1111\n2001,2222\n', ...as('ann'))).code).toBe(11)
    const {job} = await lastJob()
    await clear()
    await fault('--operation', ACCOUNTS, '--status', '503')
    // Nothing of it is on its way, so anybody may continue.
    expect((await resume(job, '--retry-failed', ...as('bo'))).code).toBe(11)
    expect(await states(job)).toEqual(['sent', 'waiting'])
    await clear()
    const other = await resume(job, ...as('ann'))
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--audit-user bo')])
    expect(await states(job)).toEqual(['sent', 'waiting'])
    expect((await resume(job, ...as('bo'))).code).toBe(0)
    expect(await limit()).toBe(2222)
  })

  test('are held back behind one that failed, with its number, and go when it is sent again', async () => {
    await fault('--operation', ACCOUNTS, '--status', '422', '--match', '/creditLimit=2')
    const file = join(folder, 'failed.csv')
    const rows = 'id,creditLimit\n2001,1\n2001,2\n2001,3\n2001,4\n'
    const {code, stderr} = await run(ACCOUNTS, rows, '--failed-rows', file)
    expect(code).toBe(11)
    expect(stderr).toContain('1 of 4 rows done, 1 failed, 0 left, 2 held back')
    const {job, ...summary} = await lastJob()
    expect(summary).toMatchObject({state: 'stopped', done: 1, failed: 1, held: 2, waiting: 0})
    // The columns add up to the rows.
    const list = await home.run(['bulk', 'list'], {columns: 120})
    expect(list.stdout).toMatch(/Rows +Done +Failed +Unknown +Held back +Left/)
    expect(list.stdout).toMatch(/ 4 +1 +1 +0 +2 +0/)
    expect(await resultsOf(job)).toMatchObject([
      {state: 'done'},
      {state: 'failed'},
      {state: 'held', code: 'EARLIER_ROW_FAILED', message: 'Not sent: row 2 of the same resource failed.'},
      {state: 'held', code: 'EARLIER_ROW_FAILED', message: 'Not sent: row 2 of the same resource failed.'},
    ])
    expect(await readFile(file, 'utf8')).toBe('id,creditLimit\n2001,2\n2001,3\n2001,4\n')
    expect(await limit()).toBe(1)
    await clear()
    expect((await resume(job)).code, 'the row before them still failed').toBe(11)
    expect(await limit()).toBe(1)
    expect((await resume(job, '--retry-failed')).code).toBe(0)
    expect(await limit()).toBe(4)
    expect(await lastJob()).toMatchObject({state: 'done', done: 4, held: 0})
  })

  test('other resources go on', async () => {
    const rows = 'id,creditLimit\n999999,1\n2001,5\n999999,2\n2001,6\n'
    expect((await run(ACCOUNTS, rows)).code).toBe(11)
    expect(await states((await lastJob()).job)).toEqual(['failed', 'done', 'held', 'done'])
    expect(await limit()).toBe(6)
  })

  test('leave in any order with --unordered, also when the job goes on', async () => {
    const rows = 'id,creditLimit\n2001,1\n2001,2\n'
    await fault('--operation', ACCOUNTS, '--status', '422', '--match', '/creditLimit=1')
    expect((await run(ACCOUNTS, rows, '--unordered')).code).toBe(11)
    expect(await states((await lastJob()).job)).toEqual(['failed', 'done'])
    expect((await run(ACCOUNTS, rows)).code).toBe(11)
    const {job} = await lastJob()
    expect(await states(job)).toEqual(['failed', 'held'])
    expect((await resume(job, '--unordered')).code).toBe(11)
    expect(await states(job)).toEqual(['failed', 'done'])
  })

  test('keep their order on another machine', async () => {
    await fault('--operation', ACCOUNTS, '--status', '422', '--count', '1')
    await run(ACCOUNTS, 'id,creditLimit\n2001,1\n2001,2\n')
    const {job} = await lastJob()
    const file = join(folder, 'job.ndjson')
    expect((await home.run(['bulk', 'export', job, '--to', file])).code).toBe(0)
    await rename(join(home.folder, '.local/share/cardctl/journal'), join(folder, 'journal'))
    expect((await home.run(['bulk', 'import', file])).code).toBe(0)
    expect((await resume(job)).code).toBe(11)
    expect(await states(job)).toEqual(['failed', 'held'])
    expect((await resume(job, '--retry-failed')).code).toBe(0)
    expect(await limit()).toBe(2)
  })
})

describe('behind a row whose effect is unknown', () => {
  const rows = 'id,code\n5001,A\n5001,B\n5001,C\n'
  /** The code of the list, and a job whose first row was cut off and whose others are held back. */
  async function unknown(drop: 'before' | 'after'): Promise<{job: string; request: string}> {
    await fault('--operation', LISTS, '--drop', drop, '--count', '1')
    const {code, stderr} = await run(LISTS, rows)
    expect(code).toBe(11)
    expect(stderr).toContain('2 held back, 1 sent, effect unknown')
    const {job} = await lastJob()
    const [first, ...others] = await resultsOf(job)
    expect(first?.state).toBe('unknown')
    expect(others.map(({state, code}) => `${state} ${code}`)).toEqual(
      Array(2).fill('held EARLIER_ROW_UNKNOWN'),
    )
    expect(stderr).toContain(`Next: cardctl requests resolve ${first?.request}`)
    return {job, request: first?.request ?? ''}
  }
  const found = (request: string, what: string) =>
    home.run(['requests', 'resolve', request, '--found', what, '--because', 'Seen', '--yes'])
  const codeNow = async () =>
    (await home.json<{code: string}>(['sandbox', 'state', 'show', 'price-list', '5001'])).code
  const asked = async () => (await home.json<unknown[]>(['requests', 'list'])).length

  test('they stay until that is found out', async () => {
    const {job} = await unknown('after')
    expect((await resume(job)).code).toBe(11)
    expect(await states(job)).toEqual(['unknown', 'held', 'held'])
    expect(await asked()).toBe(1)
  })

  test('had an effect: it is done, and the others are sent', async () => {
    const {job, request} = await unknown('after')
    expect((await found(request, 'effect')).code).toBe(0)
    expect((await resume(job)).code).toBe(0)
    expect(await asked(), 'the first is not sent again').toBe(3)
    expect(await codeNow()).toBe('C')
    expect(await lastJob()).toMatchObject({state: 'done', done: 3})
  })

  test('had no effect: it is sent first, then the others', async () => {
    const {job, request} = await unknown('before')
    expect((await found(request, 'no-effect')).code).toBe(0)
    expect((await resume(job)).code).toBe(0)
    expect(await asked()).toBe(4)
    expect(await codeNow()).toBe('C')
  })

  test('was sent again by hand: it is done, and not sent a third time', async () => {
    const {job, request} = await unknown('before')
    await found(request, 'no-effect')
    expect((await home.run(['requests', 'retry', request, '--yes'])).code).toBe(0)
    expect((await resume(job)).code).toBe(0)
    expect(await asked()).toBe(4)
    expect(await codeNow()).toBe('C')
  })

  test('they are not among the failed rows, because a resume sends them', async () => {
    const file = join(folder, 'failed.csv')
    await fault('--operation', LISTS, '--drop', 'after', '--count', '1')
    expect((await run(LISTS, rows, '--failed-rows', file)).code).toBe(11)
    expect((await readFile(file, 'utf8')).trim()).toBe('')
  })
})

const updated = () => reply(200, {description: 'Updated', id: '2001'})

async function withService(
  answer: Parameters<typeof openService>[0],
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await openService(answer)
  try {
    await home.json(['profiles', 'add', 'other', '--kind', 'sandbox', '--base-url', service.url])
    await use(service)
  } finally {
    await service.close()
  }
}
