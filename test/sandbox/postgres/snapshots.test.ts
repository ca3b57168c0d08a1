// Snapshots of tenants: by their token, into other tenants, within their quota, and without the credentials of their
// endpoint.
import {randomUUID} from 'node:crypto'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox, type Snapshot} from '../../../src/sandbox/index.ts'
import {rowsOf, type StateRow, snapshotOf} from '../../../src/sandbox/snapshot/snapshot.ts'
import {withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {forkTenant} from '../../../src/sandbox/store/postgres/fork-tenant.ts'
import {openWebhook, sealWebhook} from '../../../src/sandbox/store/postgres/tenant-endpoint.ts'
import {findTenant, listTenants} from '../../../src/sandbox/store/postgres/tenants.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {postgres, serve, tenant} from '../helpers/tenant-server.ts'

async function call(url: string, {token}: {token: string}, method = 'GET', body?: object) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : {'content-type': 'application/json', 'x-idempotency-key': 'k'}),
    },
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Snapshot & {creditLimit: number},
  }
}

const ACCOUNT = '/v4/CREDIT/2001?auditUser=test'
const limitOf = async (url: string, of: {token: string}) =>
  (await call(`${url}/_sandbox/state/account/2001`, of)).body.creditLimit

test('a tenant gets the state of another one, with its keys', async () => {
  const url = await serve()
  const [one, two] = await Promise.all([tenant(), tenant()])
  await call(`${url}${ACCOUNT}`, one, 'PATCH', {creditLimit: 6000})
  const {body: snapshot} = await call(`${url}/_sandbox/snapshot`, one, 'POST')
  expect((await call(`${url}/_sandbox/snapshot`, two, 'PUT', snapshot)).status).toBe(200)
  expect(await limitOf(url, two)).toBe(6000)
  const again = await call(`${url}${ACCOUNT}`, two, 'PATCH', {creditLimit: 6000})
  expect(again.headers.get('x-idempotent-replayed')).toBe('true')
  // The other one has its own rows still.
  await call(`${url}/_sandbox/state/account/2001`, two, 'PATCH', {creditLimit: 1})
  expect(await limitOf(url, one)).toBe(6000)
})

test('without a token, or with that of another tenant, there is no snapshot', async () => {
  const url = await serve()
  const [one, two] = await Promise.all([tenant(), tenant()])
  const none = await fetch(`${url}/t/${one.name}/_sandbox/snapshot`, {method: 'POST'})
  expect(none.status).toBe(401)
  const other = await fetch(`${url}/t/${one.name}/_sandbox/snapshot`, {
    method: 'POST',
    headers: {authorization: `Bearer ${two.token}`},
  })
  expect(other.status).toBe(401)
})

test('a load beyond the quota leaves the state as it was, and one within it counts its rows', async () => {
  const url = await serve()
  const [large, small] = await Promise.all([tenant(), tenant({maxRows: 210})])
  const {body: fitting} = await call(`${url}/_sandbox/snapshot`, large, 'POST')
  for (let at = 0; at < 30; at++)
    await call(`${url}/_sandbox/authorisations`, large, 'POST', {cardId: '3001', amount: 1, currency: 'EUR'})
  const {body: beyond} = await call(`${url}/_sandbox/snapshot`, large, 'POST')
  expect(beyond.rows).toBeGreaterThan(210)
  await call(`${url}${ACCOUNT}`, small, 'PATCH', {creditLimit: 7000})
  expect((await call(`${url}/_sandbox/snapshot`, small, 'PUT', beyond)).status).toBe(507)
  expect(await limitOf(url, small)).toBe(7000)
  for (let at = 0; at < 3; at++)
    expect((await call(`${url}/_sandbox/snapshot`, small, 'PUT', fitting)).status).toBe(200)
  expect(await limitOf(url, small)).toBe(5000)
  // Its clock and its endpoint's key are rows too.
  const room = 210 - fitting.rows
  const statuses: number[] = []
  for (let at = 0; at <= room; at++)
    statuses.push(
      (await call(`${url}/_sandbox/faults`, small, 'POST', {status: 500, operation: 'a2a.*'})).status,
    )
  expect(statuses).toContain(507)
  expect(statuses.filter(status => status === 201).length).toBeGreaterThan(room - 5)
})

