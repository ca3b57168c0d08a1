// The load of the server benchmarks: what it sends, and when it takes a response as complete.
import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterEach, expect, test} from 'vitest'
import {load, numbered, requestBytes} from '../../bench/http-load.ts'

const servers: ReturnType<typeof createServer>[] = []

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const ONCE = {connections: 1, forMs: 0}

test('sends a request with a body, each time with the next number', async () => {
  const bodies: string[] = []
  const port = await serve(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    bodies.push(`${request.method} ${request.url} ${request.headers['x-key']} ${Buffer.concat(parts)}`)
    response.end('{}')
  })
  const bytes = requestBytes('PATCH /v4/1', {headers: {'x-key': 'k-000'}, body: '{"a":1}'})
  const next = numbered(bytes, '000')
  for (let round = 0; round < 2; round++) await load(port, next, ONCE)
  expect(bodies).toEqual(['PATCH /v4/1 k-001 {"a":1}', 'PATCH /v4/1 k-002 {"a":1}'])
  expect(() => numbered(bytes, '111')).toThrow()
})

test('waits for the end of a response with a length, and of one in chunks', async () => {
  let ended = 0
  const port = await serve(async (request, response) => {
    const text = 'x'.repeat(200_000)
    if (request.url === '/length') response.setHeader('content-length', text.length)
    response.write(text.slice(0, 5))
    await new Promise(resolve => setTimeout(resolve, 20))
    response.end(text.slice(5), () => ended++)
  })
  for (const path of ['/length', '/chunks']) {
    const before = ended
    const {times} = await load(port, () => requestBytes(`GET ${path}`), ONCE)
    expect(times).toHaveLength(1)
    expect(ended).toBe(before + 1)
  }
})

test('fails on a response that is not 200', async () => {
  const port = await serve((_, response) => response.writeHead(429).end())
  await expect(load(port, () => requestBytes('GET /'), ONCE)).rejects.toThrow('429')
})
