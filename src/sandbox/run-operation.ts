import type {Match} from '../contract/match.ts'
import type {Operation} from '../contract/operation.ts'
import type {OperationId} from '../contract/types.ts'
import {checkInput, type Violation} from '../contract/validate.ts'
import {batchDueAt} from './a2a/open-batches.ts'
import {settleNextTransfers} from './a2a/settlement.ts'
import {guardControl} from './access.ts'
import {releaseDueHolds} from './authorisations/holds.ts'
import {clockOffset} from './clock.ts'
import {type Fault, injectFault, isMatch, preventsEffect, type Target} from './faults.ts'
import {handlerOf} from './handlers.ts'
import {honouredKey} from './idempotency.ts'
import {keptResponse, type Performed, perform, performAtOnce, type Work} from './perform.ts'
import {
  droppedConnection,
  type PlainRequest,
  readJsonBody,
  type TextResponse,
  textResponse,
} from './plain-http.ts'
import {badRequest, Problem} from './problems.ts'
import {endDueTraces} from './remotecheckout/traces.ts'
import type {Service} from './service.ts'
import type {Transaction} from './store/store.ts'

/** What is known about a request. */
interface Known {
  readonly match: Match
  readonly search: string
  /** The name of the caller. */
  readonly credential: string
  /** Whether callers need credentials. */
  readonly isGuarded: boolean
}

/** Maximum number of violations in the detail; a faulty batch has thousands. */
const NAMED = 10

/**
 * Checks a request against the contract, injects a matching fault, and runs the request.
 * @throws Problem
 */
export async function runOperation(
  service: Service,
  request: PlainRequest,
  known: Known,
): Promise<TextResponse> {
  const {operation} = known.match
  if (operation.group === 'sandbox') guardControl(request, known.isGuarded)
  const {store, repeatedReads} = service
  const read = repeatedReads.of(request)
  const key = honouredKey(request, known.match, known.credential, service.options.idempotency ?? 'documented')
  let work: Work
  try {
    work = read ? {...read, read} : await checkedWork(service, request, known, key)
  } catch (error) {
    // The response to a known key doesn't depend on what the request holds.
    const kept = key && (await keptResponse(service, key))
    if (kept) return responseOf(kept)
    throw error
  }
  const target = {operation: operation.id, input: work.input}
  const atOnce = await performAtOnce(service, work, tx => clearAt(service, tx, target))
  if (atOnce) return responseOf(atOnce)
  const {now, ...due} = await store.read(async tx => dueWork(service, await conditionsOf(tx)))
  await catchUp(service, now, due)
  const fault = await injectFault(service, due.faults, target)
  if (fault && preventsEffect(fault)) return withoutEffect(service, fault)
  const done = await perform(service, work, fault?.delayMs ?? 0)
  return fault?.drop ? droppedConnection() : responseOf(done)
}

/** @throws Problem if the request doesn't match the contract. */
async function checkedWork(
  {repeatedReads}: Service,
  request: PlainRequest,
  {match: {operation, params}, search}: Known,
  key: Work['key'],
): Promise<Work> {
  const body = bodyFor(operation, readJsonBody(request))
  const input = {path: params, query: readQuery(operation, search), ...(body === undefined ? {} : {body})}
  refuseViolations(await checkInput(operation.id as OperationId, input))
  const handler = handlerOf(operation)
  if (key) return {operation, handler, input, key}
  return {operation, handler, input, read: repeatedReads.add(request, {operation, handler, input})}
}

const responseOf = ({status, body, headers}: Performed): TextResponse =>
  textResponse(status, 'application/json', body, headers)

/** Now by the sandbox clock, if the request can run immediately: nothing is due before it, and no fault can hit it. */
async function clearAt(service: Service, tx: Transaction, target: Target): Promise<number | undefined> {
  const {now, faults, batchesDue, tracesDue, holdsDue} = dueWork(service, await conditionsOf(tx))
  if (holdsDue || tracesDue || faults.some(fault => isMatch(fault, target))) return undefined
  if (!batchesDue) return now
  service.settler?.kick()
  return service.settler && now
}

/**
 * Accepts an empty object where no body is needed: many clients post one. @throws Problem 400 for any other body there.
 */
function bodyFor({method, body: takes}: Operation, body: unknown): unknown {
  if (body === undefined || takes !== 'none') return body
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (isEmpty && method === 'POST' && !Array.isArray(body)) return undefined
  throw badRequest('unexpected-body', 'This operation does not accept a body.')
}

