import {mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const RUN = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--rate', 'off']
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4321']
const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']
const ROWS = 'id,creditLimit\n2001,1001\n2001,1002\n2001,1003\n'

let home: Home
let folder: string
let first: Service
let second: Service
/** Whether the first service fails. */
let isDown: boolean
beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-services-'))
  isDown = false
  first = await openService(() => (isDown ? reply(503, {}) : undefined))
  second = await openService()
})
afterEach(async () => {
  await Promise.all([home.remove(), first.close(), second.close()])
  await rm(folder, {recursive: true, force: true})
})

const at = ({url}: Service) => ({env: {CARDCTL_BASE_URL: url}})
const addProfile = async (name: string, {url}: Service) => {
  const added = await home.run(['profiles', 'add', name, '--kind', 'test', '--base-url', url])
  expect(added).toMatchObject({code: 0})
}
const stoppedJob = async (): Promise<string> => {
  isDown = true
  expect((await home.run(RUN, {stdin: ROWS, ...at(first)})).code).toBe(11)
  isDown = false
  const [job] = await home.json<{job: string}[]>(['bulk', 'list'], at(first))
  return job?.job ?? ''
}
const requestsOf = (options: object = {}, more: readonly string[] = []) =>
  home.json<{id: string}[]>(['requests', 'list', ...more], options)

describe('a bulk job', () => {
  test('begun on one service, it continues on no other', async () => {
    const job = await stoppedJob()
    for (const verb of ['resume', 'status', 'cancel', 'results']) {
      const {code, stderr} = await home.run(['bulk', verb, job], at(second))
      expect([verb, code]).toEqual([verb, 3])
      expect(stderr).toContain(first.url)
      expect(stderr).toContain(second.url)
    }
    expect((await home.run(['bulk', 'resume', job, '--yes'])).code, 'in the sandbox').toBe(3)
    expect(second.requests).toEqual([])
    expect(await home.json(['bulk', 'list'], at(second))).toEqual([])
    expect((await home.run(['bulk', 'resume', job], at(first))).code).toBe(0)
  })

  test('from a file continues at its service', async () => {
    const job = await stoppedJob()
    const file = join(folder, 'job.ndjson')
    expect((await home.run(['bulk', 'export', job, '--to', file], at(first))).code).toBe(0)
    const {code, stderr} = await home.run(['bulk', 'import', file], at(second))
    expect([code, stderr]).toEqual([3, expect.stringContaining(first.url)])
    expect((await home.run(['bulk', 'import', file], at(first))).code).toBe(0)
    expect((await home.run(['bulk', 'resume', job], at(first))).code).toBe(0)
  })
})

describe('requests', () => {
  test('keys of one service mean nothing at another', async () => {
    const keyed = [...PATCH, '--idempotency-key', 'nightly']
    expect((await home.run(keyed, at(first))).code).toBe(0)
    const other = [...keyed, '-F', 'segment=SEGMENT_A']
    expect((await home.run(other, at(first))).stderr).toContain('KEY_REUSED')
    expect((await home.run(other, at(second))).code).toBe(0)
  })

  test('the same transfers may go to another service, and not twice to one', async () => {
    expect((await home.run(CREATE, at(first))).code).toBe(0)
    expect((await home.run(CREATE, at(first))).code).toBe(14)
    expect((await home.run(CREATE, at(second))).code).toBe(0)
  })

  test('are repeated, resolved and shown with the service that got them', async () => {
    await home.run(PATCH, at(first))
    const [{id} = {id: ''}] = await requestsOf(at(first))
    expect(await requestsOf(at(second))).toEqual([])
    for (const verb of ['retry', 'resolve', 'show']) {
      const {code, stderr} = await home.run(['requests', verb, id], at(second))
      expect([verb, code]).toEqual([verb, 3])
      expect(stderr).toContain(`${first.url}, and this profile leads to ${second.url}`)
    }
    expect(second.requests).toEqual([])
    expect((await home.run(['requests', 'show', 'r_0'], at(second))).code).toBe(5)
  })
})

