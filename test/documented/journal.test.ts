import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {RunResult} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const CHANGE = ['accounts', 'patch', '2001', '--type', 'credit', '--idempotency-key', 'mine']
const TRANSFER = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR', '--yes']

interface Request {
  readonly id: string
  readonly state: string
  readonly replayed?: unknown
}

async function scene() {
  const home = await newHome()
  const [service, other] = [await newService(), await newService()]
  await addProfile(home, 'one', 'test', service.url)
  await addProfile(home, 'two', 'test', service.url)
  await addProfile(home, 'elsewhere', 'test', other.url)
  const run = (profile: string, argv: readonly string[], options = {}): Promise<RunResult> =>
    home.run([...argv, '-p', profile, '-o', 'json', '--quiet'], options)
  const requests = (profile: string) => home.json<Request[]>(['requests', 'list', '-p', profile])
  return {home, service, other, run, requests}
}

test('two profiles that lead to one service share what they know', async () => {
  const {service, run, requests} = await scene()
  expect((await run('one', TRANSFER)).code).toBe(0)
  expect((await run('two', TRANSFER)).code).toBe(14)
  expect(writesOf(service)).toHaveLength(1)
  expect(await requests('two')).toEqual(await requests('one'))
})

test('other content under a known key is refused before it is sent, on the other profile too', async () => {
  const {service, run} = await scene()
  expect((await run('one', [...CHANGE, '-F', 'creditLimit=1'])).code).toBe(0)
  const refused = await run('two', [...CHANGE, '-F', 'creditLimit=2'])
  expect([refused.code, errorCode(refused)]).toEqual([2, 'KEY_REUSED'])
  expect(writesOf(service)).toHaveLength(1)
})

test('the same key and content have one effect, and a replayed response is never shown as a change', async () => {
  const {home, run, requests} = await scene()
  const argv = [...CHANGE, '-F', 'creditLimit=1']
  const first = await run('one', argv)
  const second = await run('two', argv)
  expect(second.code).toBe(0)
  expect(second.stdout).toBe(first.stdout)
  expect(JSON.parse(second.stderr)).toMatchObject({warning: {code: 'ANSWER_REPLAYED', replayed: true}})
  const seen = await home.run([...argv, '-p', 'one'])
  expect(seen.stdout).toMatch(/^Nothing was changed now/)
  const id = (await requests('one'))[0]?.id ?? ''
  expect(await home.json(['requests', 'show', id, '-p', 'one'])).toMatchObject({replayed: true})
})

test('a key of your own that the journal has not seen may have been used elsewhere', async () => {
  const home = await newHome()
  const service = await newService(({method}) =>
    method === 'PATCH' ? reply(200, {id: '2001', description: 'Account updated'}) : undefined,
  )
  await addProfile(home, 'one', 'test', service.url)
  const argv = [...CHANGE, '-F', 'creditLimit=1', '-p', 'one', '-o', 'json', '--quiet']
  const ended = await home.run(argv)
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.stderr)).toMatchObject({warning: {replayed: 'unknown'}})
})

test('another service has a journal of its own', async () => {
  const {other, run, requests} = await scene()
  await run('one', [...CHANGE, '-F', 'creditLimit=1'])
  await run('one', TRANSFER)
  expect(await requests('elsewhere')).toEqual([])
  expect((await run('elsewhere', [...CHANGE, '-F', 'creditLimit=2'])).code).toBe(0)
  expect((await run('elsewhere', TRANSFER)).code).toBe(0)
  expect(writesOf(other)).toHaveLength(2)
})

test('refuses to retry or resolve a request at another service, naming both', async () => {
  const {service, other, run, requests} = await scene()
  await run('one', [...CHANGE, '-F', 'creditLimit=1'])
  const id = (await requests('one'))[0]?.id ?? ''
  for (const verb of ['retry', 'resolve']) {
    const refused = await run('elsewhere', ['requests', verb, id, '--yes'])
    expect([refused.code, errorCode(refused)]).toEqual([3, 'OTHER_SERVICE'])
    for (const {url} of [service, other]) expect(refused.stderr).toContain(url)
  }
  expect(other.connections).toBe(0)
})

