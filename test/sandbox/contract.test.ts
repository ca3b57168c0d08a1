import {expect, test} from 'vitest'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {handlerOf} from '../../src/sandbox/handlers.ts'
import {testSandbox} from './helpers/sandbox.ts'

const all: readonly Operation[] = Object.values(operations)

test.each(all.map(operation => [operation.id, operation] as const))(
  '%s has a handler',
  async (_, operation) => {
    expect(handlerOf(operation)).toBeDefined()
  },
)

test.each(
  all
    .filter(({query}) => query.some(({required}) => required))
    .map(({id, method, path}) => [id, method, path]),
)('%s without an audit user is refused', async (_, method = '', path = '') => {
  const sandbox = await testSandbox()
  const url = path.replace('{propertyToUpdate}', 'DELETE_ADDRESS').replace(/\{\w+\}/g, '1')
  const {status, problem} = await sandbox.send(method, url)
  expect([status, problem.detail]).toEqual([400, expect.stringContaining('auditUser')])
})

test('a method that a path does not take is 405, and says which it takes', async () => {
  const sandbox = await testSandbox()
  const {status, headers} = await sandbox.send('PUT', '/v3/3001?auditUser=a')
  expect([status, headers.allow]).toEqual([405, 'GET, PATCH'])
})

test.each([
  // No id holds a slash.
  ['/v4/..%2f..%2fetc', 400],
  ['/v4/%00', 404],
  ['/v4/3001%20', 404],
  [`/v4/${'9'.repeat(5000)}`, 404],
  ['/v4/__proto__', 404],
])('an odd id in %s is refused, or an unknown card', async (path, status) => {
  const sandbox = await testSandbox()
  expect((await sandbox.send('GET', `${path}?auditUser=a`)).status).toBe(status)
})

test.each([
  ['not JSON', '{"creditLimit": 4111111111111111', {}],
  ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
  ['an array', '[]', {}],
  ['null', 'null', {}],
  ['nested deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, {}],
  ['of too many values', `[${'0,'.repeat(600_000)}0]`, {}],
  ['one long text', JSON.stringify({reason: 'x'.repeat(3_000_000)}), {}],
  ['a member of every object', '{"__proto__": {"creditLimit": 1}}', {}],
  ['encoded', '{}', {'content-encoding': 'gzip'}],
  ['no JSON by its type', '{}', {'content-type': 'text/plain'}],
  ['of no type', '{}', {'content-type': ''}],
])('a body that is %s is refused, and nothing of it quoted', async (_, body, headers) => {
  const sandbox = await testSandbox()
  const reply = await sandbox.raw({
    method: 'PATCH',
    url: '/v4/CREDIT/2001?auditUser=a',
    headers: {'content-type': 'application/json', ...headers},
    body: Buffer.from(body),
  })
  expect([400, 415]).toContain(reply.status)
  expect(reply.text).not.toContain('4111111111111111')
})

test('a query member that is unknown or stands twice is refused', async () => {
  const sandbox = await testSandbox()
  const status = async (query: string) =>
    (await sandbox.send('GET', `/v4/customer/1003?auditUser=a&${query}`)).status
  expect(await status('size=10')).toBe(200)
  expect(await status('limit=10')).toBe(400)
  expect(await status('size=10&size=20')).toBe(400)
  expect(await status('size=ten')).toBe(400)
  expect(await status('auditUser=b')).toBe(400)
  expect(await status('__proto__=1')).toBe(400)
})

test('a body where none belongs is refused', async () => {
  const sandbox = await testSandbox()
  expect((await sandbox.send('DELETE', '/v1/pricelist/5002?auditUser=a', {})).status).toBe(400)
})
