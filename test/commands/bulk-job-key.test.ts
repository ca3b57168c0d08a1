import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {keyedJobId, keyedRowKey} from '../../src/bulk/index.ts'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

const PATCH = 'accounts.patchCredit.v4'
const RUN = ['bulk', 'run', PATCH, '--from', '-', '--rate', 'off', '--job-key', 'nightly']
const ROWS = 'id,creditLimit\n2001,1111\n2002,2222\n'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const run = (stdin = ROWS, ...more: string[]) => home.run([...RUN, ...more], {stdin})
const jobs = () => home.json<BulkSummary[]>(['bulk', 'list'])
const effects = async (id: string) =>
  (await home.json<{effects: number}>(['sandbox', 'state', 'show', 'account', id])).effects
const fault = (...flags: string[]) =>
  home.run(['sandbox', 'faults', 'add', '--operation', PATCH, '--status', '503', ...flags])
const credit = 'id,creditLimit\n2001,1111\n2001,2222\n'

describe('bulk run --job-key', () => {
  test('runs once: the same command again sends nothing and says so', async () => {
    expect((await run(credit)).code).toBe(0)
    const again = await run(credit, '-o', 'json')
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({already: true, done: 2, jobKey: 'nightly', state: 'done'})
    expect(await effects('2001')).toBe(2)
    expect(await jobs()).toHaveLength(1)
  })

  test('leaves a job to the process that works on it, by an exit code of its own', async () => {
    const {promise, resolve} = Promise.withResolvers<undefined>()
    const service = await openService(({method}) => (method === 'PATCH' ? promise : undefined))
    onTestFinished(() => service.close())
    const options = {stdin: credit, env: {CARDCTL_BASE_URL: service.url, CARDCTL_PROFILE: 'sandbox'}}
    // Longer than the second may take on a busy machine.
    const first = home.run([...RUN, '--yes', '--timeout', '5m'], options)
    await expect.poll(() => service.requests.some(({method}) => method === 'PATCH')).toBe(true)
    const second = await home.run([...RUN, '--yes'], options)
    expect([second.code, second.stdout]).toEqual([17, ''])
    expect(second.stderr).toMatch(
      /Error JOB_RUNNING: Another process \(\d+ on \S+, since \S+Z\) works on bulk job/,
    )
    resolve(undefined)
    const {code, stderr, stdout} = await first
    expect(code, stdout + stderr).toBe(0)
  })

  test('continues a job that stopped early', async () => {
    const many = `id,creditLimit\n${Array.from({length: 40}, (_, at) => `2001,${1000 + at}\n`).join('')}`
    await fault()
    expect((await run(many, '--unordered')).code).toBe(13)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const {code, stderr, stdout} = await run(many, '--unordered', '-o', 'json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).not.toHaveProperty('already')
    expect(await effects('2001')).toBe(40)
    expect(await jobs()).toHaveLength(1)
  })

  test('says of a moved file that the job goes on without it, and how', async () => {
    const file = join(home.folder, 'moved.csv')
    const many = `id,creditLimit\n${Array.from({length: 40}, (_, at) => `2001,${1000 + at}\n`).join('')}`
    const again = RUN.with(4, file)
    const missing = async () => (await home.run(again)).stderr
    expect(await missing()).not.toContain('bulk resume')
    await writeFile(file, many)
    await fault()
    expect((await home.run([...again, '--unordered'])).code).toBe(13)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    await rm(file)
    const said = await missing()
    expect(said).toMatch(/has its rows without the file: 0 of 40 rows done[\s\S]* sends the \d+ left/)
    const [, job = ''] = /\n {2}Next[^:]*: cardctl bulk resume (\S+).*\n$/.exec(said) ?? []
    expect((await home.run(['bulk', 'resume', job])).code).toBe(0)
    expect(await missing()).toContain('has its rows without the file: 40 of 40 rows done, 0 failed, 0 left.')
  })

  test('says of a row that was corrected before it was sent how each value is sent', async () => {
    await fault()
    expect((await run(credit)).code).not.toBe(0)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const {code, stderr} = await run(credit.replace('2222', '3333'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('JOB_DIFFERS')])
    expect(stderr).toMatch(
      /The row that differs was not sent yet\. To send it as the job has it, with the old values: cardctl bulk resume j_\w+ -p sandbox\n {2}To send the new values, give up [^\n]*\n {2}Next: cardctl bulk cancel j_\w+ -p sandbox\n/,
    )
    expect(stderr).not.toContain('Another --job-key would')
    expect(await effects('2001')).toBe(0)
  })

  test('says of a cancelled job how its unsent rows are sent as a job of their own, with the new value', async () => {
    const rows = 'id,creditLimit\n2001,1111\n2001,2222\n2001,3333\n'
    await fault()
    expect((await run(rows, '--max-failures', '1')).code).not.toBe(0)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const nextIn = (said: string) => /\n {2}Next: cardctl (.*)\n/.exec(said)?.[1]?.split(' ') ?? []
    const cancel = nextIn((await run(rows.replace('3333', '4444'))).stderr)
    const early = await home.run(['bulk', 'results', 'last', '--unsent-rows', join(home.folder, 'early.csv')])
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('bulk cancel j_')])
    const cancelled = await home.run(cancel)
    expect([cancelled.code, cancelled.stdout]).toEqual([
      0,
      expect.stringMatching(/Next +cardctl bulk results j_\w+ --unsent-rows unsent-j_\w+\.csv/),
    ])
    const again = await run(rows.replace('3333', '4444'))
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(' was cancelled: ')])
    expect(again.stderr).not.toMatch(/bulk (?:resume|cancel)/)
    const file = join(home.folder, 'unsent.csv')
    const written = await home.run(
      nextIn(again.stderr).map(word => (word.startsWith('unsent-') ? file : word)),
    )
    expect([written.code, written.stderr]).toEqual([0, expect.stringContaining('as the job read them')])
    const left = await readFile(file, 'utf8')
    expect(left, 'the first row may have had its effect').toBe(rows.replace('2001,1111\n', ''))
    expect(cancelled.stderr).toMatch(
      /^1 row was sent, and the effect is unknown\..* requests list --job j_\w+ --open/m,
    )
    const found = ['--found', 'no-effect', '--because', 'Asked the operators', '--yes']
    expect((await home.run(['requests', 'resolve', 'last', ...found])).code).toBe(0)
    const corrected = left.replace('3333', '4444')
    await writeFile(file, corrected)
    const refused = await home.run(['bulk', 'results', 'last', '--unsent-rows', file])
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain(`${file} is there already with other content, perhaps corrected`)
    expect(await readFile(file, 'utf8')).toBe(corrected)
    expect((await home.run(nextIn(refused.stderr.replace('Name another file', 'Next')))).code).toBe(0)
    expect(await readFile(join(home.folder, 'unsent-2.csv'), 'utf8'), 'it had none').toBe(rows)
    const last = /Next: cardctl (.*)\n/.exec(written.stderr)?.[1]?.split(' ') ?? []
    expect(last).toContain('NAME')
    expect(await home.run([...last, '--yes'])).toMatchObject({code: 0})
    expect(await effects('2001')).toBe(2)
    expect(JSON.stringify(await home.json(['sandbox', 'state', 'show', 'account', '2001']))).toContain('4444')
    // The nightly job comes again: nothing is left, and the old values are not written once more.
    const nightly = await run(rows.replace('3333', '4444'))
    expect([nightly.code, nightly.stderr]).toEqual([
      2,
      expect.stringContaining('nothing of it is left to send'),
    ])
    expect(nightly.stderr).not.toContain('Next:')
    const [id = ''] = /j_\w+/.exec(nightly.stderr) ?? []
    const twice = await home.run(['bulk', 'results', id, '--unsent-rows', join(home.folder, 'twice.csv')])
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('Nothing is left of bulk job')])
    await expect(readFile(join(home.folder, 'twice.csv'))).rejects.toThrow('ENOENT')
  })

  test('says of rows from stdin that only their number shows a cut', async () => {
    const words = /nobody can tell: pass the number of rows with --rows/
    expect((await run(credit)).stderr).toMatch(words)
    expect((await run(credit, '--rows', '2')).stderr).not.toMatch(words)
  })

  test.each([
    ['a changed row', credit.replace('2222', '3333'), [], 'row 2 of stdin is different now'],
    ['another number of rows', `${credit}2001,3333\n`, [], 'which has 2 rows, but stdin has 3'],
    ['another value for all rows', credit, ['-F', 'currency=EUR'], 'row 1 of stdin is different now'],
    ['another map', credit, ['--map', 'creditLimit=overdraft'], 'which has another --map'],
  ])('refuses %s under the same key, and names it', async (_, rows, flags, words) => {
    expect((await run(credit)).code).toBe(0)
    const {code, stderr} = await run(rows, ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain('JOB_DIFFERS')
    expect(stderr).toContain(words)
    expect(stderr, 'the job has its rows, which this command left').toMatch(
      /This command sent nothing\. Bulk job j_\w+ has its rows without the file: 2 of 2 rows done, 0 failed/,
    )
    expect(await effects('2001')).toBe(2)
  })

  const rowsOf = (...limits: number[]) => `id,creditLimit\n${limits.map(limit => `2001,${limit}\n`).join('')}`
  test.each([
    [
      'more rows, after a pipe was cut',
      [1, 2],
      [1, 2, 3, 4],
      'stdin has 4: the job has the first 2 of them',
      'those 2 rows',
    ],
    ['one more before them', [1, 2], [3, 1, 2], 'stdin has 3; the job has 2 of its 3 rows', 'those 2 rows'],
    [
      'one row of them twice',
      [1, 2],
      [1, 1],
      'row 2 of stdin is different now; the job has 1 of its 2 rows',
      'that row',
    ],
  ])('says of %s which a new key would send again', async (_, before, now, words, again) => {
    expect((await run(rowsOf(...before))).code).toBe(0)
    const {code, stderr} = await run(rowsOf(...now))
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(stderr).toContain(
      `Another --job-key would send ${again} again. To send only the others, put them in a file`,
    )
    expect(stderr).not.toContain('For other rows')
  })

  test.each([
    ['fewer rows', [1, 2, 3], [1, 2], 'stdin has 2, and the job has all its rows'],
    ['another order', [1, 2], [2, 1], 'row 1 of stdin is different now, and the job has all its rows'],
  ])('names no other rows where there are none: %s', async (_, before, now, words) => {
    expect((await run(rowsOf(...before))).code).toBe(0)
    const {stderr} = await run(rowsOf(...now))
    expect(stderr).toContain(words)
    expect(stderr).toContain('Another --job-key would send those 2 rows again.')
    expect(stderr).not.toContain('the others')
  })

  test('does not send one to another key where no row is the same', async () => {
    expect((await run(rowsOf(1, 2))).code).toBe(0)
    expect((await run(rowsOf(3, 4, 5))).stderr).toContain('For other rows, use another --job-key.')
  })

  test('refuses another operation under the same key', async () => {
    await run(credit)
    const debit = RUN.map(word => (word === PATCH ? 'accounts.patchDebit.v4' : word))
    const {code, stderr} = await home.run(debit, {stdin: 'id,code\n5001,X\n'})
    expect(code).toBe(2)
    expect(stderr).toContain(`which runs ${PATCH}, not accounts.patchDebit.v4`)
  })

  test('sends failed rows again only with --retry-failed', async () => {
    await home.run(['sandbox', 'faults', 'add', '--operation', PATCH, '--status', '422', '--count', '1'])
    expect((await run(credit, '--unordered', '--concurrency', '1')).code).toBe(11)
    expect((await run(credit, '--unordered')).code).toBe(11)
    expect(await effects('2001')).toBe(1)
    expect((await run(credit, '--unordered', '--retry-failed')).code).toBe(0)
    expect(await effects('2001')).toBe(2)
  })

  test('asks for the same counts when it continues', async () => {
    const closing = [
      'bulk',
      'run',
      'accounts.patchDebit.v4',
      '--from',
      '-',
      '--rate',
      'off',
      '--job-key',
      'c',
    ]
    const rows = 'id,status\n2006,ACCOUNT_TO_CLOSE\n2007,ACCOUNT_TO_CLOSE\n'
    const confirmed = [...closing, '--confirm', 'ACCOUNT_TO_CLOSE:2', '--yes']
    await home.run([
      'sandbox',
      'faults',
      'add',
      '--operation',
      'accounts.patchDebit.v4',
      '--status',
      '422',
      '--count',
      '1',
    ])
    expect((await home.run([...confirmed, '--concurrency', '1'], {stdin: rows})).code).toBe(11)
    const retry = await home.run([...closing, '--retry-failed', '--yes'], {stdin: rows})
    expect(retry.stderr).toContain('--confirm ACCOUNT_TO_CLOSE:COUNT')
    expect((await home.run([...confirmed, '--retry-failed'], {stdin: rows})).code).toBe(0)
  })

  test.each(['', 'a b', 'x'.repeat(101), 'x-4111111111111111'])('refuses the key %j', async key => {
    const {code} = await home.run([...RUN.slice(0, -1), key], {stdin: credit})
    expect(code).toBe(2)
  })

  test('names the job on stderr before a row is sent, as JSON if the result is', async () => {
    expect((await run(credit)).stderr).toContain(`Bulk job ${keyedJobId('nightly')}: 2 rows`)
    const [first = ''] = (await run(credit, '-o', 'json')).stderr.split('\n')
    expect(JSON.parse(first)).toMatchObject({note: {code: 'JOB_BEGINS', job: keyedJobId('nightly'), left: 0}})
    expect((await run(credit, '-o', 'json', '-q')).stderr).toBe('')
  })
})

