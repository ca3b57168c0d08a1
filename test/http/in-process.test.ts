import {describe, expect, it} from 'vitest'
import {dispatcherFor, type PlainRequest, type PlainResponse} from '../../src/http/index.ts'
import {failureOf, kinds, openSender, still, target} from './surround.ts'

const reply = (status: number, value: unknown): PlainResponse => ({
  status,
  headers: {'content-type': 'application/json'},
  body: Buffer.from(JSON.stringify(value)),
})

function sandbox(handle: (request: PlainRequest) => Promise<PlainResponse>) {
  const embedded = target('http://sandbox.embedded', {kind: 'sandbox', embedded: true, hosts: []})
  return openSender(embedded, still({dispatcher: async () => dispatcherFor(handle)}))
}

const input = {path: {id: '1'}, query: {}, body: {name: 'ä'}}

describe('an app in this process', () => {
  it('gets what would be on the wire', async () => {
    const seen: PlainRequest[] = []
    const sender = sandbox(async request => {
      seen.push(request)
      return reply(200, {ok: true})
    })
    expect((await sender.send({operation: kinds.keyed, input})).body).toEqual({ok: true})
    const [request] = seen
    expect(request).toMatchObject({
      method: 'PATCH',
      url: '/v4/1?auditUser=aino',
      origin: 'embedded',
      headers: {'content-type': 'application/json', 'x-idempotency-key': 'made-1'},
    })
    expect(Buffer.from(request?.body ?? []).toString()).toBe('{"name":"ä"}')
    expect(request?.headers).not.toHaveProperty('accept-encoding')
  })

  it('that drops the connection leaves a write unknown, and a keyed one is sent again', async () => {
    let calls = 0
    const sender = sandbox(async () => {
      calls += 1
      return calls % 2 === 1 ? {...reply(200, {}), drop: true as const} : reply(200, {calls})
    })
    expect(await sender.send({operation: kinds.keyed, input})).toMatchObject({attempts: 2, body: {calls: 2}})
    expect(await failureOf(sender.send({operation: kinds.unkeyed, input}))).toMatchObject({
      code: 'EFFECT_UNKNOWN',
    })
    expect(calls).toBe(3)
  })

  it('that throws is a lost response, not a crash', async () => {
    const sender = sandbox(async () => {
      throw new Error('inside')
    })
    expect(await failureOf(sender.send({operation: kinds.unkeyed, input}))).toMatchObject({
      code: 'EFFECT_UNKNOWN',
    })
  })

  it('that hangs runs into the deadline', async () => {
    const sender = sandbox(() => new Promise(() => {}))
    const sent = sender.send({operation: kinds.unkeyed, input, timeoutMs: 50})
    expect(await failureOf(sent)).toMatchObject({code: 'EFFECT_UNKNOWN', details: {repeatable: false}})
  })

  it('may answer without a body', async () => {
    const sender = sandbox(async () => ({status: 204, headers: {}, body: new Uint8Array()}))
    expect((await sender.send({operation: kinds.read, input})).body).toBeUndefined()
  })

  it('takes headers in every form that undici does', async () => {
    const seen: Record<string, string>[] = []
    const dispatcher = dispatcherFor(async request => {
      seen.push(request.headers)
      return reply(200, {})
    })
    const forms = [{'X-A': '1'}, ['X-A', '1'], new Map([['X-A', '1']])]
    for (const headers of forms) {
      await new Promise<void>(resolve => {
        dispatcher.dispatch(
          {origin: 'http://x', path: '/', method: 'GET', headers},
          {onResponseEnd: () => resolve()},
        )
      })
    }
    expect(seen).toEqual([{'x-a': '1'}, {'x-a': '1'}, {'x-a': '1'}])
  })

  it('is closed with its dispatcher', async () => {
    const dispatcher = dispatcherFor(async () => reply(200, {}))
    const embedded = target('http://sandbox.embedded', {embedded: true})
    const sender = openSender(embedded, still({dispatcher: async () => dispatcher}))
    await dispatcher.close()
    expect(await failureOf(sender.send({operation: kinds.unkeyed, input}))).toMatchObject({
      code: 'CONNECTION_FAILED',
      details: {effect: 'none'},
    })
  })
})
