// A key that the user passed, and that the service doesn't promise to honour.
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
/** It honours every key. */
let keyed: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  const info = reply(200, {name: 's', version: '1', now: new Date().toISOString(), idempotency: 'all'})
  keyed = await openService(({url}) => (url.startsWith('/_sandbox/info') ? info : undefined))
  for (const [name, {url}, ...more] of [
    ['plain', service],
    ['keyed', keyed, '--idempotency', 'all'],
  ] as const)
    await home.json(['profiles', 'add', name, '--kind', 'test', '--base-url', url, ...more])
})
afterEach(async () => {
  await service.close()
  await keyed.close()
  await home.remove()
})

const TRANSFERS = '{"transfers":[{"fromAccountId":"2006","toAccountId":"2007","amount":1,"currency":"EUR"}]}'
const TWO = ['--transfer', '2006:2007:1:EUR', '--transfer', '2006:2007:2:EUR', '--batch-size', '1']
const run = (profile: string, argv: readonly string[], ...more: string[]) =>
  home.run([...argv, '--idempotency-key', 'k1', '-p', profile, ...more])

test.each([
  ['a2a create', ['a2a', 'create', ...TWO, '--yes']],
  ['a2a create --dry-run', ['a2a', 'create', ...TWO, '--dry-run']],
  ['api', ['api', 'POST', '/v1/a2a/batches', '--data', TRANSFERS, '--yes']],
  ['pricelists patch', ['pricelists', 'patch', '5002', '-F', 'code=NEW', '--yes']],
])('%s says it, once', async (_, argv) => {
  const {code, stderr} = await run('plain', argv)
  expect(code).toBe(0)
  expect(stderr.match(/--idempotency-key does not protect this request/g)).toHaveLength(1)
  const all = await run('keyed', argv, '--note', 'x')
  expect([all.code, all.stderr]).toEqual([0, expect.not.stringContaining('does not protect')])
})

test('a program reads it as JSON', async () => {
  const {stderr} = await run('plain', ['a2a', 'create', ...TWO, '--yes'], '-o', 'json', '-q')
  const lines = stderr.trim().split('\n')
  const warnings = lines.map(line => JSON.parse(line)).filter(({warning}) => warning !== undefined)
  expect(warnings).toMatchObject([{warning: {code: 'KEY_NOT_HONOURED'}}])
})

test('it says nothing of a key that the contract documents, or that cardctl made', async () => {
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '--yes']
  expect((await run('plain', patch)).stderr).not.toContain('does not protect')
  const own = await home.run(['a2a', 'create', ...TWO, '--yes', '-p', 'plain'])
  expect([own.code, own.stderr]).toEqual([0, expect.not.stringContaining('does not protect')])
})

test.each(['sandbox', 'test'])(
  'a sandbox that honours less than the profile of kind %s says is asked before a write',
  async kind => {
    const url = ['--base-url', service.url, '--idempotency', 'all', '--profile-audit-user', 'aino']
    await home.json(['profiles', 'add', 'wrong', '--kind', kind, ...url])
    const posts = () => service.requests.filter(({method}) => method !== 'GET').length
    const send = (...argv: string[]) => home.run([...argv, '-p', 'wrong'])
    const refused = {code: 3, stderr: expect.stringContaining('idempotency documented')}
    expect(await send('a2a', 'create', ...TWO, '--yes')).toMatchObject(refused)
    expect(await send('api', 'PATCH', '/v1/pricelist/5002', '-F', 'code=NEW', '--yes')).toMatchObject(refused)
    const rows = ['bulk', 'run', 'pricelists.patch.v1', '--from', '-', '--yes', '-p', 'wrong']
    expect(await home.run(rows, {stdin: 'id,code\n5002,NEW\n'})).toMatchObject(refused)
    expect(posts()).toBe(0)
    // What every sandbox honours, and reads, need no question.
    const asked = service.requests.length
    const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '--yes']
    expect(await send(...patch)).toMatchObject({code: 0})
    expect(await send('cards', 'get', '3001')).toMatchObject({code: 0})
    expect(service.requests.slice(asked).filter(one => one.url.startsWith('/_sandbox/'))).toEqual([])
  },
)

test('a sandbox that takes keys from another header than the profile says is asked before a write', async () => {
  const url = ['--base-url', service.url, '--profile-audit-user', 'aino', '--kind', 'sandbox']
  await home.json(['profiles', 'add', 'wrong', ...url, '--idempotency-header', 'Idempotency-Key'])
  await home.json(['profiles', 'add', 'right', ...url, '--idempotency-header', 'X-Idempotency-Key'])
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '--yes']
  const row = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes']
  const refused = {code: 3, stderr: expect.stringContaining('idempotency-header x-idempotency-key')}
  expect(await home.run([...patch, '-p', 'wrong'])).toMatchObject(refused)
  expect(await home.run([...row, '-p', 'wrong'], {stdin: 'id,creditLimit\n2001,1\n'})).toMatchObject(refused)
  expect(service.requests.filter(({method}) => method !== 'GET')).toEqual([])
  expect(await home.run([...patch, '-p', 'right'])).toMatchObject({code: 0})
})

test('a sandbox that honours all keys, or does not say, is believed', async () => {
  let info = reply(404, {})
  const other = await openService(({url}) => (url.startsWith('/_sandbox/info') ? info : undefined))
  const url = ['--base-url', other.url, '--idempotency', 'all', '--profile-audit-user', 'aino']
  await home.json(['profiles', 'add', 'own', '--kind', 'sandbox', ...url])
  const send = () => home.run(['pricelists', 'patch', '5002', '-F', 'code=NEW', '--yes', '-p', 'own'])
  expect(await send()).toMatchObject({code: 0})
  info = reply(200, {name: 's', version: '1', now: new Date().toISOString(), idempotency: 'all'})
  expect(await send()).toMatchObject({code: 0})
  await other.close()
})

test('on this machine, what is called live is asked too', async () => {
  const other = await openService()
  const url = ['--base-url', other.url, '--idempotency', 'all', '--profile-audit-user', 'aino']
  await home.json(['profiles', 'add', 'prod', '--kind', 'live', ...url])
  const counted = ['--confirm-count', '2', '--confirm-total', 'EUR:3', '--yes']
  const {code, stderr} = await home.run(['a2a', 'create', ...TWO, ...counted, '-p', 'prod'])
  expect([code, stderr]).toEqual([3, expect.stringContaining('idempotency documented')])
  expect(other.requests.filter(({method}) => method !== 'GET')).toEqual([])
  await other.close()
})
