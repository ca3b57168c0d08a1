// What docs/team-sandbox.md says of tenants. A server of several tenants: each has data, clock, faults and limits of its own, and no one sees those of the others.
import {expect, test} from 'vitest'
import {ask} from '../../../src/postgres/query.ts'
import {withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {
  admitTenant,
  findTenant,
  removeExpired,
  removeTenant,
} from '../../../src/sandbox/store/postgres/tenants.ts'
import {postgres, serve, tenant} from '../helpers/tenant-server.ts'

async function call(url: string, token: string | undefined, method = 'GET', body?: object) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
      ...(body === undefined ? {} : {'content-type': 'application/json'}),
    },
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  })
  const text = await response.text()
  return {status: response.status, text, json: () => JSON.parse(text)}
}

const ACCOUNT = '/v4/DEBIT/2002?auditUser=test'

test('each tenant has data, clock and faults of its own, on any path that is its own', async () => {
  const url = await serve()
  const [one, two] = await Promise.all([tenant(), tenant()])
  expect((await call(`${url}${ACCOUNT}`, one.token, 'PATCH', {name: 'of one'})).status).toBe(200)
  await call(`${url}/_sandbox/clock`, one.token, 'POST', {advanceMs: 86_400_000})
  await call(`${url}/_sandbox/faults`, one.token, 'POST', {operation: 'cards.*', status: 500})
  const stateOf = async ({token}: {token: string}, path: string) =>
    (await call(`${url}${path}`, token)).json()
  expect(await stateOf(one, '/_sandbox/state/account/2002')).toMatchObject({name: 'of one', effects: 1})
  expect(await stateOf(two, '/_sandbox/state/account/2002')).toMatchObject({effects: 0})
  expect(await stateOf(one, '/_sandbox/clock')).toMatchObject({offsetMs: 86_400_000})
  expect(await stateOf(two, '/_sandbox/clock')).toMatchObject({offsetMs: 0})
  expect((await call(`${url}/t/${one.name}/v4/3001?auditUser=test`, one.token)).status).toBe(500)
  expect((await call(`${url}/t/${two.name}/v4/3001?auditUser=test`, two.token)).status).toBe(200)
})

test('a token opens its own tenant alone', async () => {
  const url = await serve()
  const [one, two] = await Promise.all([tenant(), tenant()])
  const card = '/v4/3001?auditUser=test'
  expect((await call(`${url}/t/${one.name}${card}`, two.token)).status).toBe(401)
  expect((await call(`${url}${card}`, undefined)).status).toBe(401)
  expect((await call(`${url}${card}`, `cardctl_sandbox_${'x'.repeat(43)}`)).status).toBe(401)
  expect((await call(`${url}/t/nobody${card}`, one.token)).status).toBe(401)
  // Basic works too, with any user name: not every program can send a bearer token.
  const basic = `Basic ${Buffer.from(`ci:${one.token}`).toString('base64')}`
  expect((await fetch(`${url}${card}`, {headers: {authorization: basic}})).status).toBe(200)
})

test('without credentials: health, readiness, metrics, public keys and pages, and nothing else', async () => {
  const url = await serve()
  const {name, token} = await tenant()
  for (const path of ['/healthz', '/readyz']) expect((await call(url + path, undefined)).status).toBe(200)
  const jwks = await call(`${url}/t/${name}/.well-known/jwks.json`, undefined)
  expect(jwks.json()).toMatchObject({keys: [{kty: 'RSA'}]})
  expect((await call(`${url}/t/nobody/.well-known/jwks.json`, undefined)).status).toBe(404)
  expect((await call(`${url}/.well-known/jwks.json`, undefined)).status).toBe(401)
  await call(`${url}/v4/9999?auditUser=test`, token)
  const {text} = await call(`${url}/metrics`, undefined)
  expect(text).toMatch(/^cardctl_requests_total\{status="404"\} 2$/m)
  expect(text).toMatch(/^cardctl_request_seconds_bucket\{le="\+Inf"\} \d+$/m)
  expect(text).not.toContain(name)
})

test('links of a tenant lead to its own pages', async () => {
  const url = await serve()
  const {name, token} = await tenant()
  const made = await call(`${url}/v2/plastic/7001?auditUser=test`, token, 'POST', {scope: 'VIEW_PIN'})
  expect(made.json()).toMatchObject({pinURL: `${url}/t/${name}/pages/pin`})
})

