import {once} from 'node:events'
import {connect, type Socket} from 'node:net'

/** The number of requests with a response in a time span, and the duration of each, in milliseconds. */
export interface Load {
  readonly perSecond: number
  readonly times: readonly number[]
}

/** Returns the bytes of the next request. */
export type NextRequest = () => Buffer

/** Head and body of a request. */
export function requestBytes(
  line: string,
  {headers = {}, body = ''}: {headers?: Readonly<Record<string, string>>; body?: string} = {},
): Buffer {
  const all = {host: '127.0.0.1', accept: 'application/json', ...headers}
  const typed =
    body === ''
      ? all
      : {...all, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body))}
  const lines = Object.entries(typed).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Copies the bytes, with a new number of the same length in place of `number`, which they must contain. The cost of a
 * copy is negligible compared with a response.
 */
export function numbered(bytes: Buffer, number: string): NextRequest {
  const at = bytes.indexOf(number)
  if (at < 0) throw new Error(`The request doesn't hold ${number}.`)
  let count = 0
  return () => {
    const next = Buffer.from(bytes)
    next.write(String(++count).padStart(number.length, '0'), at, 'latin1')
    return next
  }
}

/**
 * Sends requests on several connections. Each connection sends the next request after the last response.
 *
 * @throws if a response isn't 200.
 */
export async function load(
  port: number,
  next: NextRequest,
  {connections, forMs}: {connections: number; forMs: number},
): Promise<Load> {
  const times: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({length: connections}, async () => {
      const socket = connect({port, host: '127.0.0.1', noDelay: true})
      await once(socket, 'connect')
      try {
        await requests(socket, next, times, began + forMs)
      } finally {
        socket.destroy()
      }
    }),
  )
  return {perSecond: times.length / ((performance.now() - began) / 1000), times}
}

function requests(socket: Socket, next: NextRequest, times: number[], until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = performance.now()
    let response = ''
    socket.on('error', reject).on('close', () => reject(new Error('The server closed a connection.')))
    socket.setEncoding('latin1').on('data', (text: string) => {
      response += text
      if (!isWhole(response)) return
      if (!response.startsWith('HTTP/1.1 200')) return void reject(new Error(response))
      const now = performance.now()
      times.push(now - sent)
      response = ''
      if (now >= until) {
        socket.removeAllListeners('close')
        return void resolve()
      }
      sent = now
      socket.write(next())
    })
    socket.write(next())
  })
}

function isWhole(response: string): boolean {
  const head = response.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(response)?.[1]
  return length === undefined
    ? response.endsWith('\r\n0\r\n\r\n')
    : response.length >= head + 4 + Number(length)
}
