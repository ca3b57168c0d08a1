import {once} from 'node:events'
import {createServer, type IncomingMessage, request} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'

/**
 * What happens to one request: the connection is cut before it reaches the service, while the service works on it, or after
 * the response; or the response comes late, twice, or only half.
 */
export const connectionFaults = ['before', 'during', 'after', 'delay', 'duplicate', 'truncate'] as const
export type ConnectionFault = (typeof connectionFaults)[number]

/** A request on its way through the proxy. */
export interface Passed {
  readonly url: string
  readonly body: Buffer
}

export interface CuttingProxyOptions {
  /** Where the service is. */
  readonly to: string
  /** What happens to the next request; undefined lets it pass. */
  next(request: IncomingMessage): ConnectionFault | undefined
  /** Sees every request. The function that it returns gets the status of the response; undefined if none came. */
  readonly passed?: ((request: Passed) => (status: number | undefined) => void) | undefined
  /** How late a late answer is, in ms. */
  readonly delayMs?: number
}

export interface CuttingProxy {
  readonly url: string
  /** How often each fault happened. */
  readonly counts: Readonly<Record<ConnectionFault, number>>
  close(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** A proxy on loopback, between a client and a service, that makes requests fail on their way. */
export async function cuttingProxy({
  to,
  next,
  passed,
  delayMs = 150,
}: CuttingProxyOptions): Promise<CuttingProxy> {
  const counts = Object.fromEntries(connectionFaults.map(name => [name, 0])) as Record<
    ConnectionFault,
    number
  >
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, response) => {
    const {socket} = incoming
    const body = await whole(incoming)
    const answered = passed?.({url: incoming.url ?? '', body})
    const fault = next(incoming)
    if (fault !== undefined) counts[fault] += 1
    if (fault === 'before') return void socket.destroy()
    const answer = forward(to, incoming, body)
    if (fault === 'during') {
      answer.catch(() => undefined)
      return void socket.destroy()
    }
    try {
      const reply = await answer
      answered?.(reply.status)
      const bytes = wire(reply)
      if (fault === 'after') return void socket.destroy()
      if (fault === 'delay') await new Promise(resolve => setTimeout(resolve, delayMs))
      // The bytes are written past the response, so that they can be wrong.
      response.detachSocket(socket)
      if (fault === 'truncate') socket.end(bytes.subarray(0, bytes.length - 7))
      else socket.end(fault === 'duplicate' ? Buffer.concat([bytes, bytes]) : bytes)
    } catch {
      answered?.(undefined)
      socket.destroy()
    }
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function whole(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function forward(to: string, {method, url, headers}: IncomingMessage, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(url ?? '/', to), {method, headers: {...headers, connection: 'close'}})
    outgoing.on('error', reject)
    outgoing.on('response', async reply => {
      try {
        const kept = reply.rawHeaders.filter((_, at) => {
          const name = reply.rawHeaders[at - (at % 2)]?.toLowerCase()
          return name !== 'connection' && name !== 'keep-alive' && name !== 'transfer-encoding'
        })
        resolve({status: reply.statusCode ?? 502, headers: kept, body: await whole(reply)})
      } catch (error) {
        reject(error)
      }
    })
    outgoing.end(body)
  })
}

function wire({status, headers, body}: Reply): Buffer {
  const lines = [`HTTP/1.1 ${status} -`, 'connection: close']
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  if (!headers.some(name => name.toLowerCase() === 'content-length')) {
    lines.push(`content-length: ${body.length}`)
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}
