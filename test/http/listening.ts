import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {createServer as createTlsServer, type ServerOptions} from 'node:https'
import {type AddressInfo, connect} from 'node:net'
import type {Duplex} from 'node:stream'

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

export const pem = (name: string): string => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8')

/** Servers of one test, all closed together. */
export class Listening {
  readonly #servers = new Set<Server>()

  async http(handle: Handler): Promise<number> {
    return this.#listen(createServer(), handle)
  }

  async https(handle: Handler, options: ServerOptions = {}): Promise<number> {
    const server = createTlsServer({cert: pem('service'), key: pem('service.key'), ...options})
    return this.#listen(server as unknown as Server, handle)
  }

  /** A proxy that knows one host by name, wherever it really is. Counts what it is asked for. */
  async proxy(names: Readonly<Record<string, number>>, credentials?: string) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      const url = new URL(request.url ?? '/', 'http://none.invalid')
      if (credentials !== undefined && request.headers['proxy-authorization'] !== credentials) {
        return void response.writeHead(407).end()
      }
      const port = names[url.host]
      if (port === undefined) return void response.writeHead(502).end()
      const upstream = connect(port, '127.0.0.1', () => {
        upstream.write(
          `${request.method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`,
        )
        upstream.pipe(response.socket ?? response)
      })
    })
    server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      asked.push(`CONNECT ${request.url}`)
      socket.on('error', () => socket.destroy())
      if (credentials !== undefined && request.headers['proxy-authorization'] !== credentials) {
        return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
      }
      const port = names[request.url ?? '']
      if (port === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
    })
    return {asked, port: await this.#listen(server)}
  }

  async #listen(server: Server, handle?: Handler): Promise<number> {
    this.#servers.add(server)
    if (handle) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => handle(request, response, Buffer.concat(chunks).toString()))
      })
    }
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
    this.#servers.clear()
  }
}

export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(value))
}
