import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {request} from 'node:https'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {Secret} from '../../src/sensitive/secret.ts'
import {openHome} from '../helpers/cli.ts'
import {pem} from '../http/listening.ts'
import {callOf} from '../webhook/calls.ts'
import {listener} from '../webhook/listener.ts'

const tls = {cert: pem('service'), key: new Secret(pem('service.key'))}

async function post(url: string, client: {cert?: string; key?: string} = {}): Promise<number | undefined> {
  const sent = request(`${url}/auth`, {method: 'POST', agent: false, ca: pem('ca'), ...client})
  sent.end(JSON.stringify(callOf('chip', 'a')))
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

test('calls come over TLS, with a given certificate', async () => {
  const {url, events} = await listener({tls})
  expect(url).toMatch(/^https:/)
  expect(await post(url)).toBe(200)
  expect(events).toMatchObject([{type: 'auth'}])
})

test('with an authority for callers, others cannot make a call', async () => {
  const {url, events} = await listener({tls: {...tls, clientCa: pem('ca')}})
  await expect(post(url)).rejects.toThrow()
  await expect(post(url, {cert: pem('stranger'), key: pem('stranger.key')})).rejects.toThrow()
  expect(await post(url, {cert: pem('client'), key: pem('client.key')})).toBe(200)
  expect(events).toHaveLength(1)
})

test('flags that cannot be meant, and files that cannot be used, are refused by name', async () => {
  const home = await openHome()
  try {
    const file = async (name: string, text: string) => {
      const path = join(home.folder, name)
      await writeFile(path, text, {mode: 0o600})
      return path
    }
    const cert = await file('server.pem', pem('service'))
    const key = await file('server.key', pem('service.key'))
    const other = await file('other.key', pem('client.key'))
    const none = join(home.folder, 'none.pem')
    for (const [code, ...flags] of [
      [2, '--tls-cert', cert],
      [2, '--tls-key', key],
      [2, '--client-ca', cert],
      [2, '--tls-cert', cert, '--tls-key', other],
      [2, '--tls-cert', key, '--tls-key', key],
      [2, '--tls', '--client-ca', key],
      [2, '--tls', '--client-ca', none],
      [2, '--tls-cert', cert, '--tls-key', readFileSync(key, 'utf8')],
      [3, '--tls-cert', cert, '--tls-key', none],
    ] as const) {
      const refused = await home.run(['webhook', 'serve', ...flags])
      expect(refused.code, flags.join(' ')).toBe(code)
      expect(refused.stderr).not.toContain('PRIVATE KEY')
    }
  } finally {
    await home.remove()
  }
})