describe('profiles', () => {
  test('of one service share what was sent, also where one has no name', async () => {
    await addProfile('day', first)
    await addProfile('night', first)
    expect((await home.run([...CREATE, '-p', 'day'])).code).toBe(0)
    for (const options of [
      ['-p', 'night'],
      ['-p', 'day'],
    ]) {
      expect((await home.run([...CREATE, ...options])).stderr).toContain('same transfers')
    }
    expect((await home.run(CREATE, at(first))).code).toBe(14)
    const lists = [await requestsOf({}, ['-p', 'day']), await requestsOf({}, ['-p', 'night'])]
    expect(lists[0]).toHaveLength(1)
    expect(lists[1]).toEqual(lists[0])
  })

  test('of a profile with a new base URL, the journal is reported as that of another service', async () => {
    await addProfile('prod', first)
    await home.run([...PATCH, '-p', 'prod'])
    const [{id} = {id: ''}] = await requestsOf({}, ['-p', 'prod'])
    await home.run(['profiles', 'edit', 'prod', '--base-url', second.url])
    const listed = await home.run(['requests', 'list', '-p', 'prod'])
    expect(listed.stdout).toContain('No requests')
    expect(listed.stderr).toContain(`leads to ${second.url}`)
    expect(listed.stderr).toContain(first.url)
    expect((await home.run(['requests', 'retry', id, '-p', 'prod'])).code).toBe(3)
    // What is sent from here on belongs to the new one, and needs no more words.
    expect((await home.run([...PATCH, '-p', 'prod'])).stderr).toContain('leads to')
    expect((await home.run([...PATCH, '-p', 'prod'])).stderr).not.toContain('leads to')
  })

  test('of an address that changes are told so once in a walk through many pages', async () => {
    await addProfile('prod', first)
    await home.run([...PATCH, '-p', 'prod'])
    await home.run(['profiles', 'edit', 'prod', '--base-url', second.url])
    const walk = ['cards', 'list', '--customer', '1001', '--all', '--page-size', '1', '-p', 'prod']
    const {stderr, code} = await home.run(walk)
    expect(code).toBe(0)
    expect(second.requests.length).toBeGreaterThan(2)
    expect(stderr.split('leads to')).toHaveLength(2)
  })

  test('of a service whose address moved take its journal with them, once that is confirmed', async () => {
    await addProfile('prod', first)
    const created = [...CREATE, '-p', 'prod']
    expect((await home.run(created)).code).toBe(0)
    const job = await stoppedJob()
    const requests = (await requestsOf(at(first))).length
    const {host} = new URL(second.url)
    const rebind = (...more: string[]) => home.run(['requests', 'rebind', '-p', 'prod', ...more])
    expect((await rebind('--confirm', host)).stderr).toContain('no other service')
    await home.run(['profiles', 'edit', 'prod', '--base-url', second.url])
    expect((await home.run(['bulk', 'status', job, '-p', 'prod'])).code).toBe(3)
    for (const wrong of [['--yes'], ['--confirm', 'prod', '--yes'], ['--confirm', new URL(first.url).host]]) {
      const {code, stderr} = await rebind(...wrong)
      expect(code).toBe(2)
      for (const {url} of [first, second]) expect(stderr).toContain(url)
    }
    const done = await rebind('--confirm', host, '-o', 'json')
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout)).toEqual({from: first.url, to: second.url, requests, jobs: 1})
    // Both what was sent and what is left count at the new address, and the old one begins anew.
    expect((await home.run(created)).stderr).toContain('same transfers')
    expect((await home.run(['bulk', 'resume', job, '-p', 'prod'])).code).toBe(0)
    expect(await requestsOf(at(first))).toEqual([])
    const [line] = await home.json<{resources: string[]}[]>([
      'audit',
      'list',
      '--operation',
      'requests.rebind',
    ])
    const hosts = line?.resources.map(name => name.replace(/-[0-9a-f]{12}$/, ''))
    expect(hosts).toEqual([first, second].map(({url}) => new URL(url).host.replace(':', '_')))
  })

  test('with another secret, or another person, keep their journal', async () => {
    await addProfile('prod', first)
    await home.run([...PATCH, '-p', 'prod'])
    const rotated = ['profiles', 'edit', 'prod', '--auth', 'bearer', '--secret', 'env:TOKEN']
    expect((await home.run(rotated)).code).toBe(0)
    const options = {env: {TOKEN: 'b', CARDCTL_AUDIT_USER: 'Eino'}}
    expect(await requestsOf(options, ['-p', 'prod'])).toHaveLength(1)
  })
})

