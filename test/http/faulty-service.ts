import {once} from 'node:events'
import {type AddressInfo, createServer, type Server, type Socket} from 'node:net'

/** Where and how one request goes wrong, or the answer that it gets. */
export type Behaviour =
  | 'cut on accept'
  | 'cut after head'
  | 'cut in body'
  | 'cut after request'
  | 'cut after effect'
  | 'cut in reply'
  | 'silent'
  | 'garbage'
  | 'truncated JSON'
  | {readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer}

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

export const OK: Behaviour = {
  status: 200,
  headers: {'content-type': 'application/json'},
  body: '{"description":"done","id":"1"}',
}

/** What the operation itself would say; a stored answer comes before that. */
const OWN_REFUSALS = [400, 422]

/**
 * A bare TCP service that breaks off exactly where it is told to: one behaviour for each request (or connection, for
 * cuts before a request), the last one for all further ones. It knows idempotency keys: the effect of a key happens
 * once, and a stored answer is sent again.
 */
export class FaultyService {
  readonly received: Received[] = []
  /** How many effects took place. */
  effects = 0
  readonly #behaviours: Behaviour[]
  readonly #stored = new Set<string>()
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  constructor(...behaviours: Behaviour[]) {
    this.#behaviours = behaviours.length > 0 ? behaviours : [OK]
    this.#server = createServer(socket => this.#accept(socket))
  }

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  #next(): Behaviour {
    return (this.#behaviours.length > 1 ? this.#behaviours.shift() : this.#behaviours[0]) ?? OK
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (this.#behaviours[0] === 'cut on accept') {
      this.#next()
      socket.resetAndDestroy()
      return
    }
    let buffered = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      buffered += chunk
      const end = buffered.indexOf('\r\n\r\n')
      if (end < 0) return
      const [start = '', ...fields] = buffered.slice(0, end).split('\r\n')
      const headers = Object.fromEntries(
        fields.map(field => {
          const colon = field.indexOf(':')
          return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
        }),
      )
      const cut = this.#behaviours[0]
      // On a connection that was kept alive, there is no accept left to cut on.
      if (cut === 'cut on accept' || cut === 'cut after head' || cut === 'cut in body') {
        this.#next()
        if (cut !== 'cut in body') socket.resetAndDestroy()
        else socket.destroy()
        return
      }
      const length = Number(headers['content-length'] ?? 0)
      if (buffered.length < end + 4 + length) return
      const [method = '', url = ''] = start.split(' ')
      const body = buffered.slice(end + 4, end + 4 + length)
      buffered = ''
      this.received.push({method, url, headers, body})
      this.#answer(socket, this.#next(), headers['x-idempotency-key'])
    })
  }

  #answer(socket: Socket, behaviour: Behaviour, key: string | undefined): void {
    if (behaviour === 'cut after request') return void socket.destroy()
    const replay = key !== undefined && this.#stored.has(key)
    const done =
      typeof behaviour === 'string'
        ? behaviour !== 'silent' && behaviour !== 'garbage'
        : behaviour.status < 300
    if (done && !replay) {
      this.effects += 1
      if (key !== undefined) this.#stored.add(key)
    }
    switch (behaviour) {
      case 'cut after effect':
        return void socket.resetAndDestroy()
      case 'silent':
        return
      case 'garbage':
        return void socket.end('SSH-2.0-OpenSSH_9.6 4111111111111111\r\n')
      case 'cut in reply':
        return void socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":',
        )
      case 'truncated JSON':
        return void socket.write(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 24\r\n\r\n{"pan":"4111111111111111',
        )
      default:
    }
    if (typeof behaviour === 'string') throw new Error(`${behaviour} comes too late`)
    if (replay && OWN_REFUSALS.includes(behaviour.status)) {
      this.#answer(socket, OK, key)
      return
    }
    const body = Buffer.from(behaviour.body ?? '')
    const fields = {
      ...behaviour.headers,
      ...(replay ? {'x-idempotent-replayed': 'true'} : {}),
      'content-length': String(body.length),
    }
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${behaviour.status} Whatever\r\n${head.join('')}\r\n`)
    socket.write(body)
  }
}
