import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createSandbox, type PlainRequest, type PlainResponse} from '../../src/sandbox/index.ts'

/** A service on a port of this machine, for a profile, that records its requests. */
export interface Service {
  readonly url: string
  readonly requests: readonly PlainRequest[]
  /** How many connections there were, with or without a request. */
  readonly connections: number
  close(): Promise<void>
}

type Answer = (request: PlainRequest) => PlainResponse | undefined | Promise<PlainResponse | undefined>

/** A reply with JSON. */
export const reply = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): PlainResponse => ({
  status,
  headers: {'content-type': 'application/json', ...headers},
  body: Buffer.from(JSON.stringify(body)),
})

/** A sandbox in memory responds where `answer` doesn't; `change` then alters its response. */
export async function openService(
  answer: Answer = () => undefined,
  change: (own: PlainResponse, request: PlainRequest) => PlainResponse = own => own,
): Promise<Service> {
  const sandbox = await createSandbox()
  const requests: PlainRequest[] = []
  let connections = 0
  let isClosing = false
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', async () => {
      const {method = '', url = ''} = incoming
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      )
      const request: PlainRequest = {method, url, headers, body: Buffer.concat(chunks), origin: 'loopback'}
      requests.push(request)
      const own = await answer(request)
      // A test may have ended while its answer waited.
      if (isClosing) return void response.destroy()
      const {status, headers: replied, body, drop} = own ?? change(await sandbox.handle(request), request)
      if (drop) response.destroy()
      else response.writeHead(status, replied).end(body)
    })
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections
    },
    close: async () => {
      isClosing = true
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await sandbox.close()
    },
  }
}
