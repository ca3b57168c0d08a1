// What was recorded with a dialect is never sent again without it, or with another one.
import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {openHarbour} from './harbour.ts'

const DIALECT = fileURLToPath(new URL('../../examples/dialects/harbour.yaml', import.meta.url))
const BLOCK = ['accounts', 'block', 'acc_2001', '--type', 'credit', '--yes']

let home: Home
let harbour: Awaited<ReturnType<typeof openHarbour>>
let changed = ''
beforeEach(async () => {
  home = await openHome()
  harbour = await openHarbour()
  changed = join(home.folder, 'changed.yaml')
  await writeFile(changed, `# changed\n${await readFile(DIALECT, 'utf8')}`)
  const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'tester', '--dialect', DIALECT]
  await home.run(['profiles', 'add', 'harbour', '--base-url', harbour.url, ...flags])
})
afterEach(async () => {
  await harbour.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'harbour'])
const edit = async (...argv: string[]) =>
  expect(await home.run(['profiles', 'edit', 'harbour', ...argv])).toMatchObject({code: 0})
const others = () => [
  {flags: ['--unset', 'dialect'], now: 'no dialect'},
  {flags: ['--dialect', changed], now: 'the dialect harbour '},
]
const failing = () => {
  harbour.bent.answer = method => (method === 'GET' ? undefined : reply(503, {errors: []}))
}

test('requests show and the journal name the dialect of a request', async () => {
  await run(...BLOCK)
  const {stdout} = await run('requests', 'show', 'last')
  expect(stdout).toMatch(/Dialect\s+harbour [0-9a-f]{12}\n/)
  const record = await home.json(['requests', 'show', 'last', '-p', 'harbour'])
  expect(record).toMatchObject({dialect: expect.stringMatching(/^harbour [0-9a-f]{12}$/)})
})

test('a request is not repeated with another dialect, by retry, by resolve or by its key', async () => {
  failing()
  await run(...BLOCK, '--idempotency-key', 'k1', '--retries', '0')
  const before = harbour.requests.length
  for (const {flags, now} of others()) {
    await edit(...flags)
    const retried = await run('requests', 'retry', 'last', '--yes')
    expect(retried).toMatchObject({code: 3, stderr: expect.stringContaining(`has ${now}`)})
    expect(retried.stderr).toContain('--dialect FILE')
    const resolved = await run('requests', 'resolve', 'last', '--yes')
    expect(resolved).toMatchObject({code: 10, stdout: expect.stringContaining(`has ${now}`)})
  }
  expect(await run(...BLOCK, '--idempotency-key', 'k1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('belongs to another request'),
  })
  expect(harbour.requests.length).toBe(before)
  harbour.bent.answer = undefined
  await edit('--dialect', DIALECT)
  expect(await run('requests', 'retry', 'last', '--yes')).toMatchObject({code: 0})
  expect(harbour.writes().slice(-1)).toEqual(['POST /accounts/acc_2001/state'])
})

test('a bulk job continues with its own dialect only', async () => {
  const file = join(home.folder, 'rows.csv')
  await writeFile(file, 'id,status\nacc_2001,ACCOUNT_BLOCKED\nacc_2001,ACCOUNT_OK\n')
  failing()
  const job = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', file, '--job-key', 'n1', '--yes']
  expect((await run(...job, '--retries', '0')).code).not.toBe(0)
  harbour.bent.answer = undefined
  const before = harbour.requests.length
  for (const {flags, now} of others()) {
    await edit(...flags)
    for (const line of [['bulk', 'resume', 'last', '--yes'], job])
      expect(await run(...line)).toMatchObject({code: 3, stderr: expect.stringContaining(`has ${now}`)})
  }
  const exported = join(home.folder, 'job.ndjson')
  await run('bulk', 'export', 'last', '--to', exported)
  await run('bulk', 'import', exported)
  expect(await run('bulk', 'resume', 'last', '--yes')).toMatchObject({code: 3})
  expect(harbour.requests.length).toBe(before)
  await edit('--dialect', DIALECT)
  expect(await run('bulk', 'resume', 'last', '--yes')).toMatchObject({code: 0})
  await edit('--unset', 'dialect')
  expect(await run(...job)).toMatchObject({code: 0, stderr: expect.stringContaining('all rows were done')})
})

test('a proposal is approved with its own dialect only', async () => {
  const folder = join(home.folder, 'proposals')
  await mkdir(folder)
  await edit('--proposals', folder)
  const limit = ['accounts', 'limit', 'acc_2001', '6000', '--type', 'credit', '--propose', '-o', 'json']
  const {stdout, stderr} = await run(...limit)
  const {id} = JSON.parse(stdout || stderr) as {id: string}
  for (const {flags, now} of others()) {
    await edit(...flags)
    const {code, stderr: why} = await run('requests', 'approve', id, '--yes')
    expect({code, why}).toMatchObject({code: 3, why: expect.stringContaining(`has ${now}`)})
  }
  await edit('--dialect', DIALECT)
  expect(await run('requests', 'approve', id, '--yes')).toMatchObject({
    stderr: expect.not.stringContaining('dialect'),
  })
  expect(harbour.writes()).toEqual([])
})
