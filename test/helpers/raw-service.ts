import {once} from 'node:events'
import {type AddressInfo, createServer, type Socket} from 'node:net'

/** One request as its bytes came. */
export interface RawRequest {
  readonly line: string
  /** Names as they were written. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

export interface RawService {
  readonly url: string
  readonly requests: readonly RawRequest[]
  close(): Promise<void>
}

/** A server on loopback that keeps what it reads, byte for byte. It resets the connection where `answer` is undefined. */
export async function openRawService(
  answer: (request: RawRequest, before: readonly RawRequest[]) => string | undefined,
): Promise<RawService> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let read = ''
    socket.on('data', chunk => {
      read += chunk.toString('latin1')
      for (let found = next(read); found !== undefined; found = next(read)) {
        read = read.slice(found.bytes)
        const reply = answer(found.request, [...requests])
        requests.push(found.request)
        if (reply === undefined) socket.resetAndDestroy()
        else
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(reply)}\r\n\r\n${reply}`,
          )
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function next(read: string): {request: RawRequest; bytes: number} | undefined {
  const head = read.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [line = '', ...fields] = read.slice(0, head).split('\r\n')
  const headers = fields.map(field => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()] as const
  })
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0)
  const bytes = head + 4 + length
  if (read.length < bytes) return undefined
  return {request: {line, headers, body: read.slice(head + 4, bytes)}, bytes}
}
