import {onTestFinished} from 'vitest'
import {Secret} from '../../../src/sensitive/secret.ts'
import {
  approveAll,
  createInspector,
  createPendingCalls,
  type Exchange,
  type InspectorOptions,
  type WebhookOptions,
} from '../../../src/webhook/index.ts'
import {type Listener, listener} from '../listener.ts'
import {KEY, linksOf, PLACE} from './page-link.ts'

/** A listener with its page; with `ask` people decide on it. */
export async function inspectedListener({
  ask = false,
  inspect = {},
  ...options
}: Partial<WebhookOptions> & {ask?: boolean; inspect?: Partial<InspectorOptions>} = {}): Promise<
  Listener & {link: string; page: string}
> {
  const exchanges: Exchange[] = []
  const pendingCalls = ask ? createPendingCalls() : undefined
  const {deadlineMs = 10_000, pathPrefix = '', credentials} = options
  const inspector = createInspector({
    place: PLACE,
    key: new Secret(KEY),
    epoch: 'first',
    pathPrefix,
    deadlineMs,
    credentials,
    now: Date.now,
    pendingCalls,
    ...inspect,
  })
  const served = await listener({
    decider: pendingCalls ?? approveAll,
    now: Date.now,
    page: inspector.page,
    onPending: inspector.onPending,
    onExchange: exchange => {
      exchanges.push(exchange)
      inspector.onExchange(exchange)
    },
    ...options,
  })
  // Runs before the listener is closed, which would wait for the streams.
  onTestFinished(inspector.close)
  return {...served, exchanges, ...linksOf(served.url)}
}