test('limits of one tenant leave the others alone', async () => {
  const url = await serve()
  const [slow, full, free] = await Promise.all([tenant({rate: '2/min'}), tenant({maxRows: 400}), tenant()])
  const statuses = []
  for (let at = 0; at < 3; at++)
    statuses.push((await call(`${url}${ACCOUNT.replace('DEBIT/2002', '3001')}`, slow.token)).status)
  expect(statuses).toEqual([200, 200, 429])
  const transfers = Array.from({length: 150}, () => ({
    fromAccountId: '2006',
    toAccountId: '2007',
    amount: 1,
    currency: 'EUR',
  }))
  const send = ({token}: {token: string}) =>
    call(`${url}/v1/a2a/batches?auditUser=test`, token, 'POST', {transfers})
  const ends = []
  for (let at = 0; at < 4; at++) ends.push((await send(full)).status)
  expect(ends.at(-1)).toBe(507)
  expect((await send(free)).status).toBe(200)
  // Reads go on, and a reset makes room.
  expect((await call(`${url}/v4/3001?auditUser=test`, full.token)).status).toBe(200)
  expect((await call(`${url}/_sandbox/reset`, full.token, 'POST')).status).toBe(200)
  expect((await call(`${url}${ACCOUNT}`, full.token, 'PATCH', {name: 'x'})).status).toBe(200)
})

test('a run gets a tenant with its first call, which is gone after its time', async () => {
  const url = await serve()
  const {name, token} = await tenant({runMs: 4000})
  const card = '/v4/3001?auditUser=test'
  const run = `${name}.build-1`
  const both = await Promise.all([1, 2].map(() => call(`${url}/t/${run}${card}`, token)))
  expect(both.map(({status}) => status)).toEqual([200, 200])
  expect((await call(`${url}/t/${run}${card}`, `cardctl_sandbox_${'y'.repeat(43)}`)).status).toBe(401)
  expect(await withStore(postgres(), opened => findTenant(opened, run))).toBeDefined()
  await expect.poll(() => withStore(postgres(), opened => findTenant(opened, run))).toBeUndefined()
  await withStore(postgres(), opened => removeExpired(opened))
  const alone = await tenant()
  expect((await call(`${url}/t/${alone.name}.build-1${card}`, alone.token)).status).toBe(401)
})

test('a tenant has at most 100 runs at a time', async () => {
  const {name, token} = await tenant({runMs: 60_000})
  const admit = (run: string) => withStore(postgres(), opened => admitTenant(opened, `${name}.${run}`, token))
  await withStore(postgres(), async opened => {
    for (let at = 0; at < 100; at++) await admitTenant(opened, `${name}.run-${at}`, token)
  })
  expect(await admit('one-more')).toBe('too many runs')
  expect(await admit('run-7')).toMatchObject({tenant: {name: `${name}.run-7`}})
  const url = await serve()
  expect((await call(`${url}/t/${name}.one-more/v4/3001?auditUser=test`, token)).status).toBe(429)
})

test('a removed tenant is gone with its data', async () => {
  const url = await serve()
  const {name, token} = await tenant()
  expect((await call(`${url}/v4/3001?auditUser=test`, token)).status).toBe(200)
  expect(await withStore(postgres(), opened => removeTenant(opened, name))).toBe(true)
  expect((await call(`${url}/v4/3001?auditUser=test`, token)).status).not.toBe(200)
  expect(await withStore(postgres(), opened => removeTenant(opened, name))).toBe(false)
})

test('a process has no more connections than it is given, with any number of tenants at once', async () => {
  const url = await serve()
  const tenants = await Promise.all(Array.from({length: 8}, () => tenant()))
  const ended = await Promise.all(
    tenants.flatMap(({token}) => [1, 2, 3].map(() => call(`${url}${ACCOUNT}`, token, 'PATCH', {name: 'x'}))),
  )
  expect(new Set(ended.map(({status}) => status))).toEqual(new Set([200]))
  // Those that are not used stay open for a while.
  const {text} = await call(`${url}/metrics`, undefined)
  expect(text).toMatch(/^cardctl_database_connections 4$/m)
})

test('a token whose time is over is refused, and leaves the database a day later', async () => {
  const {name, token} = await tenant()
  const admit = (given: string) => withStore(postgres(), opened => admitTenant(opened, name, given))
  const count = (sql: string) =>
    withStore(postgres(), async opened => {
      const [row] = await ask<{n: number}>(opened, {
        text: `WITH changed AS (${sql}) SELECT count(*)::integer AS n FROM changed`,
        values: [name],
      })
      return row?.n
    })
  const OF_TENANT = 'tenant = (SELECT id FROM cardctl.tenants WHERE name = $1)'
  const age = (by: string) =>
    count(`UPDATE cardctl.tokens SET expires_at = now() - interval '${by}' WHERE ${OF_TENANT} RETURNING 1`)
  expect(await admit(token)).toMatchObject({token: 'default'})
  for (const [by, left] of [
    ['1 minute', 1],
    ['25 hours', 0],
  ] as const) {
    expect(await age(by)).toBe(1)
    await withStore(postgres(), removeExpired)
    expect(await count(`SELECT FROM cardctl.tokens WHERE ${OF_TENANT}`)).toBe(left)
    expect(await admit(token)).toBeUndefined()
  }
})
