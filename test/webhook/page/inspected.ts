import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {Secret} from '../../../src/sensitive/secret.ts'
import {createInspector, type Inspector, type InspectorOptions} from '../../../src/webhook/index.ts'
import {KEY, linksOf, PLACE} from './page-link.ts'

export interface Inspected {
  readonly inspector: Inspector
  readonly url: string
  /** Opens the page. */
  readonly link: string
  /** The page, without its key. */
  readonly page: string
  close(): void
}

/** An inspector alone on a port, to be told of calls that never came. */
export async function inspected(options: Partial<InspectorOptions> = {}, port = 0): Promise<Inspected> {
  const inspector = createInspector({
    place: PLACE,
    key: new Secret(KEY),
    epoch: 'first',
    pathPrefix: '',
    deadlineMs: 2000,
    now: Date.now,
    ...options,
  })
  const server = createServer((request, response) => {
    if (!inspector.page(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    inspector,
    url,
    ...linksOf(url),
    close: () => {
      inspector.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
