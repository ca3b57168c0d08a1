import {chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const PATCH = ['bulk', 'run', 'accounts.patchCredit.v4', '--rate', 'off']
const rows = 'id,creditLimit\n2001,1\n2001,2\n'

let home: Home
let folder: string
beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-bulk-outputs-'))
})
afterEach(async () => {
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const run = (stdin: string, ...more: string[]) => home.run([...PATCH, '--from', '-', ...more], {stdin})
const effects = async () =>
  (await home.json<{effects: number}>(['sandbox', 'state', 'show', 'account', '2001'])).effects

describe('what cannot be written', () => {
  test.each([['--results'], ['--failed-rows'], ['--results', '--as-they-end']])(
    '%s: nothing is sent, and there is no job',
    async (flag, ...more) => {
      const file = join(folder, 'nope', 'out.ndjson')
      const {code, stderr} = await run(rows, flag, file, ...more)
      expect(code).toBe(3)
      expect(stderr).toContain(`${file} cannot be written: its folder is not there`)
      expect(await effects()).toBe(0)
      expect(await home.json(['bulk', 'list'])).toEqual([])
    },
  )

  test('a resume sends nothing either', async () => {
    await home.run(['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--status', '422'])
    await run(rows)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list'])
    const resume = ['bulk', 'resume', job, '--retry-failed', '--rate', 'off']
    expect((await home.run([...resume, '--results', folder])).code).toBe(3)
    expect(await effects()).toBe(0)
    expect((await home.run(resume)).code).toBe(0)
  })

  test('the same file twice, or the rows themselves', async () => {
    const file = join(folder, 'rows.csv')
    await writeFile(file, rows)
    const from = [...PATCH, '--from', file]
    for (const flags of [
      ['--results', file],
      ['--failed-rows', join(folder, '.', 'rows.csv')],
      ['--results', join(folder, 'out.csv'), '--failed-rows', join(folder, 'out.csv')],
    ]) {
      const {code, stderr} = await home.run([...from, ...flags])
      expect(code).toBe(2)
      expect(stderr).toContain('name the same file')
    }
    expect(await readFile(file, 'utf8')).toBe(rows)
    expect(await effects()).toBe(0)
  })

  test('a failure at the end is reported with the results of the rows', async () => {
    const {code, stderr} = await run(rows, '--results', '/dev/full')
    expect(code).toBe(3)
    expect(stderr).toContain('All 2 rows are done, but /dev/full cannot be written: the disk is full.')
    expect(stderr).toMatch(/bulk results j_/)
    const unsaved = await run('id,creditLimit\n2001,1\n999999,2\n', '--failed-rows', '/dev/full')
    expect(unsaved.stderr).toContain('/dev/full cannot be written: the disk is full.')
    expect(unsaved.stderr).not.toContain('The rows that failed are in')
    const partly = await run('id,creditLimit\n2001,1\n999999,2\n', '--results', '/dev/full')
    expect(partly.code).toBe(11)
    expect(partly.stderr).toMatch(
      /Warning: .*the disk is full\. The results are in: cardctl bulk results j_\w+ -p sandbox\n/,
    )
    expect(partly.stderr).toContain('1 of 2 rows done')
  })
})

describe('who may read what is written', () => {
  test.each([
    ['--results', [], 'out.ndjson'],
    ['--results', ['--as-they-end'], 'out.csv'],
    ['--failed-rows', [], 'out.csv', ''],
  ])(
    '%s %j: only the owner, also where others could before; no link is followed',
    async (flag, more, name, old = 'old') => {
      const [file, kept] = [join(folder, name), join(folder, 'kept')]
      await writeFile(file, old)
      await chmod(file, 0o666)
      expect((await run(rows, flag, file, ...more)).code).toBe(0)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      await rm(file)
      await writeFile(kept, 'kept')
      await symlink(kept, file)
      expect((await run(rows, flag, file, ...more)).code).toBe(3)
      expect(await readFile(kept, 'utf8')).toBe('kept')
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['kept', name]))
      expect(await readdir(folder)).toHaveLength(2)
    },
  )

  test('bulk export --to likewise, and the job stays where it cannot be written', async () => {
    await run(rows)
    const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list'])
    const [file, kept] = [join(folder, 'job.ndjson'), join(folder, 'kept')]
    await writeFile(kept, 'kept')
    await symlink(kept, file)
    expect((await home.run(['bulk', 'export', job, '--to', file])).code).toBe(3)
    expect(await home.json(['bulk', 'status', job])).toMatchObject({state: 'done'})
    await rm(file)
    await writeFile(file, '')
    await chmod(file, 0o666)
    expect((await home.run(['bulk', 'export', job, '--to', file])).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})

describe('--failed-rows', () => {
  test.each(['failed.csv', 'failed.ndjson'])('%s is empty when no row failed', async name => {
    const file = join(folder, name)
    expect((await run(rows, '--failed-rows', file)).code).toBe(0)
    expect((await stat(file)).size).toBe(0)
    await writeFile(file, 'of an earlier run')
    const {code, stderr} = await run(rows, '--failed-rows', file)
    expect([code, stderr]).toEqual([0, expect.stringContaining('left as it is. No row failed.\n')])
    expect(await readFile(file, 'utf8')).toBe('of an earlier run')
  })

  test('leaves a file that was corrected, and says where the rows are', async () => {
    const file = join(folder, 'failed.csv')
    const some = 'id,creditLimit\n2001,1\n999999,2\n'
    const again = () => run(some, '--failed-rows', file, '--job-key', 'night')
    const claim = `The rows that failed are in ${file}: correct them`
    for (const round of ['written', 'the same']) {
      const {code, stderr} = await again()
      expect([code, stderr], round).toEqual([11, expect.stringContaining(claim)])
      expect(stderr).not.toContain('left as it is')
    }
    const corrected = (await readFile(file, 'utf8')).replace('999999', '2002')
    await writeFile(file, corrected)
    const {code, stderr} = await again()
    expect(await readFile(file, 'utf8')).toBe(corrected)
    expect([code, stderr]).toEqual([11, expect.not.stringContaining('The rows that failed are in')])
    expect(stderr).toMatch(
      /Warning: \S+failed\.csv is there already with other content, perhaps corrected: it was left as it is\. To write the rows that failed, name another file\. To see them: cardctl bulk results j_\w+ --state failed -p sandbox\n/,
    )
    expect(await readdir(folder)).toEqual(['failed.csv'])
  })

  test('has every member of rows that differ in theirs', async () => {
    const file = join(folder, 'failed.csv')
    const some = '{"id":"999998","creditLimit":1}\n{"id":"999999","status":"ACCOUNT_OK"}\n'
    expect((await run(some, '--failed-rows', file)).code).toBe(5)
    expect(await readFile(file, 'utf8')).toBe('id,creditLimit,status\n999998,1,\n999999,,ACCOUNT_OK\n')
  })
})
