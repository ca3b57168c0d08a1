// What a served sandbox says of itself to anyone, without credentials.
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox, Secret} from '../../src/sandbox/index.ts'
import {storeOptions} from './helpers/store.ts'

test('health, readiness and metrics need no credentials, and count the responses to everything else', async () => {
  const sandbox = await createSandbox({
    auth: {type: 'bearer', token: new Secret('made-up')},
    ...(await storeOptions()),
  })
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  const get = async (path: string, headers = {}) => {
    const response = await fetch(`${server.url}${path}`, {headers})
    return {status: response.status, text: await response.text()}
  }
  expect(await get('/healthz')).toEqual({status: 200, text: 'ok\n'})
  expect(await get('/readyz')).toEqual({status: 200, text: 'ok\n'})
  const card = '/v4/3001?auditUser=test'
  const authorization = 'Bearer made-up'
  expect([(await get(card)).status, (await get(card, {authorization})).status]).toEqual([401, 200])
  const {text} = await get('/metrics')
  expect(text).toMatch(/^cardctl_requests_total\{status="200"\} 1$/m)
  expect(text).toMatch(/^cardctl_requests_total\{status="401"\} 1$/m)
  expect(text).toMatch(/^cardctl_request_seconds_count 2$/m)
  expect((await fetch(`${server.url}/healthz`, {method: 'POST'})).status).toBe(401)
})
