// The database goes away for a while: what requests get, what readiness says, and that nothing has to be restarted.
import {expect, onTestFinished, test} from 'vitest'
import {withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {addTenant} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'

async function scene() {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url), statementMs: 500}
  const token = (await withStore(postgres, opened => addTenant(opened, 'team'))).open()
  const open = async () => {
    const sandbox = await createTenantSandbox({postgres})
    const server = await sandbox.serve()
    const close = async () => {
      await server.close()
      await sandbox.close()
    }
    return {url: server.url, close}
  }
  const {url, close} = await open()
  onTestFinished(close)
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers}
    const response = await fetch(`${url}${path}`, {...init, headers})
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    }
  }
  const read = () => call('/v4/3001?auditUser=test')
  const write = (name: string) =>
    call('/v4/DEBIT/2002?auditUser=test', {method: 'PATCH', body: JSON.stringify({name})})
  const isReady = async () => (await call('/readyz')).status
  return {cluster, open, call, read, write, isReady}
}

const UNAVAILABLE = {status: 503, retryAfter: '1'}

test('without its database, a server answers 503 until the database is back', async () => {
  const {cluster, call, read, write, isReady} = await scene()
  expect([(await read()).status, await isReady()]).toEqual([200, 200])
  cluster.stop()
  expect(await read()).toMatchObject(UNAVAILABLE)
  expect(await write('lost')).toMatchObject(UNAVAILABLE)
  await expect.poll(isReady).toBe(503)
  expect((await call('/healthz')).status).toBe(200)
  cluster.start()
  await expect.poll(isReady).toBe(200)
  await expect.poll(async () => (await read()).status).toBe(200)
  expect((await write('back')).status).toBe(200)
  expect((await call('/_sandbox/state/account/2002')).text).toContain('"effects":1')
})

test('a database that hangs holds no request forever, and a server stops without it', async () => {
  const {cluster, open, call, read, write, isReady} = await scene()
  const other = await open()
  expect((await read()).status).toBe(200)
  const thaw = cluster.freeze()
  onTestFinished(thaw)
  const asked = await Promise.all([read(), write('a'), read(), write('b'), write('c')])
  for (const each of asked) expect(each).toMatchObject(UNAVAILABLE)
  expect(await isReady()).toBe(503)
  expect((await call('/healthz')).status).toBe(200)
  await other.close()
  thaw()
  await expect.poll(isReady).toBe(200)
  await expect.poll(async () => (await read()).status).toBe(200)
  expect((await call('/_sandbox/state/account/2002')).text).toContain('"effects":0')
}, 60_000)