test('the credentials of the endpoint stay readable, whatever is loaded, and are in no snapshot', async () => {
  const {name} = await tenant()
  const read = () =>
    withStore(postgres(), async opened => {
      const found = await findTenant(opened, name)
      if (found === undefined) throw new Error('the tenant is missing')
      const options = {url: 'https://decide.example', user: 'bank', password: new Secret('hook-word')}
      return {opened, found, options}
    })
  const sealed = await withStore(postgres(), async opened => {
    const {found, options} = await read()
    return sealWebhook(opened, found, options)
  })
  const sandbox = await createSandbox({postgres: {...postgres(), tenant: name}})
  onTestFinished(() => sandbox.close())
  const passwordOf = () =>
    withStore(postgres(), async opened => (await openWebhook(opened, sealed)).password?.open())
  expect(await passwordOf()).toBe('hook-word')
  const snapshots: Snapshot[] = [await sandbox.snapshot()]
  for (let at = 0; at < 2; at++) {
    const other = await createSandbox()
    snapshots.push(await other.snapshot())
    await other.close()
  }
  for (const snapshot of [...snapshots, ...snapshots]) {
    await sandbox.load(snapshot)
    expect(await passwordOf()).toBe('hook-word')
    await sandbox.handle({method: 'POST', url: '/_sandbox/reset'})
    expect(await passwordOf()).toBe('hook-word')
  }
})

test('a fork is a tenant of its own with the state and a new token; a name that is taken changes nothing', async () => {
  const url = await serve()
  const one = await tenant()
  await call(`${url}${ACCOUNT}`, one, 'PATCH', {creditLimit: 6000})
  const {body: snapshot} = await call(`${url}/_sandbox/snapshot`, one, 'POST')
  const name = `f${randomUUID().slice(0, 20)}`
  const {tenant: made, token} = await forkTenant(postgres(), name, snapshot, Date.now)
  expect(made).toBe(name)
  const two = {token: token.open()}
  expect(await limitOf(`${url}/t/${name}`, two)).toBe(6000)
  await call(`${url}/_sandbox/state/account/2001`, two, 'PATCH', {creditLimit: 1})
  expect(await limitOf(url, one)).toBe(6000)
  await expect(forkTenant(postgres(), one.name, snapshot, Date.now)).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('already'),
  })
  await expect(forkTenant(postgres(), 'A b', snapshot, Date.now)).rejects.toMatchObject({
    code: 'INPUT_INVALID',
  })
  expect(await limitOf(url, one)).toBe(6000)
})

test('a fork that fails leaves no tenant', async () => {
  const sandbox = await createSandbox()
  const snapshot = await sandbox.snapshot()
  await sandbox.close()
  const name = `f${randomUUID().slice(0, 20)}`
  const damaged = {...snapshot, rows: snapshot.rows + 1}
  await expect(forkTenant(postgres(), name, damaged, Date.now)).rejects.toMatchObject({code: 'INPUT_INVALID'})
  const names = await withStore(postgres(), async opened =>
    (await listTenants(opened)).map(each => each.name),
  )
  expect(names.filter(each => each.startsWith(name))).toEqual([])
})

test('a load that has sent rows already leaves the state as it was, if it goes beyond the quota', async () => {
  const url = await serve()
  const one = await tenant({maxRows: 1500})
  const {body: demo} = await call(`${url}/_sandbox/snapshot`, one, 'POST')
  const withCustomers = async (count: number): Promise<Snapshot> => {
    const [template] = (await rowsOf(demo)).filter(([name]) => name === 'customers')
    const more = Array.from(
      {length: count},
      (_, at): StateRow => ['customers', {...template?.[1], id: `c${at}`}],
    )
    return snapshotOf([...(await rowsOf(demo)), ...more], {savedAt: 0, now: Date.parse(demo.now)})
  }
  await call(`${url}${ACCOUNT}`, one, 'PATCH', {creditLimit: 7000})
  expect((await call(`${url}/_sandbox/snapshot`, one, 'PUT', await withCustomers(1600))).status).toBe(507)
  expect(await limitOf(url, one)).toBe(7000)
  const fitting = await withCustomers(1200)
  expect((await call(`${url}/_sandbox/snapshot`, one, 'PUT', fitting)).status).toBe(200)
  const {body: again} = await call(`${url}/_sandbox/snapshot`, one, 'POST')
  expect(again.rows).toBe(fitting.rows)
  expect(new Set((await rowsOf(again)).map(String)).size).toBe(
    new Set((await rowsOf(fitting)).map(String)).size,
  )
})
