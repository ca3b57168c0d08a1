import {REPLAYED_HEADER} from '../contract/idempotency-key.ts'
import type {Operation} from '../contract/operation.ts'
import {clockOffset} from './clock.ts'
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

/** The day the sandbox says the older versions were deprecated; the outline gives none. */
const DEPRECATED_SINCE = Date.UTC(2024, 0, 1) / 1000

/** `Deprecation` (RFC 9745) on every reply of a deprecated operation. */
function deprecationHeaders(operation: Operation): Record<string, string> {
  return operation.deprecated ? {deprecation: `@${DEPRECATED_SINCE}`} : {}
}

/** A request that was understood and may be carried out. */
interface Work {
  readonly operation: Operation
  readonly handler: AnyHandler
  readonly input: unknown
  /** How long to wait before the effect: a planted fault. */
  readonly delayMs: number
  /** The idempotency key, where it is honoured. */
  readonly key?: Omit<KeyedRequest, 'now'>
}

/** A success. */
interface Performed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
  readonly replayed: boolean
}

/**
 * Carries a request out: key, effect and kept reply in one transaction. Only a delay makes it two, with a mark in
 * between that keeps the same key from running twice.
 *
 * @throws Problem when the service refuses; then nothing has changed.
 */
export async function perform(service: Service, work: Work): Promise<Performed> {
  const {handler, key, delayMs} = work
  if (key === undefined) {
    if (delayMs > 0) await service.sleep(delayMs)
    return 'across' in handler ? across(service, work, handler) : withoutKey(service, work)
  }
  if (delayMs === 0) return service.store.transaction(tx => withKey(service, work, tx, key))
  const early = await service.store.transaction(tx => claimKey(service, tx, key))
  if (early !== undefined) return early
  await service.sleep(delayMs)
  try {
    return await service.store.transaction(async tx =>
      runAndKeep(service, work, tx, await keyed(service, tx, key)),
    )
  } catch (error) {
    await service.store.transaction(async tx => release(tx, await keyed(service, tx, key)))
    throw error
  }
}

async function across(
  service: Service,
  work: Work,
  handler: Extract<AnyHandler, {across: unknown}>,
): Promise<Performed> {
  const {store, random} = service
  const now = await store.read(tx => sandboxNow(service, tx))
  return performed(work, await handler.across({service, store, random, now}, work.input as never))
}

function withoutKey(service: Service, work: Work): Promise<Performed> {
  const {store} = service
  const run = (tx: Transaction) => runWithin(service, work, tx)
  return work.operation.effect === 'read' ? store.read(run) : store.transaction(run)
}

async function withKey(
  service: Service,
  work: Work,
  tx: Transaction,
  key: NonNullable<Work['key']>,
): Promise<Performed> {
  const request = await keyed(service, tx, key)
  const known = answerOf(await keyState(tx, request, service.processes), service)
  return known ?? runAndKeep(service, work, tx, request)
}

async function claimKey(
  service: Service,
  tx: Transaction,
  key: NonNullable<Work['key']>,
): Promise<Performed | undefined> {
  const request = await keyed(service, tx, key)
  const known = answerOf(await keyState(tx, request, service.processes), service)
  if (known === undefined) await claim(tx, request, service.processes)
  return known
}

async function runAndKeep(
  service: Service,
  work: Work,
  tx: Transaction,
  request: KeyedRequest,
): Promise<Performed> {
  const done = await runWithin(service, work, tx)
  await keep(tx, request, {status: done.status, headers: done.headers, body: done.body})
  if (service.isTimeToTidy()) await forgetExpired(tx, request.now)
  return done
}

async function runWithin(service: Service, work: Work, tx: Transaction): Promise<Performed> {
  const {handler} = work
  if ('across' in handler) throw new Error(`${work.operation.id} cannot run in one transaction`)
  const call: Call = {
    service,
    tx,
    random: service.random,
    now: await sandboxNow(service, tx),
    sealer: () => service.sealer(tx),
  }
  return performed(work, await handler(call, work.input as never))
}

/** What the state of the key answers, if anything. */
function answerOf(state: KeyState, {options}: Service): Performed | undefined {
  if (state.kind === 'new') return undefined
  if (state.kind === 'running') {
    throw conflict('key-in-use', 'A request with this idempotency key is still running.')
  }
  if (options.strictIdempotency && !state.sameBody) {
    const detail = 'This idempotency key was used with another body.'
    throw new Problem(422, 'key-reused', 'The idempotency key belongs to another request', detail)
  }
  const {status, headers, body} = state.reply
  return {status, headers: {...headers, [REPLAYED_HEADER]: 'true'}, body, replayed: true}
}

function performed({operation}: Work, reply: unknown): Performed {
  return {
    status: operation.success[0] ?? 200,
    headers: deprecationHeaders(operation),
    body: JSON.stringify(reply),
    replayed: false,
  }
}

async function keyed(
  service: Service,
  tx: Transaction,
  key: NonNullable<Work['key']>,
): Promise<KeyedRequest> {
  return {...key, now: await sandboxNow(service, tx)}
}

async function sandboxNow(service: Service, tx: Transaction): Promise<number> {
  return service.now() + (await clockOffset(tx))
}
