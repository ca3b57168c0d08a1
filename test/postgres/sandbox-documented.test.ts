// What docs/team-sandbox.md promises of tenants, from command lines to responses.
import {randomUUID} from 'node:crypto'
import {expect, inject, onTestFinished, test} from 'vitest'
import {createTenantSandbox} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {newHome} from '../documented/scene.ts'

const name = () => `t${randomUUID().slice(0, 18)}`
const CARD = '/v4/3001?auditUser=test'

async function scene() {
  const home = await newHome()
  const url = inject('postgres') ?? ''
  const tenants = (...argv: string[]) =>
    home.run(['sandbox', 'tenants', ...argv, '--store', 'env:DATABASE_URL', '-o', 'json'], {
      env: {DATABASE_URL: url},
    })
  const add = async (tenant: string, ...more: string[]) => {
    const {code, stdout, stderr} = await tenants('add', tenant, ...more)
    expect({code, stderr}).toMatchObject({code: 0})
    return (JSON.parse(stdout) as {token: string}).token
  }
  const sandbox = await createTenantSandbox({postgres: {url: new Secret(url), connections: 4}})
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  const status = async (path: string, token?: string) =>
    (await fetch(`${server.url}${path}`, {headers: token ? {authorization: `Bearer ${token}`} : {}})).status
  return {home, tenants, add, status, url: server.url}
}

test('a token is printed once, and by no other command', async () => {
  const {add, tenants} = await scene()
  const tenant = name()
  const token = await add(tenant)
  for (const argv of [['list'], ['show', tenant], ['reset', tenant, '--yes']]) {
    const {stdout, stderr} = await tenants(...argv)
    expect(stdout + stderr).not.toContain(token)
  }
  const again = await tenants('add', tenant)
  expect(again.code).not.toBe(0)
  expect(again.stdout).toBe('')
})

test('the URL of the database is never taken from the command line, and never repeated', async () => {
  const home = await newHome()
  const url = 'postgres://app:Very-secret-1@db.example/sandbox'
  for (const argv of [
    ['tenants', 'list'],
    ['store', 'check'],
    ['store', 'migrate'],
    ['serve', '--port', '0'],
  ]) {
    const seen = await home.run(['sandbox', ...argv, '--store', url])
    expect(seen.code).toBe(2)
    expect(seen.stdout + seen.stderr).not.toContain('Very-secret-1')
  }
})

test('a run is made by its first call with the token of its tenant, and by no other token', async () => {
  const {add, status} = await scene()
  const [ci, other] = [name(), name()]
  const [token, foreign] = [await add(ci, '--run-for', '2h'), await add(other)]
  expect(await status(`/t/${ci}.1${CARD}`)).toBe(401)
  expect(await status(`/t/${ci}.1${CARD}`, foreign)).toBe(401)
  expect(await status(`/t/${ci}.1${CARD}`, token)).toBe(200)
  expect(await status(`/t/${other}.1${CARD}`, foreign)).not.toBe(200)
})

test('a tenant is removed after a confirmation alone, with its token, and the others stay', async () => {
  const {add, tenants, status} = await scene()
  const [one, two] = [name(), name()]
  const [token, kept] = [await add(one), await add(two)]
  expect((await tenants('remove', one)).code).toBe(2)
  expect(await status(CARD, token)).toBe(200)
  expect((await tenants('remove', one, '--yes', '--confirm', one)).code).toBe(0)
  expect((await tenants('show', one)).code).toBe(5)
  expect(await status(CARD, kept)).toBe(200)
})

test('metrics name no tenant and no token', async () => {
  const {add, status, url} = await scene()
  const tenant = name()
  const token = await add(tenant)
  await status(`/t/${tenant}${CARD}`, token)
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).not.toContain(tenant)
  expect(text).not.toContain(token)
})

test.each(['Ci', 'a.b', '../x', 'a b', '', 'x'.repeat(200)])('%j is no name of a tenant', async odd => {
  const {tenants} = await scene()
  expect((await tenants('add', odd)).code).toBe(2)
})
