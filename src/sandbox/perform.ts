import {type AnyInput, type Operation, REPLAYED_HEADER} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {isStoreAway} from '../errors/failure.ts'
import {sandboxNow} from './clock.ts'
import type {AnyHandler, Call} from './handlers.ts'
import {
  claim,
  forgetExpired,
  isClaimed,
  type KeyedRequest,
  type KeyState,
  keep,
  keyState,
  release,
} from './idempotency.ts'
import {conflict, Problem} from './problems.ts'
import type {RepeatedRead} from './repeated-reads.ts'
import {type Service, TIDY_EVERY} from './service.ts'
import type {LikelyRow, Transaction} from './store/store.ts'
import type {TableName} from './store/tables.ts'

/** A valid request with its operation and handler. */
export interface Work {
  readonly operation: Operation
  readonly handler: AnyHandler
  readonly input: AnyInput
  /** The idempotency key, where it is honoured. */
  readonly key?: KeyOfRequest
  /** For a read that may come again. */
  readonly read?: RepeatedRead | undefined
}

type KeyOfRequest = Omit<KeyedRequest, 'now'>

/** A success. */
export interface Performed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/**
 * Runs a request in one transaction, if nothing must happen before it: reads the conditions and the key, has the effect
 * and stores the response. So nothing can change between the checks and the effect.
 *
 * @param clearAt now by the sandbox clock, or undefined if something must happen before the request.
 * @returns undefined if something must happen first, or if it needs several transactions; then nothing has changed.
 * @throws Problem when the sandbox refuses; then nothing has changed.
 */
export async function performAtOnce(
  service: Service,
  work: Work,
  clearAt: (tx: Transaction) => Promise<number | undefined>,
): Promise<Performed | undefined> {
  if ('across' in work.handler) return undefined
  const {store} = service
  const run = async (tx: Transaction) => {
    const now = await clearAt(tx)
    return now === undefined ? undefined : runOrReplay(service, work, tx, now)
  }
  return isRead(work) ? store.read(run) : store.transaction(run, () => likelyRows(work))
}

const TABLES: Readonly<Record<string, TableName>> = {
  card: 'cards',
  plastic: 'plastics',
  customer: 'customers',
  account: 'accounts',
  pricelist: 'priceLists',
  period: 'pricePeriods',
}

/** The key of a request, and what it touches. */
function likelyRows({operation, input, key}: Work): readonly LikelyRow[] {
  const touched = touchedBy(operation, input).flatMap(named => {
    const [kind = '', id = ''] = named.split(/:(.*)/s)
    const table = TABLES[kind]
    return table === undefined ? [] : [{table, id}]
  })
  return key ? [{table: 'keptReplies', id: key.scope}, ...touched] : touched
}

const isRead = ({operation, key}: Work): boolean => operation.effect === 'read' && key === undefined

/**
 * Runs a request: key, effect and stored response in one transaction. Only a delay needs two transactions; a mark in
 * between prevents a second run with the same key.
 *
 * @param delayMs how long to wait before the effect: an injected fault.
 * @throws Problem when the sandbox refuses; then nothing has changed.
 */
export async function perform(service: Service, work: Work, delayMs: number): Promise<Performed> {
  const {operation, handler, key, input} = work
  const {store, random} = service
  if (key !== undefined && delayMs > 0) return performLate(service, work, key, delayMs)
  if (delayMs > 0) await service.sleep(delayMs)
  if (key !== undefined || !('across' in handler)) {
    const run = async (tx: Transaction) => runOrReplay(service, work, tx, await sandboxNow(service, tx))
    return isRead(work) ? store.read(run) : store.transaction(run, () => likelyRows(work))
  }
  const now = await store.read(tx => sandboxNow(service, tx))
  const reply = await handler
    .across({service, store, random, now}, input as never)
    .catch((error: unknown) => {
      // A transaction before the one that failed may have been committed.
      const isOpen = operation.effect !== 'read' && isStoreAway(error)
      throw isOpen ? error.with({effect: 'unknown'}) : error
    })
  return performed(operation, reply)
}

/** The response that is stored for a key, if any. @throws Problem as `replay` does. */
export const keptResponse = (service: Service, key: KeyOfRequest): Promise<Performed | undefined> =>
  service.store.read(async tx => {
    const request = {...key, now: await sandboxNow(service, tx)}
    return replay(await keyState(tx, request, service.processes), service)
  })

/**
 * Marks the key, waits, and then has the effect, unless another process had it meanwhile: it may take this one for dead
 * if it runs on another machine.
 */
async function performLate(
  service: Service,
  work: Work,
  key: KeyOfRequest,
  delayMs: number,
): Promise<Performed> {
  const {store, processes} = service
  const replayed = await store.transaction(async tx => {
    const request = {...key, now: await sandboxNow(service, tx)}
    const kept = replay(await keyState(tx, request, processes), service)
    if (kept === undefined) await claim(tx, request, processes)
    return kept
  })
  if (replayed !== undefined) return replayed
  await service.sleep(delayMs)
  try {
    return await store.transaction(async tx => {
      const request = {...key, now: await sandboxNow(service, tx)}
      const kept = (await isClaimed(tx, key, processes))
        ? undefined
        : replay(await keyState(tx, request, processes), service)
      return kept ?? runAndKeep(service, work, tx, request)
    })
  } catch (error) {
    // Whether the effect is in doubt, only the first error says.
    await store.transaction(async tx => release(tx, key, processes)).catch(() => undefined)
    throw error
  }
}

async function runOrReplay(service: Service, work: Work, tx: Transaction, now: number): Promise<Performed> {
  if (work.key === undefined) return runWithin(service, work, tx, now)
  const request = {...work.key, now}
  const kept = replay(await keyState(tx, request, service.processes), service)
  return kept ?? runAndKeep(service, work, tx, request)
}

async function runAndKeep(
  service: Service,
  work: Work,
  tx: Transaction,
  request: KeyedRequest,
): Promise<Performed> {
  const done = await runWithin(service, work, tx, request.now)
  await keep(tx, request, done)
  if (service.isTimeToTidy()) {
    const {processes} = service
    await forgetExpired(tx, {now: request.now, processes, most: 2 * TIDY_EVERY})
  }
  return done
}

async function runWithin(
  service: Service,
  {operation, handler, input, read}: Work,
  tx: Transaction,
  now: number,
): Promise<Performed> {
  if ('across' in handler) throw new Error(`${operation.id} cannot run in one transaction`)
  const call: Call = {
    service,
    tx,
    random: service.random,
    now,
    sealer: () => service.sealer(tx),
  }
  const run = async (given: Call) => performed(operation, await handler(given, input as never))
  return read ? service.repeatedReads.respond(read, call, run) : run(call)
}

/**
 * The response that is stored for the key, if any. @throws Problem 409 while its request runs; 422 in the strict mode.
 */
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

/** When the older versions became deprecated. A date of the sandbox: the contract has none. */
const DEPRECATED_SINCE = Date.UTC(2024, 0, 1) / 1000

/** Adds `Deprecation` (RFC 9745) to every response of a deprecated operation. */
function performed({success, deprecated}: Operation, reply: unknown): Performed {
  return {
    status: success[0] ?? 200,
    headers: deprecated ? {deprecation: `@${DEPRECATED_SINCE}`} : {},
    body: JSON.stringify(reply),
  }
}
