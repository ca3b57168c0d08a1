// What docs/team-sandbox.md promises of the tokens of a tenant, from command lines to responses and the log.
import {randomUUID} from 'node:crypto'
import {expect, inject, onTestFinished, test} from 'vitest'
import type {RequestEvent} from '../../src/sandbox/index.ts'
import {createTenantSandbox} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {newHome} from '../documented/scene.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'

interface Printed {
  readonly token: string
  readonly expiresAt: string | null
}

async function scene(database = inject('postgres') ?? '') {
  const home = await newHome()
  const run = (...argv: string[]) =>
    home.run(['sandbox', ...argv, '--store', 'env:DATABASE', '-o', 'json'], {env: {DATABASE: database}})
  const json = async <T = Printed>(...argv: string[]): Promise<T> => {
    const {code, stdout, stderr} = await run(...argv)
    expect({code, stderr}).toMatchObject({code: 0})
    return JSON.parse(stdout) as T
  }
  const events: RequestEvent[] = []
  /** Each process remembers for 5 seconds what it has looked up. */
  const serve = async () => {
    const sandbox = await createTenantSandbox({
      postgres: {url: new Secret(database), connections: 2},
      onRequest: event => events.push(event),
    })
    const server = await sandbox.serve()
    onTestFinished(async () => {
      await server.close()
      await sandbox.close()
    })
    return async (token: string, path = '/v4/3001?auditUser=test') =>
      (await fetch(`${server.url}${path}`, {headers: {authorization: `Bearer ${token}`}})).status
  }
  const tenant = `t${randomUUID().slice(0, 18)}`
  return {
    run,
    json,
    serve,
    events,
    tenant,
    first: (await json('tenants', 'add', tenant, '--run-for', '1h')).token,
  }
}

test('each token of a tenant opens it and its runs, and the log names the token, never itself', async () => {
  const {run, json, serve, events, tenant, first} = await scene()
  const status = await serve()
  const ana = await json('tokens', 'add', tenant, 'ana@team', '--expires-in', '1h')
  expect(Date.parse(ana.expiresAt ?? '')).toBeGreaterThan(Date.now())
  for (const token of [first, ana.token]) expect(await status(token)).toBe(200)
  expect(await status(ana.token, `/t/${tenant}.run-1/v4/3001?auditUser=test`)).toBe(200)
  expect(await status(ana.token, '/t/default/v4/3001?auditUser=test')).toBe(401)
  expect(events.map(({tenant: name, token}) => [name, token])).toEqual([
    [tenant, 'default'],
    [tenant, 'ana@team'],
    [`${tenant}.run-1`, 'ana@team'],
  ])
  const listed = await run('tokens', 'list', tenant)
  expect(JSON.parse(listed.stdout)).toMatchObject([
    {name: 'ana@team', expiresAt: ana.expiresAt, lastUsedAt: expect.any(String)},
    {name: 'default', expiresAt: null, lastUsedAt: expect.any(String)},
  ])
  for (const token of [first, ana.token]) {
    expect(JSON.stringify(events) + listed.stdout + listed.stderr).not.toContain(token)
  }
})

test('a rotated token stays valid for the overlap, a removed one is refused, and the data stays', async () => {
  const {run, json, serve, tenant, first} = await scene()
  const rotated = await json('tokens', 'rotate', tenant, 'default', '--overlap', '1h', '--expires-in', '30d')
  const old = await json<readonly {expiresAt: string}[]>('tokens', 'list', tenant)
  expect(old).toHaveLength(2)
  expect(Date.parse(old[0]?.expiresAt ?? '')).toBeLessThan(Date.now() + 3_600_001)
  const both = await serve()
  expect([await both(first), await both(rotated.token)]).toEqual([200, 200])
  // Once more, and at once: the older ones are over too.
  const last = await json('tokens', 'rotate', tenant, 'default', '--overlap', '1ms')
  expect(Date.parse(last.expiresAt ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  await new Promise(resolve => setTimeout(resolve, 5))
  const one = await serve()
  expect([await one(first), await one(rotated.token), await one(last.token)]).toEqual([401, 401, 200])
  expect((await run('tokens', 'remove', tenant, 'default')).code).toBe(2)
  expect((await run('tokens', 'remove', tenant, 'default', '--yes')).code).toBe(0)
  const {token} = await json('tokens', 'add', tenant, 'another')
  const none = await serve()
  expect([await none(last.token), await none(token)]).toEqual([401, 200])
})

test('names that are taken, unknown or not valid are refused', async () => {
  const {run, json, tenant} = await scene()
  await json('tokens', 'add', tenant, 'ana')
  const refused = async (...argv: string[]) => {
    const {code, stdout, stderr} = await run('tokens', ...argv)
    expect(stdout).toBe('')
    return [code, JSON.parse(stderr).error.message]
  }
  expect(await refused('add', tenant, 'ana')).toEqual([2, 'The tenant has a token ana already.'])
  expect(await refused('rotate', tenant, 'bob')).toEqual([5, `The tenant ${tenant} has no valid token bob.`])
  expect(await refused('remove', tenant, 'bob', '--yes')).toEqual([
    5,
    `The tenant ${tenant} has no valid token bob.`,
  ])
  expect(await refused('list', 'nobody')).toEqual([5, 'There is no tenant nobody.'])
  for (const odd of ['Ana', 'a b', '.a', 'x'.repeat(65)])
    expect((await refused('add', tenant, odd))[0]).toBe(2)
})

test('tokens of an older cardctl beside this one are valid, can be rotated, and are gone when removed', async () => {
  const cluster = await migratedCluster()
  const {json, run, serve, tenant, first} = await scene(cluster.url)
  // It writes the token of a new tenant to the table of tenants alone.
  cluster.run('psql', '-q', '-c', 'DELETE FROM cardctl.tokens', 'app')
  expect(await (await serve())(first)).toBe(200)
  const next = await json('tokens', 'rotate', tenant, 'default')
  expect(await json('tokens', 'list', tenant)).toHaveLength(2)
  const status = await serve()
  expect([await status(first), await status(next.token)]).toEqual([200, 200])
  expect((await run('tokens', 'remove', tenant, 'default', '--yes')).code).toBe(0)
  const later = await serve()
  expect([await later(first), await later(next.token)]).toEqual([401, 401])
})
