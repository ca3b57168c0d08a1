import {REPLAYED_HEADER} from '../contract/idempotency-key.ts'
import type {Operation} from '../contract/operation.ts'
import {sandboxNow} from './clock.ts'
import type {AnyHandler, Call} from './handlers.ts'
import {
  claim,
  forgetExpired,
  type KeyedRequest,
  type KeyState,
  keep,
  keyState,
  release,
} from './idempotency.ts'
import {conflict, Problem} from './problems.ts'
import type {Service} from './service.ts'
import type {Transaction} from './store/store.ts'

/** A request that was understood and may be carried out. */
interface Work {
  readonly operation: Operation
  readonly handler: AnyHandler
  readonly input: unknown
  /** How long to wait before the effect: an injected fault. */
  readonly delayMs: number
  /** The idempotency key, where it is honoured. */
  readonly key?: KeyOfRequest
}

type KeyOfRequest = Omit<KeyedRequest, 'now'>

/** A success. */
interface Performed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/**
 * Carries a request out: key, effect and stored response in one transaction. Only a delay needs two, with a mark in
 * between that keeps the same key from running twice.
 *
 * @throws Problem when the sandbox refuses; then nothing has changed.
 */
export async function perform(service: Service, work: Work): Promise<Performed> {
  const {operation, handler, key, delayMs, input} = work
  const {store, random} = service
  if (key !== undefined) return performWithKey(service, work, key)
  if (delayMs > 0) await service.sleep(delayMs)
  if (!('across' in handler)) {
    const run = (tx: Transaction) => runWithin(service, work, tx)
    return operation.effect === 'read' ? store.read(run) : store.transaction(run)
  }
  const now = await store.read(tx => sandboxNow(service, tx))
  return performed(operation, await handler.across({service, store, random, now}, input as never))
}

async function performWithKey(service: Service, work: Work, key: KeyOfRequest): Promise<Performed> {
  const {store} = service
  const keyed = async (tx: Transaction): Promise<KeyedRequest> => ({
    ...key,
    now: await sandboxNow(service, tx),
  })
  const runAndKeep = async (tx: Transaction, request: KeyedRequest): Promise<Performed> => {
    const done = await runWithin(service, work, tx)
    await keep(tx, request, done)
    if (service.isTimeToTidy()) await forgetExpired(tx, request.now)
    return done
  }
  const replayOr = <Done>(run: (tx: Transaction, request: KeyedRequest) => Promise<Done>) =>
    store.transaction(async tx => {
      const request = await keyed(tx)
      return replay(await keyState(tx, request, service.processes), service) ?? run(tx, request)
    })
  if (work.delayMs === 0) return replayOr(runAndKeep)
  const replayed = await replayOr((tx, request) => claim(tx, request, service.processes))
  if (replayed) return replayed
  await service.sleep(work.delayMs)
  try {
    return await store.transaction(async tx => runAndKeep(tx, await keyed(tx)))
  } catch (error) {
    await store.transaction(async tx => release(tx, await keyed(tx)))
    throw error
  }
}

async function runWithin(
  service: Service,
  {operation, handler, input}: Work,
  tx: Transaction,
): Promise<Performed> {
  if ('across' in handler) throw new Error(`${operation.id} cannot run in one transaction`)
  const call: Call = {
    service,
    tx,
    random: service.random,
    now: await sandboxNow(service, tx),
    sealer: () => service.sealer(tx),
  }
  return performed(operation, await handler(call, input as never))
}

/** The response that is stored for the key, if any. @throws Problem 409 while its request runs; 422 in the strict mode. */
function replay(state: KeyState, {options}: Service): Performed | undefined {
  if (state.kind === 'new') return undefined
  if (state.kind === 'running') {
    throw conflict('key-in-use', 'Another request with this idempotency key is in progress.')
  }
  if (options.strictIdempotency && !state.sameBody) {
    const detail = 'This idempotency key was used with a different body.'
    throw new Problem(422, 'key-reused', 'The idempotency key belongs to another request', detail)
  }
  const {status, headers, body} = state.reply
  return {status, headers: {...headers, [REPLAYED_HEADER]: 'true'}, body}
}

/** The day since when the older versions are deprecated, in the sandbox; the contract has none. */
const DEPRECATED_SINCE = Date.UTC(2024, 0, 1) / 1000

/** With `Deprecation` (RFC 9745) on every response of a deprecated operation. */
function performed({success, deprecated}: Operation, reply: unknown): Performed {
  return {
    status: success[0] ?? 200,
    headers: deprecated ? {deprecation: `@${DEPRECATED_SINCE}`} : {},
    body: JSON.stringify(reply),
  }
}