describe('where the service does not honour keys', () => {
  test('a live profile refuses a data folder that is new, until --first-run says that no other has the job', async () => {
    const service = await openService(() => reply(200, {id: '5001', description: 'Updated'}))
    const flags = [
      '--kind',
      'live',
      '--base-url',
      service.url,
      '--auth',
      'none',
      '--profile-audit-user',
      'anna.berg',
    ]
    await home.json(['profiles', 'add', 'prod', ...flags])
    const unhonoured = [
      'bulk',
      'run',
      'pricelists.patch.v1',
      '--from',
      '-',
      '-p',
      'prod',
      '--yes',
      '--job-key',
      'n',
    ]
    try {
      const rows = {stdin: 'id,code\n5001,X\n'}
      const refused = await home.run(unhonoured, rows)
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain('does not honour idempotency keys')
      expect(refused.stderr).toContain('--first-run')
      expect((await home.run([...unhonoured, '--first-run'], rows)).code).toBe(0)
      const again = await home.run([...unhonoured, '-o', 'json', '-q'], rows)
      expect(JSON.parse(again.stdout)).toMatchObject({already: true})
    } finally {
      await service.close()
    }
  })
})

describe('keys of rows', () => {
  test('stay as they are between versions', () => {
    expect(keyedJobId('nightly-2026-11-21')).toBe('j_KH79RHK9PTYNT6EHQMG5QQWGMV')
    expect(keyedRowKey('nightly-2026-11-21', 7, {id: '2001', creditLimit: '5000'})).toBe(
      '8224f36f-855d-8aab-85ed-756c79326775',
    )
  })

  test('depend on the job key, the row and its values, and not on the order of columns', () => {
    const values = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), {maxKeys: 4})
    const row = fc.record({key: fc.string(), row: fc.integer({min: 1}), values})
    fc.assert(
      fc.property(row, row, (one, other) => {
        const keyOf = ({key, row: at, values: of}: typeof one) => keyedRowKey(key, at, of)
        const turned = Object.fromEntries(Object.entries(one.values).reverse())
        expect(keyOf({...one, values: turned})).toBe(keyOf(one))
        expect(keyOf(one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        const isSame = keyOf(one) === keyOf(other)
        if (isSame)
          expect({key: one.key, row: one.row, values: {...one.values}}).toEqual({
            ...other,
            values: {...other.values},
          })
      }),
    )
  })
})

