import type {ServerResponse} from 'node:http'
import {describe, expect, test} from 'vitest'
import {checkWebhookCall} from '../../../src/contract/validate.ts'
import type {WebhookCallEvent} from '../../../src/sandbox/options.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {testSandbox} from '../helpers/sandbox.ts'
import {authorise, coded, startEndpoint} from './endpoint.ts'

describe('connections', () => {
  test('a warm-up goes out at the start and after idleness, with the credentials of every call', async () => {
    let now = 0
    const endpoint = await startEndpoint(coded('00'))
    const webhook = {
      url: `${endpoint.url}/hooks/`,
      user: 'bank',
      password: new Secret('s3cret'),
      idleMs: 1000,
    }
    const sandbox = await testSandbox({webhook, monotonic: () => now})
    await expect.poll(() => endpoint.received.length).toBe(1)
    await authorise(sandbox)
    now = 999
    await authorise(sandbox)
    now = 1999
    await authorise(sandbox)
    const paths = endpoint.received.map(({path}) => path)
    expect(paths).toEqual(['/hooks/warm-up', '/hooks/auth', '/hooks/auth', '/hooks/warm-up', '/hooks/auth'])
    const [warmUp] = endpoint.received
    expect(warmUp?.headers['x-warmup']).toBe('true')
    expect(await checkWebhookCall('webhook.warmUp', warmUp?.body)).toEqual([])
    const basic = `Basic ${Buffer.from('bank:s3cret').toString('base64')}`
    expect(new Set(endpoint.received.map(({headers}) => headers.authorization))).toEqual(new Set([basic]))
  })

  test('every call is told with its end, without bodies and the path of the endpoint', async () => {
    const endpoint = await startEndpoint(coded('51'))
    const told: WebhookCallEvent[] = []
    const webhook = {url: `${endpoint.url}/secret`}
    const sandbox = await testSandbox({webhook, onWebhookCall: event => told.push(event)})
    await authorise(sandbox)
    const about = {type: 'webhook', at: expect.any(Number), to: endpoint.url, durationMs: expect.any(Number)}
    expect(told).toEqual([
      expect.objectContaining({...about, path: '/warm-up'}),
      {...about, path: '/auth', status: 200, code: '51'},
    ])
    expect(JSON.stringify(told)).not.toMatch(/secret|3001|merchant/)
  })

  test('a call that reaches nobody is told with the reason', async () => {
    const told: WebhookCallEvent[] = []
    const webhook = {url: 'http://127.0.0.1:1'}
    const sandbox = await testSandbox({webhook, onWebhookCall: event => told.push(event)})
    await authorise(sandbox)
    const why = 'the endpoint cannot be reached (ECONNREFUSED)'
    expect(told).toMatchObject([
      {path: '/warm-up', why},
      {path: '/auth', why},
    ])
  })

  test('a warm-up without an answer is reported once, until there is one again', async () => {
    let isUp = false
    const whenUp = (answer: (response: ServerResponse) => unknown) => (response: ServerResponse) =>
      void (isUp ? answer(response) : response.destroy())
    const endpoint = await startEndpoint(
      (call, response) => whenUp(each => coded('00')(call, each))(response),
      whenUp(response => response.end()),
    )
    const told: string[] = []
    const webhook = {url: endpoint.url, idleMs: 0}
    const sandbox = await testSandbox({webhook, onUnreachable: why => told.push(why)})
    await expect.poll(() => told.length).toBe(1)
    expect(told[0]).toContain('cannot be reached')
    for (const [now, times] of [
      [false, 1],
      [true, 1],
      [false, 2],
      [false, 2],
    ] as const) {
      isUp = now
      expect(await authorise(sandbox)).toMatchObject({decidedBy: now ? 'client' : 'fallback'})
      expect(told).toHaveLength(times)
    }
  })
})
