import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {onTestFinished} from 'vitest'
import type {WebhookBody} from '../../../src/contract/types.ts'
import type {WebhookOptions} from '../../../src/sandbox/index.ts'
import {type TestSandbox, testSandbox} from '../helpers/sandbox.ts'

export type AuthCall = WebhookBody<'webhook.auth'>

interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: AuthCall
}

/** A developer's endpoint; `answer` decides about `/auth`. */
export async function startEndpoint(
  answer: (call: AuthCall, response: ServerResponse) => void,
  onWarmUp = (response: ServerResponse): unknown => response.end(),
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as AuthCall
    received.push({path: request.url ?? '', headers: request.headers, body})
    if (request.url?.endsWith('/warm-up')) onWarmUp(response)
    else answer(body, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => stop())
  const {port} = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const auths = () => received.filter(({path}) => path.endsWith('/auth'))
  return {url: `http://127.0.0.1:${port}`, received, auths, stop}
}

export const replying =
  (transactionData: object, status = 200) =>
  (_: AuthCall, response: ServerResponse) =>
    void response.writeHead(status).end(JSON.stringify({transactionData}))
export const coded = (code: string, more: object = {}) => replying({authResponseCode: {code}, ...more})

export async function against(
  answer: Parameters<typeof startEndpoint>[0],
  options: Partial<WebhookOptions> = {},
) {
  const endpoint = await startEndpoint(answer)
  const sandbox = await testSandbox({
    webhook: {url: endpoint.url, ...options},
    monotonic: () => performance.now(),
  })
  return {...endpoint, sandbox}
}

export const authorise = async (sandbox: TestSandbox, more: object = {}) =>
  (
    await sandbox.op('sandbox.authorisations.create', {
      body: {cardId: '3001', amount: 12.5, currency: 'EUR', ...more},
    })
  ).body