test('requests list and audit list have everything for a program, and the newest 30 on a terminal', async () => {
  const rows = Array.from({length: 35}, (_, at) => `2001,${1000 + at}\n`).join('')
  await home.run(RUN, {stdin: `id,creditLimit\n${rows}`})
  for (const topic of ['requests', 'audit']) {
    expect(await home.json([topic, 'list'])).toHaveLength(35)
    const shown = await home.run([topic, 'list', '-o', 'json'], {columns: 80})
    expect(JSON.parse(shown.stdout)).toHaveLength(30)
    expect(JSON.parse(shown.stderr)).toMatchObject({note: {code: 'MORE_RESULTS', shown: 30}})
    const {stderr} = await home.run([topic, 'list', '--limit', '35'], {columns: 80})
    expect(stderr).not.toContain('For more')
  }
})

describe('files without rows, and rows that fail', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardctl-empty-'))
  })
  afterEach(() => rm(folder, {recursive: true, force: true}))

  test('no row is an error, and exit 0 with --allow-empty', async () => {
    const file = join(folder, 'empty.csv')
    await writeFile(file, 'id,creditLimit\n')
    const empty = ['bulk', 'run', PATCH, '--from', file]
    expect((await home.run(empty)).stderr).toContain('--allow-empty')
    expect((await home.run(empty)).code).toBe(2)
    expect(await home.json([...empty, '--allow-empty'])).toMatchObject({rows: 0, state: 'done'})
  })

  test('--max-failures stops the run, and a resume sends the rest', async () => {
    const rows = 'id,creditLimit\n9001,1\n9002,1\n9003,1\n2001,1\n'
    const limited = ['bulk', 'run', PATCH, '--from', '-', '--concurrency', '1', '--max-failures', '2']
    const {code, stderr} = await home.run([...limited, '-o', 'json', '-q'], {stdin: rows})
    expect(code).toBe(11)
    expect(JSON.parse(stderr)).toMatchObject({
      error: {code: 'PARTLY_DONE', data: {failed: 2, waiting: 2, stopped: 'failures'}},
    })
    expect(await effects('2001')).toBe(0)
    expect((await home.run(['bulk', 'resume', 'last', '--rate', 'off'])).code).toBe(11)
    expect(await effects('2001')).toBe(1)
  })

  test('bulk list has the time, the file, the user and the job key', async () => {
    const file = join(folder, 'limits.csv')
    await writeFile(file, credit)
    await home.run(['bulk', 'run', PATCH, '--from', file, '--job-key', 'k', '--audit-user', 'anna.berg'])
    expect(await jobs()).toMatchObject([
      {source: file, user: 'anna.berg', jobKey: 'k', createdAt: expect.stringMatching(/^\d{4}-.*Z$/)},
    ])
    const {stdout} = await home.run(['bulk', 'list'], {columns: 160})
    expect(stdout).toContain('limits.csv')
    expect(stdout).toContain('anna.berg')
  })
})
