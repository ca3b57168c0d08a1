import {execFile} from 'node:child_process'
import {DatabaseSync} from 'node:sqlite'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {createSandbox} from '../../src/sandbox/index.ts'
import {temporaryFile, testSandbox} from './helpers/sandbox.ts'

const run = promisify(execFile)

/** A process of its own on the file: sends the same updates with the same keys, and moves money to and fro. */
const worker = `
const {createSandbox} = await import(process.argv[1])
const [, , file, name] = process.argv
const sandbox = await createSandbox({file})
const send = (method, url, body, key) => sandbox.handle({
  method, url: url + '?auditUser=' + name,
  headers: {'content-type': 'application/json', ...(key && {'x-idempotency-key': key})},
  body: Buffer.from(JSON.stringify(body)),
})
const statuses = []
for (let i = 0; i < 20; i += 1) {
  statuses.push((await send('PATCH', '/v4/DEBIT/2002', {name: 'n' + i}, 'key-' + i)).status)
  const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
  statuses.push((await send('POST', '/v1/a2a/batches', {transfers})).status)
}
await sandbox.close()
console.log(JSON.stringify(statuses))
`

test('several processes on one new file: one seed, one effect per key, every transfer once', async () => {
  const file = await temporaryFile()
  const entry = new URL('../../src/sandbox/index.ts', import.meta.url).href
  const outputs = await Promise.all(
    ['a', 'b', 'c'].map(name =>
      run(process.execPath, ['--input-type=module', '-e', worker, entry, file, name]),
    ),
  )
  for (const {stdout} of outputs) expect(new Set(JSON.parse(stdout) as number[])).toEqual(new Set([200]))
  const sandbox = await testSandbox({file})
  const account = async (id: string) =>
    (await sandbox.op('sandbox.state.get', {path: {kind: 'account', id}})).body
  expect(await account('2002')).toMatchObject({effects: 20})
  expect(await account('2007')).toMatchObject({balances: [{currency: 'EUR', booked: 10060}]})
  expect(await account('2006')).toMatchObject({balances: [{currency: 'EUR', booked: 9940}]})
  expect((await sandbox.op('sandbox.state.list', {path: {kind: 'card'}})).body).toHaveLength(45)
})

test('while another process holds the file, reads work, and a write is refused without an effect', async () => {
  const file = await temporaryFile()
  const errors: unknown[] = []
  const sandbox = await createSandbox({file, busyTimeoutMs: 20, onError: error => errors.push(error)})
  const send = async (
    method: string,
    url: string,
    body: string,
    origin: 'loopback' | 'network' = 'loopback',
  ) => {
    const headers = {host: 'localhost', ...(body === '' ? {} : {'content-type': 'application/json'})}
    const reply = await sandbox.handle({
      method,
      url: `${url}?auditUser=a`,
      headers,
      body: Buffer.from(body),
      origin,
    })
    return {...reply, text: Buffer.from(reply.body).toString()}
  }
  await send('PATCH', '/v4/DEBIT/2002', '{"name": "warm"}')
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  expect((await send('GET', '/v4/3001', '')).status).toBe(200)
  const refused = await send('PATCH', '/v4/DEBIT/2002', '{"name": "x"}')
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  expect(refused.text).toContain('locked')
  expect((await send('PATCH', '/v4/DEBIT/2002', '{"name": "x"}', 'network')).text).not.toContain(file)
  expect(errors).toHaveLength(2)
  // One that takes several transactions: the first may have been committed, and no status says that.
  const several = await sandbox.handle({
    method: 'PATCH',
    url: '/_sandbox/state/card/3001',
    headers: {host: 'localhost', 'content-type': 'application/json'},
    body: Buffer.from('{"status": "CARD_OK"}'),
  })
  expect(several).toMatchObject({drop: true})
  other.exec('ROLLBACK')
  other.close()
  expect((await send('PATCH', '/v4/DEBIT/2002', '{"name": "x"}')).status).toBe(200)
  await sandbox.close()
})
