import {mkdir, readFile, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

type Answer = NonNullable<Parameters<typeof newService>[0]>

interface Row {
  readonly row: number
  readonly state: string
  readonly message?: string
}

const TEN = Array.from({length: 10}, (_, n) => String(3101 + n))
const CARDS = `id\n${TEN.join('\n')}\n`
const LIMITS = 'id,creditLimit\n2001,100\n2001,200\n'
const page = {
  status: 200,
  headers: {'content-type': 'text/html'},
  body: Buffer.from('<!doctype html><title>Sign in</title>'),
}
const nothingHere = {status: 404, headers: {'content-type': 'text/plain'}, body: Buffer.from('nothing here')}

async function scene(answer?: Answer) {
  const home = await newHome()
  const service = await newService(answer)
  await addProfile(home, 'staging', 'test', service.url)
  const run = (argv: readonly string[], options = {}) =>
    home.run([...argv, '-p', 'staging', '-o', 'json', '--quiet'], options)
  const bulk = (operation: string, stdin: string, ...more: string[]) =>
    run(['bulk', 'run', operation, '--from', '-', '--rate', 'off', ...more], {stdin})
  const job = async () => (await home.json<{job: string}[]>(['bulk', 'list', '-p', 'staging']))[0]?.job ?? ''
  const states = async () =>
    (await home.json<Row[]>(['bulk', 'results', await job(), '-p', 'staging'])).map(({state}) => state)
  return {home, service, run, bulk, job, states}
}

describe('five refusals in a row that every further row would get', () => {
  const problem = reply(404, {title: 'Not Found'}, {'content-type': 'application/problem+json'})
  const stopping = [
    {name: '401', code: 4, answer: reply(401, {})},
    {name: '403', code: 4, answer: reply(403, {title: 'Forbidden'})},
    {name: '404 without a problem', code: 5, answer: nothingHere},
    {name: 'a page of HTML', code: 8, answer: page},
  ]
  for (const {name, code, answer} of stopping) {
    test(`${name}: stop the run with the exit code of the refusal, and none has failed for good`, async () => {
      let down = true
      const {service, run, bulk, job, states} = await scene(() => (down ? answer : undefined))
      expect((await bulk('cards.get.v4', CARDS, '--concurrency', '1')).code).toBe(code)
      expect(service.requests.length).toBeLessThan(TEN.length)
      expect(new Set(await states())).toEqual(new Set(['again', 'waiting']))
      down = false
      expect((await run(['bulk', 'resume', await job(), '--rate', 'off'])).code).toBe(0)
      expect(await states()).toEqual(TEN.map(() => 'done'))
    })
  }

  test('--keep-going treats each refusal as the row its own', async () => {
    const {service, bulk, states} = await scene(() => reply(403, {title: 'Forbidden'}))
    expect((await bulk('cards.get.v4', CARDS, '--keep-going')).code).toBe(4)
    expect(await states()).toEqual(TEN.map(() => 'failed'))
    expect(service.requests).toHaveLength(10)
  })

  test('a 404 with a problem document never stops a run', async () => {
    const {bulk, states} = await scene(() => problem)
    expect((await bulk('cards.get.v4', CARDS)).code).toBe(5)
    expect(await states()).toEqual(TEN.map(() => 'failed'))
  })
})

test('five consecutive rows whose responses prove nothing stop the run', async () => {
  const {service, bulk, states} = await scene(() => page)
  expect((await bulk('cards.get.v4', CARDS, '--concurrency', '1')).code).not.toBe(0)
  expect(service.requests.length).toBeLessThan(TEN.length)
  expect(await states()).toContain('waiting')
})

test('a row that is done with an answer that differs says so, and is counted as odd', async () => {
  const {home, bulk} = await scene(({method}) =>
    method === 'PATCH' ? reply(200, {id: '2001', description: 7}) : undefined,
  )
  const results = join(home.folder, 'out.ndjson')
  const ended = await bulk('accounts.patchCredit.v4', LIMITS, '--results', results)
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({done: 2, odd: 2})
  const rows = (await readFile(results, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Row)
  expect(rows.map(({state}) => state)).toEqual(['done', 'done'])
  for (const {message} of rows) expect(message).toContain('description')
})

test('all rows are checked against the contract before the first one is sent', async () => {
  const {service, bulk} = await scene()
  const text = 'id,creditLimit\n2001,100\n2001,-5\n2001,lots\n'
  const refused = await bulk('accounts.patchCredit.v4', text)
  expect(refused.code).toBe(2)
  for (const row of ['"row":2', '"row":3']) expect(refused.stderr).toContain(row)
  expect(service.connections).toBe(0)
})

test('--no-precheck leaves that to the turn of each row', async () => {
  const {service, bulk, states} = await scene()
  const ended = await bulk('accounts.patchCredit.v4', 'id,creditLimit\n2001,100\n2001,-5\n', '--no-precheck')
  expect(ended.code).toBe(11)
  expect(await states()).toEqual(['done', 'failed'])
  expect(writesOf(service)).toHaveLength(1)
})

test('results stand in the order of the rows, and files are for their owner alone', async () => {
  const {home, bulk} = await scene()
  const results = join(home.folder, 'out.csv')
  await writeFile(results, 'earlier', {mode: 0o644})
  expect((await bulk('cards.get.v4', CARDS, '--results', results)).code).toBe(0)
  const lines = (await readFile(results, 'utf8')).trim().split('\n')
  expect(lines.slice(1).map(line => line.split(',')[0])).toEqual(TEN.map((_, n) => String(n + 1)))
  expect((await stat(results)).mode & 0o777).toBe(0o600)
})

test('--failed-rows leaves an empty file when no row failed', async () => {
  const {home, bulk} = await scene()
  const failedRows = join(home.folder, 'failed.csv')
  expect((await bulk('cards.get.v4', CARDS, '--failed-rows', failedRows)).code).toBe(0)
  expect((await stat(failedRows)).size).toBe(0)
})

test('a file that cannot be written is refused before anything is sent', async () => {
  const {home, service, bulk} = await scene()
  await mkdir(join(home.folder, 'taken'))
  for (const flag of ['--results', '--failed-rows']) {
    const refused = await bulk('accounts.patchCredit.v4', LIMITS, flag, join(home.folder, 'taken'))
    expect(refused.code, flag).not.toBe(0)
  }
  const missing = join(home.folder, 'no', 'folder.ndjson')
  expect((await bulk('accounts.patchCredit.v4', LIMITS, '--results', missing)).code).not.toBe(0)
  expect(service.connections).toBe(0)
})

test('-F sets a value for all rows, and the value of a row overrides it', async () => {
  const {service, bulk} = await scene()
  const rows = '{"id":"2002"}\n{"id":"2006","name":"own"}\n'
  expect((await bulk('accounts.patchDebit.v4', rows, '-F', 'name=common')).code).toBe(0)
  const bodies = service.requests.map(({url, body}) => [
    url.split('?')[0]?.slice(-4),
    JSON.parse(String(body)),
  ])
  expect(Object.fromEntries(bodies)).toEqual({'2002': {name: 'common'}, '2006': {name: 'own'}})
})

test('an exported job cannot be resumed here, and continues where it is imported', async () => {
  let down = true
  const {home, service, run, bulk, job} = await scene(() => (down ? reply(401, {}) : undefined))
  await bulk('cards.get.v4', CARDS)
  const file = join(home.folder, 'job.ndjson')
  const id = await job()
  expect((await run(['bulk', 'export', id, '--to', file])).code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  down = false
  expect((await run(['bulk', 'resume', id])).code).not.toBe(0)

  const other = await newHome()
  await addProfile(other, 'elsewhere', 'test', service.url)
  const elsewhere = (argv: readonly string[]) =>
    other.run([...argv, '-p', 'elsewhere', '-o', 'json', '--yes'])
  expect((await elsewhere(['bulk', 'import', file])).code).toBe(0)
  expect((await elsewhere(['bulk', 'resume', id, '--rate', 'off'])).code).toBe(0)
})

test('refuses to continue a job at another service', async () => {
  let down = true
  const {home, bulk, job} = await scene(() => (down ? reply(401, {}) : undefined))
  await bulk('cards.get.v4', CARDS)
  down = false
  const second = await newService()
  await addProfile(home, 'second', 'test', second.url)
  const refused = await home.run(['bulk', 'resume', await job(), '-p', 'second', '-o', 'json'])
  expect([refused.code, errorCode(refused)]).toEqual([3, 'OTHER_SERVICE'])
  expect(second.connections).toBe(0)
})
