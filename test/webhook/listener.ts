import {createServer, type RequestListener} from 'node:http'
import type {AddressInfo} from 'node:net'
import {onTestFinished} from 'vitest'
import {
  approveAll,
  type Exchange,
  serveWebhook,
  type WebhookEvent,
  type WebhookOptions,
} from '../../src/webhook/index.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface Listener {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly exchanges: readonly Exchange[]
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>
  close(): Promise<void>
}

/** A listener on a port of its own, closed when the test ends. */
export async function listener(options: Partial<WebhookOptions> = {}): Promise<Listener> {
  const exchanges: Exchange[] = []
  const events: WebhookEvent[] = []
  let count = 0
  const server = await serveWebhook({
    host: '127.0.0.1',
    port: 0,
    pathPrefix: '',
    deadlineMs: 10_000,
    decider: approveAll,
    onExchange: exchange => {
      exchanges.push(exchange)
      events.push(exchange.event)
    },
    newId: () => `e_${++count}`,
    now: () => Date.UTC(2026, 5, 15, 12),
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  onTestFinished(close)
  return {
    url: server.url,
    close,
    events,
    exchanges,
    post: async (path, body, headers = {}) => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {'content-type': 'application/json', ...headers},
      })
      return {status: response.status, headers: response.headers, body: await response.json()}
    },
  }
}

/** An endpoint of a developer's own. */
export async function endpoint(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