test('when the base URL of a profile changes, cardctl says what belongs to the old service', async () => {
  const {home, service, other, run, requests} = await scene()
  await run('one', TRANSFER)
  expect((await home.run(['profiles', 'edit', 'one', '--base-url', other.url])).code).toBe(0)
  const told = await run('one', ['requests', 'list'])
  expect(told.stderr).toContain(service.url)
  expect(told.stderr).toContain(other.url)
  expect(await requests('one')).toEqual([])
})

test('requests rebind takes requests over, once the new host is confirmed', async () => {
  const {home, other, run, requests} = await scene()
  await run('one', [...CHANGE, '-F', 'creditLimit=1'])
  await run('one', TRANSFER)
  const before = await requests('one')
  await home.run(['profiles', 'edit', 'one', '--base-url', other.url])
  const host = new URL(other.url).host
  for (const given of [[], ['--yes'], ['--confirm', 'api.example']]) {
    expect((await run('one', ['requests', 'rebind', ...given])).code).toBe(2)
  }
  expect(await requests('one')).toEqual([])
  expect((await run('one', ['requests', 'rebind', '--confirm', host])).code).toBe(0)
  expect((await requests('one')).map(({id}) => id)).toEqual(before.map(({id}) => id))

  expect((await run('one', TRANSFER)).code).toBe(14)
  expect(errorCode(await run('one', [...CHANGE, '-F', 'creditLimit=2']))).toBe('KEY_REUSED')
  expect(writesOf(other)).toEqual([])
})

test('bulk jobs continue at the new base URL after requests rebind', async () => {
  const home = await newHome()
  const [old, fresh] = [await newService(() => reply(401, {})), await newService()]
  await addProfile(home, 'one', 'test', old.url)
  const run = (argv: readonly string[], stdin = '') =>
    home.run([...argv, '-p', 'one', '-o', 'json', '--quiet'], {stdin})
  const rows = `id\n${Array.from({length: 8}, (_, n) => 3101 + n).join('\n')}\n`
  expect((await run(['bulk', 'run', 'cards.get.v4', '--from', '-', '--rate', 'off'], rows)).code).toBe(4)
  const [job] = await home.json<{job: string}[]>(['bulk', 'list', '-p', 'one'])
  const id = job?.job ?? ''
  await home.run(['profiles', 'edit', 'one', '--base-url', fresh.url])
  expect(errorCode(await run(['bulk', 'resume', id]))).toBe('OTHER_SERVICE')
  expect(fresh.connections).toBe(0)
  await run(['requests', 'rebind', '--confirm', new URL(fresh.url).host])
  expect((await run(['bulk', 'resume', id, '--rate', 'off'])).code).toBe(0)
  expect(fresh.requests).toHaveLength(8)
})

test('a journal does not belong to the name of the profile, its secret or the audit user', async () => {
  const {home, service, run} = await scene()
  await run('one', TRANSFER)
  await home.run(['profiles', 'edit', 'one', '--auth', 'bearer', '--secret', 'env:TOKEN'])
  await home.run(['profiles', 'edit', 'one', '--profile-audit-user', 'Erik Lindqvist'])
  expect((await run('one', TRANSFER, {env: {TOKEN: 'abc'}})).code).toBe(14)
  expect(writesOf(service)).toHaveLength(1)
})

test('it does belong to the user name that the profile calls it as', async () => {
  const {home, run, requests} = await scene()
  await run('one', TRANSFER)
  const basic = ['--auth', 'basic', '--user', 'ops', '--secret', 'env:TOKEN']
  await home.run(['profiles', 'edit', 'two', ...basic])
  expect(await requests('two')).toEqual([])
  expect(await requests('one')).toHaveLength(1)
})

test('sends nothing if the file of a journal is missing and its note is there', async () => {
  const {home, service, run} = await scene()
  await run('one', TRANSFER)
  const folder = join(home.folder, '.local', 'share', 'cardctl', 'journal')
  const port = new URL(service.url).port
  for (const name of await readdir(folder)) {
    if (name.includes(port) && !name.endsWith('.json')) await rm(join(folder, name))
  }
  const refused = await run('one', TRANSFER)
  expect([refused.code, errorCode(refused)]).toEqual([3, 'STORE_DAMAGED'])
  expect(writesOf(service)).toHaveLength(1)
})