async function withoutEffect(service: Service, fault: Fault): Promise<TextResponse> {
  if (fault.delayMs > 0) await service.sleep(fault.delayMs)
  if (fault.drop !== null || fault.status === null) return droppedConnection()
  const headers = Object.fromEntries(
    Object.entries(fault.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (fault.body !== undefined) {
    const usual = fault.body.trimStart().startsWith('<') ? 'text/html' : 'application/json'
    return textResponse(fault.status, headers['content-type'] ?? usual, fault.body, headers)
  }
  throw new Problem(
    fault.status,
    'planted-fault',
    'An injected fault',
    `Fault ${fault.id} hit this request.`,
    headers,
    fault.problem,
  )
}

function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const named = violations.slice(0, NAMED).map(({pointer, message, suggestion}) => {
    const where = pointer === '' ? 'body' : pointer
    return `${where}: ${message}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`
  })
  const more = violations.length > NAMED ? `; and ${violations.length - NAMED} more` : ''
  throw badRequest('contract-violation', named.join('; ') + more)
}

/**
 * Does what is due since the last request: settles batches (unless a server does so in the background), releases holds,
 * and completes remote checkout requests.
 */
async function catchUp(service: Service, now: number, {batchesDue, holdsDue, tracesDue}: Due): Promise<void> {
  if (batchesDue) await settle(service)
  if (holdsDue) await releaseDueHolds(service.store, now)
  if (tracesDue) await endDueTraces(service.store, now)
}

async function settle({store, now, settler}: Service): Promise<void> {
  if (settler) return settler.kick()
  let more = true
  while (more) more = await settleNextTransfers(store, now)
}

interface Due {
  readonly faults: readonly Fault[]
  readonly batchesDue: boolean
  readonly tracesDue: boolean
  readonly holdsDue: boolean
}

function dueWork(service: Service, conditions: Conditions): Due & {readonly now: number} {
  const {faults, traceDueAt, holdDueAt} = conditions
  const now = service.now() + conditions.clockOffset
  return {
    now,
    faults,
    batchesDue: conditions.batchDueAt <= now,
    tracesDue: traceDueAt <= now,
    holdsDue: holdDueAt <= now,
  }
}

/** What every request depends on. Times are epoch ms by the sandbox clock, Infinity for never. */
interface Conditions {
  /** As in `clockOffset`. */
  readonly clockOffset: number
  readonly faults: readonly Fault[]
  readonly batchDueAt: number
  readonly traceDueAt: number
  readonly holdDueAt: number
}

const known = new WeakMap<Transaction, {readonly version: number; readonly conditions: Conditions}>()

/** Reads the conditions again if one of their tables has changed. */
async function conditionsOf(tx: Transaction): Promise<Conditions> {
  const {settings, faults, batches, traces, holds} = tx
  // Versions only grow, so their sum changes with each.
  const version = settings.version + faults.version + batches.version + traces.version + holds.version
  const before = known.get(tx)
  if (before?.version === version) return before.conditions
  const conditions = await readConditions(tx)
  known.set(tx, {version, conditions})
  return conditions
}

/** The store has an index for each query. */
async function readConditions(tx: Transaction): Promise<Conditions> {
  // All requests take equally long, so the oldest is due first.
  const [trace] = await tx.traces.list({where: {ended: 0}, limit: 1})
  const [hold] = await tx.holds.list({upTo: {member: 'until', value: Number.MAX_SAFE_INTEGER}, limit: 1})
  return {
    clockOffset: await clockOffset(tx),
    faults: await tx.faults.list(),
    batchDueAt: await batchDueAt(tx),
    traceDueAt: trace?.dueAt ?? Number.POSITIVE_INFINITY,
    holdDueAt: hold?.until ?? Number.POSITIVE_INFINITY,
  }
}

/** An exploded query parameter: its fields are query parameters themselves. */
const EXPLODED = 'exclusiveStartKey'
const INTEGERS = new Set(['page', 'size'])

/**
 * The query as the contract describes it. Keeps unknown parameters, so that the contract's check refuses them.
 * @throws Problem 400 if a parameter occurs twice.
 */
function readQuery(operation: Operation, search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const startKey: Record<string, string> = {}
  const isKnown = (wanted: string) => operation.query.some(({name}) => name === wanted)
  for (const [name, value] of new URLSearchParams(search)) {
    const members = isKnown(EXPLODED) && !isKnown(name) ? startKey : query
    if (Object.hasOwn(members, name)) throw badRequest('repeated-member', 'A query parameter occurs twice.')
    Object.defineProperty(members, name, {value: typed(name, value), enumerable: true})
  }
  if (Object.keys(startKey).length > 0) query[EXPLODED] = startKey
  return query
}

/**
 * A plain integer as a number if the contract has one there. Anything else stays text, so that the check refuses it.
 */
function typed(name: string, value: string): string | number {
  return INTEGERS.has(name) && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}
