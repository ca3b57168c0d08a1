// Requests that belong to nobody, against a database that is away: only what needs it fails. The cluster is this file's own.
import {randomBytes} from 'node:crypto'
import {expect, onTestFinished, test} from 'vitest'
import {migrateStore, withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {addTenant} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {startCluster} from '../../helpers/postgres.ts'

const madeUp = () => `cardctl_sandbox_${randomBytes(32).toString('base64url')}`

test('a text that is no token is refused without the database; with a made-up one nobody can tell', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const postgres = {url: new Secret(cluster.url)}
  await migrateStore(postgres)
  const token = (await withStore(postgres, opened => addTenant(opened, 'team'))).open()
  const sandbox = await createTenantSandbox({postgres})
  const {url, close} = await sandbox.serve()
  onTestFinished(async () => {
    await close()
    await sandbox.close()
  })
  const statusOf = async (authorization?: string, path = '/v4/3001?auditUser=test') => {
    const response = await fetch(url + path, {headers: authorization === undefined ? {} : {authorization}})
    await response.arrayBuffer()
    return response.status
  }
  const flood = await Promise.all(Array.from({length: 300}, () => statusOf(`Bearer ${madeUp()}`)))
  expect(new Set(flood)).toEqual(new Set([401]))
  expect(await statusOf(`Bearer ${token}`)).toBe(200)
  cluster.stop()
  const others = [undefined, 'Bearer x', `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`, 'Basic YTpi']
  for (const authorization of others) expect(await statusOf(authorization), authorization).toBe(401)
  expect(await statusOf(`Bearer ${madeUp()}`)).toBe(503)
  expect(await statusOf(undefined, '/t/nobody/.well-known/jwks.json')).toBe(503)
  cluster.start()
  await expect.poll(() => statusOf(undefined, '/t/nobody/.well-known/jwks.json')).toBe(404)
  await expect.poll(() => statusOf(`Bearer ${token}`)).toBe(200)
})