test('each service has a file, named after its host', async () => {
  await home.run(PATCH, at(first))
  await home.run(PATCH, at(second))
  await home.run(PATCH)
  const files = await readdir(join(home.folder, '.local/share/cardctl/journal'))
  const named = ({url}: Service) => new RegExp(`^${new URL(url).host.replace(':', '_')}-[0-9a-f]{12}\\.db$`)
  for (const name of [named(first), named(second), /^sandbox\.db$/]) {
    expect(files.filter(file => name.test(file))).toHaveLength(1)
  }
})

describe('profiles of one base URL', () => {
  const twins = async (one: readonly string[], other: readonly string[]) => {
    for (const [name, headers] of [
      ['one', one],
      ['two', other],
    ] as const) {
      const flags = headers.flatMap(header => ['--header', header])
      await home.run(['profiles', 'add', name, '--kind', 'test', '--base-url', first.url, ...flags])
    }
    const env = {NORTH: 'n', SOUTH: 's'}
    const keyed = [...PATCH, '--idempotency-key', 'nightly']
    expect(await home.run([...keyed, '-p', 'one'], {env})).toMatchObject({code: 0})
    const second_ = await home.run([...keyed, '-F', 'segment=SEGMENT_A', '-p', 'two'], {env})
    const seen = await home.json<unknown[]>(['requests', 'list', '-p', 'two'], {env})
    return {isOne: second_.stderr.includes('KEY_REUSED'), seen: seen.length}
  }

  test.each([
    [['X-Tenant=north'], ['X-Tenant=south']],
    [['X-Programme-Code=7'], ['X-Programme-Code=8']],
    [['X-Unit=7'], []],
    [['X-Tenant-Key=env:NORTH'], ['X-Tenant-Key=env:SOUTH']],
    [
      ['X-Tenant=north', 'X-Api-Version=1'],
      ['X-Tenant=south', 'X-Api-Version=1'],
    ],
  ])('with %j and %j are two services', async (one, other) => {
    expect(await twins(one, other)).toEqual({isOne: false, seen: 1})
  })

  test.each([
    [['X-Api-Version=2024-05'], ['X-Api-Version=2025-01']],
    [['Accept-Language=fi'], []],
    [
      ['x-tenant=north', 'X-Api-Version=1'],
      ['X-Api-Version=2', 'X-Tenant=north'],
    ],
    [['X-Subscription-Key=env:NORTH'], ['X-Subscription-Key=env:SOUTH']],
  ])('with %j and %j are one', async (one, other) => {
    expect(await twins(one, other)).toEqual({isOne: true, seen: 1})
  })

  test('a job of one tenant does not continue at another, and says whose it is', async () => {
    await home.run([
      'profiles',
      'add',
      'one',
      '--kind',
      'test',
      '--base-url',
      first.url,
      '--header',
      'X-Tenant=north',
    ])
    isDown = true
    expect((await home.run([...RUN, '-p', 'one'], {stdin: ROWS})).code).toBe(11)
    isDown = false
    const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list', '-p', 'one'])
    await home.run([
      'profiles',
      'add',
      'two',
      '--kind',
      'test',
      '--base-url',
      first.url,
      '--header',
      'X-Tenant=south',
    ])
    const {code, stderr} = await home.run(['bulk', 'resume', job, '-p', 'two'])
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('with x-tenant north')})
  })

  describe.each([['env:TENANT'], ['file']])('whose tenant is the secret of %s', kind => {
    const secret = 'tenant-42'
    /** Runs as a tenant. */
    const as = async (tenant: string, argv: readonly string[], stdin?: string) => {
      await writeFile(join(folder, 'tenant'), tenant, {mode: 0o600})
      return home.run([...argv, '-p', 'ta'], {env: {TENANT: tenant}, ...(stdin === undefined ? {} : {stdin})})
    }
    const list = async <T>(argv: readonly string[]) => {
      const {stdout} = await as(secret, [...argv, '-o', 'json'])
      return JSON.parse(stdout) as T[]
    }
    const tenantsSeen = () => first.requests.map(({headers}) => headers['x-tenant'])
    beforeEach(async () => {
      const reference = kind === 'file' ? `file:${join(folder, 'tenant')}` : kind
      await writeFile(join(folder, 'tenant'), secret, {mode: 0o600})
      const header = ['--header', `X-Tenant=${reference}`]
      const argv = ['profiles', 'add', 'ta', '--kind', 'test', '--base-url', first.url, ...header]
      expect((await home.run(argv)).code).toBe(0)
    })

    test('nothing that was sent for one is sent, looked up or undone for another', async () => {
      expect((await as(secret, PATCH)).code).toBe(0)
      isDown = true
      expect((await as(secret, [...PATCH, '-F', 'segment=SEGMENT_A', '--retries', '0'])).code).toBe(10)
      isDown = false
      const [open] = await list<{id: string; key: string}>(['requests', 'list'])
      const {id = '', key = ''} = open ?? {}
      for (const argv of [
        ['requests', 'retry', id, '--yes'],
        ['requests', 'resolve', id],
        ['requests', 'undo', id, '--yes'],
      ]) {
        const {code, stderr} = await as('other', argv)
        expect([argv, code, stderr]).toEqual([argv, 3, expect.stringContaining('x-tenant')])
        expect(stderr).not.toContain(secret)
      }
      expect(new Set(tenantsSeen())).toEqual(new Set([secret]))
      // A key means something to one tenant only.
      expect((await as('other', [...PATCH, '--idempotency-key', key])).code).toBe(0)
      expect((await as(secret, ['requests', 'retry', id, '--yes'])).code).toBe(0)
      const journal = join(home.folder, '.local/share/cardctl/journal')
      for (const file of await readdir(journal, {recursive: true, withFileTypes: true})) {
        if (!file.isFile()) continue
        const kept = await readFile(join(file.parentPath, file.name))
        expect(kept.includes(secret), file.name).toBe(false)
      }
    })

    test('no rows of a job are sent for another, also from a file', async () => {
      isDown = true
      expect((await as(secret, RUN, ROWS)).code).toBe(11)
      isDown = false
      const [{job} = {job: ''}] = await list<{job: string}>(['bulk', 'list'])
      const file = join(folder, 'job.ndjson')
      expect((await as('other', ['bulk', 'resume', job, '--yes'])).code).toBe(3)
      expect((await as(secret, ['bulk', 'export', job, '--to', file])).code).toBe(0)
      expect(await readFile(file, 'utf8')).not.toContain(secret)
      expect((await as('other', ['bulk', 'import', file])).code).toBe(0)
      expect((await as('other', ['bulk', 'resume', job, '--yes'])).code).toBe(3)
      expect(new Set(tenantsSeen())).toEqual(new Set([secret]))
      expect((await as(secret, ['bulk', 'resume', job, '--yes'])).code).toBe(0)
    })
  })
})
