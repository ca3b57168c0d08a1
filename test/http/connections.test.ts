import {afterEach, describe, expect, it} from 'vitest'
import {type Behaviour, FaultyService, OK} from './faulty-service.ts'
import {failureOf, kinds, type OpenSender, openSender, still, target} from './surround.ts'

let service: FaultyService
let sender: OpenSender

afterEach(async () => {
  await sender?.close()
  await service?.close()
})

async function setUp(behaviour: Behaviour) {
  service = new FaultyService(behaviour)
  sender = openSender(target(await service.listen()), still())
}

const send = (kind: keyof typeof kinds = 'read', body?: unknown) =>
  sender.send({operation: kinds[kind], input: {path: {id: '1'}, query: {}, body}})

describe('a caller that stops waiting', () => {
  it.each([
    ['read', 'SIGINT', 'INTERRUPTED', 'none'],
    ['read', 'SIGTERM', 'TERMINATED', 'none'],
    ['keyed', 'SIGINT', 'INTERRUPTED', 'unknown'],
    ['destroy', 'SIGTERM', 'TERMINATED', 'unknown'],
  ] as const)('during a %s, by %s', async (kind, signal, code, effect) => {
    await setUp('silent')
    const stop = new AbortController()
    const sent = sender.send({
      operation: kinds[kind],
      input: {path: {id: '1'}, query: {}},
      signal: stop.signal,
    })
    while (service.received.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    stop.abort(signal)
    expect(await failureOf(sent)).toMatchObject({code, details: {effect}})
  })

  it('before anything was sent sends nothing', async () => {
    await setUp(OK)
    const sent = sender.send({
      operation: kinds.keyed,
      input: {path: {id: '1'}, query: {}},
      signal: AbortSignal.abort('SIGINT'),
    })
    expect(await failureOf(sent)).toMatchObject({code: 'INTERRUPTED', details: {effect: 'none'}})
    expect(service.received).toHaveLength(0)
  })
})

describe('connections', () => {
  it('are kept alive and used again', async () => {
    const {createServer} = await import('node:http')
    const {once} = await import('node:events')
    let sockets = 0
    const server = createServer((_request, response) => response.end('{}'))
    server.on('connection', () => {
      sockets += 1
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const {port} = server.address() as import('node:net').AddressInfo
    sender = openSender(target(`http://127.0.0.1:${port}`), still())
    for (let i = 0; i < 5; i++) await send()
    expect(sockets).toBe(1)
    await sender.close()
    server.close()
  })

  it('that the other side resets at once have at most one effect', async () => {
    for (const kind of ['read', 'keyed', 'unkeyed', 'destroy'] as const) {
      service = new FaultyService('cut on accept', OK)
      sender = openSender(target(await service.listen()), still())
      const outcome = await send(kind).then(
        answer => answer.status,
        (failure: {code: string}) => failure.code,
      )
      // Whether a byte had left when the reset came is up to the kernel; what follows from it is not.
      expect(kind === 'read' || kind === 'keyed' ? [200] : [200, 'EFFECT_UNKNOWN']).toContain(outcome)
      expect(service.effects).toBe(outcome === 200 ? 1 : 0)
      await sender.close()
      await service.close()
    }
  })

  it('that break in the middle of a large body leave the effect unknown', async () => {
    await setUp('cut after head')
    const failure = await failureOf(send('unkeyed', {text: 'x'.repeat(8 * 1024 * 1024)}))
    expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN', details: {repeatable: false}})
  })
})
