// A gateway in front of a service: it records each batch of transfers and, as a fault says, sends a page of its own
// before or after the service has carried the batch out.
import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createSandbox, type PlainRequest} from '../../src/sandbox/index.ts'

export interface GatewayFault {
  readonly name: string
  /** It proves that nothing happened, so it never comes after the effect. */
  readonly isRefusal?: true
  send(response: ServerResponse): void
}

const respond =
  (status: number, headers: Record<string, string>, body: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body)

const page = (status: number, title: string, headers: Record<string, string> = {}) =>
  respond(
    status,
    {'content-type': 'text/html; charset=utf-8', ...headers},
    `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body></body>\r\n</html>`,
  )

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  respond(status, {'content-type': 'application/json', ...headers}, JSON.stringify(body))

const problem = (status: number, headers: Record<string, string> = {}) =>
  json(status, {title: 'Not now', status}, {'content-type': 'application/problem+json', ...headers})

export const gatewayFaults: readonly GatewayFault[] = [
  {
    name: 'Varnish 503 that asks to wait',
    send: respond(
      503,
      {'content-type': 'text/html; charset=utf-8', 'retry-after': '5'},
      '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html><head><title>503 Backend fetch failed</title></head></html>',
    ),
  },
  {name: 'page 502', send: page(502, 'Bad Gateway')},
  {name: 'page 504', send: page(504, 'Gateway Time-out')},
  {name: 'page 408', send: page(408, 'Request Time-out')},
  {name: 'page 429', send: page(429, 'Too Many Requests', {'retry-after': '1'})},
  {name: 'page 403', send: page(403, 'Request blocked')},
  {name: 'page 200', send: page(200, 'Sign in')},
  {name: 'text 500', send: respond(500, {'content-type': 'text/plain'}, 'upstream connect error')},
  {
    name: 'JSON 503 that asks to wait',
    send: json(503, {message: 'Service Unavailable'}, {'retry-after': '5'}),
  },
  {name: 'JSON 202', send: json(202, {queued: true}, {location: '/queue/17'})},
  {name: 'error in a 200', send: json(200, {status: 'ERROR', message: 'Timed out'})},
  {name: '201 with an address only', send: respond(201, {location: '/v1/a2a/batches/1'}, '')},
  {
    name: 'cut response',
    send: response => {
      response.writeHead(200, {'content-type': 'application/json', 'content-length': '500'})
      response.write('{"id":', () => response.destroy())
    },
  },
  {name: 'reset', send: response => void response.socket?.resetAndDestroy()},
  {name: '503 of the service', isRefusal: true, send: problem(503, {'retry-after': '5'})},
  {name: '429 of the service', isRefusal: true, send: problem(429, {'retry-after': '1'})},
  {name: 'page 413', isRefusal: true, send: page(413, 'Request Entity Too Large')},
  {name: 'page 501', isRefusal: true, send: page(501, 'Not Implemented')},
]

/** One batch that arrived. */
export interface RecordedBatch {
  readonly description: string
  /** The texts of its transfers. */
  readonly texts: readonly string[]
  readonly fault: string | undefined
  /** The service has carried it out. */
  readonly hadEffect: boolean
}

export interface GatewayRecorder {
  readonly url: string
  readonly batches: readonly RecordedBatch[]
  close(): Promise<void>
}

/** @param next what happens to the next batch, and whether before or after the effect; undefined lets it pass. */
export async function openRecorder(
  next: () => {readonly fault: GatewayFault; readonly isAfter: boolean} | undefined,
): Promise<GatewayRecorder> {
  const sandbox = await createSandbox()
  const batches: RecordedBatch[] = []

  const handle = async (request: PlainRequest, response: ServerResponse): Promise<void> => {
    const isBatch = request.method === 'POST' && request.url.startsWith('/v1/a2a/batches')
    const struck = isBatch ? next() : undefined
    const own = struck?.isAfter === false ? undefined : await sandbox.handle(request)
    if (isBatch) {
      const sent = JSON.parse(Buffer.from(request.body).toString()) as {
        readonly description: string
        readonly transfers: readonly {readonly text: string}[]
      }
      batches.push({
        description: sent.description,
        texts: sent.transfers.map(({text}) => text),
        fault: struck?.fault.name,
        hadEffect: own?.status === 200,
      })
    }
    if (struck !== undefined) struck.fault.send(response)
    else if (own !== undefined) response.writeHead(own.status, own.headers).end(own.body)
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      )
      const {method = '', url = ''} = incoming
      void handle({method, url, headers, body: Buffer.concat(chunks), origin: 'loopback'}, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await sandbox.close()
    },
  }
}
