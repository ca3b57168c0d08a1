import type {Match} from '../contract/match.ts'
import type {Operation} from '../contract/operation.ts'
import type {OperationId} from '../contract/types.ts'
import {checkInput, type Violation} from '../contract/validate.ts'
import {settleSome} from './a2a/settlement.ts'
import {releaseDueHolds} from './authorisations/holds.ts'
import {clockOffset} from './clock.ts'
import {type Fault, preventsEffect, strikeFault} from './faults.ts'
import {loadHandler} from './handlers.ts'
import {honouredKey} from './idempotency.ts'
import {perform} from './perform.ts'
import {dropped, type PlainReply, type PlainRequest, readJsonBody, textReply} from './plain-http.ts'
import {badRequest, Problem} from './problems.ts'
import {endDueTraces} from './remotecheckout/traces.ts'
import type {Service} from './service.ts'
import type {Transaction} from './store/store.ts'

/** What a request has to know of the store before its own work begins. Other processes may have changed it. */
interface Conditions {
  /** The sandbox clock, epoch ms. */
  readonly now: number
  readonly faults: readonly Fault[]
  /** Whether a batch waits for settlement. */
  readonly batchesOpen: boolean
  /** Whether the time of a remote checkout request has come. */
  readonly tracesDue: boolean
  /** Whether a hold of an authorisation is to be released. */
  readonly holdsDue: boolean
}

/** Reads all conditions in one go; the store has an index for each. */
async function readConditions(tx: Transaction, realNow: number): Promise<Conditions> {
  const now = realNow + (await clockOffset(tx))
  const [batch] = await tx.batches.list({where: {status: 'IN_PROGRESS'}, limit: 1})
  // All take equally long, so the oldest is due first.
  const [trace] = await tx.traces.list({where: {ended: 0}, limit: 1})
  const [hold] = await tx.holds.list({upTo: {member: 'until', value: now}, limit: 1})
  return {
    now,
    faults: await tx.faults.list(),
    batchesOpen: batch !== undefined,
    tracesDue: trace !== undefined && trace.dueAt <= now,
    holdsDue: hold !== undefined,
  }
}

/** A query member that is exploded: its own members stand in the query under their names. */
const EXPLODED = 'exclusiveStartKey'
const INTEGERS = new Set(['page', 'size'])

/**
 * The query as the contract describes it. What the contract doesn't name is kept, so that it can be refused.
 * @throws Problem 400 when a member stands twice.
 */
function readQuery(operation: Operation, search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const startKey: Record<string, string> = {}
  const known = new Set(operation.query.map(({name}) => name))
  for (const [name, value] of new URLSearchParams(search)) {
    const members = known.has(EXPLODED) && !known.has(name) ? startKey : query
    if (Object.hasOwn(members, name)) throw badRequest('repeated-member', 'A query parameter occurs twice.')
    Object.defineProperty(members, name, {value: typed(name, value), enumerable: true})
  }
  if (Object.keys(startKey).length > 0) query[EXPLODED] = startKey
  return query
}

/** Text that is a plain integer where the contract wants one; anything else stays as it is, for the contract to refuse. */
function typed(name: string, value: string): string | number {
  return INTEGERS.has(name) && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Keeps the control operations from strangers: they are for the same machine, or for whoever has the server's
 * credentials. A page in a browser on this machine is a stranger too, by another's name for it or from another origin.
 *
 * @param authenticated whether credentials were asked for, and were right.
 * @throws Problem 403
 */
function guardControl(request: PlainRequest, authenticated: boolean): void {
  const {origin = 'embedded', headers} = request
  if (origin === 'embedded' || authenticated) return
  if (origin === 'network') throw forbidden('The control operations need authentication from other machines.')
  if (!LOOPBACK_HOST.test(headers.host ?? ''))
    throw forbidden('The control operations are not served under this host name.')
  const site = headers['sec-fetch-site']
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) {
    throw forbidden('The control operations are not for pages in a browser.')
  }
}

const forbidden = (detail: string) => new Problem(403, 'control-forbidden', 'Not permitted', detail)

/** A request whose operation is known. */
interface Asked {
  readonly match: Match
  readonly search: string
  /** Whose request it is. */
  readonly credential: string
}

/** Violations that a refusal names; a broken batch has thousands. */
const NAMED = 10

/**
 * Checks the request against the contract, meets it with a fault if one is planted for it, and carries it out.
 * @throws Problem
 */
export async function answer(service: Service, request: PlainRequest, asked: Asked): Promise<PlainReply> {
  const {
    match: {operation, params},
    search,
    credential,
  } = asked
  const {options, store} = service
  if (operation.group === 'sandbox') guardControl(request, options.auth !== undefined)
  const body = bodyFor(operation, readJsonBody(request))
  const input = {path: params, query: readQuery(operation, search), ...(body === undefined ? {} : {body})}
  const key = honouredKey(request, operation, credential, options.idempotency ?? 'documented')
  refuseViolations(await checkInput(operation.id as OperationId, input))
  const conditions = await store.read(tx => readConditions(tx, service.now()))
  await catchUp(service, conditions)
  const fault = await strikeFault(service, conditions.faults, {operation: operation.id, input})
  if (fault && preventsEffect(fault)) return withoutEffect(service, fault)
  const handler = await loadHandler(operation)
  const done = await perform(service, {
    operation,
    handler,
    input,
    delayMs: fault?.delayMs ?? 0,
    ...(key && {key}),
  })
  if (fault?.drop) return dropped()
  return textReply(done.status, 'application/json', done.body, done.headers)
}

/** Many clients post an empty object where there is nothing to say. @throws Problem for any other body where none belongs. */
function bodyFor({method, body: takes}: Operation, body: unknown): unknown {
  if (body === undefined || takes !== 'none') return body
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (isEmpty && method === 'POST' && !Array.isArray(body)) return undefined
  throw badRequest('unexpected-body', 'This operation takes no body.')
}

async function withoutEffect(service: Service, fault: Fault): Promise<PlainReply> {
  if (fault.delayMs > 0) await service.sleep(fault.delayMs)
  if (fault.drop !== null || fault.status === null) return dropped()
  throw new Problem(
    fault.status,
    'planted-fault',
    'A planted fault',
    `Fault ${fault.id} struck.`,
    {},
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
 * Does what time has brought about since the last request: settles batches, unless a server does that in the
 * background, ends remote checkout requests that are due, and releases holds. The state is then as if it had happened at its time.
 */
async function catchUp(service: Service, conditions: Conditions): Promise<void> {
  if (conditions.batchesOpen) await settle(service)
  if (conditions.holdsDue) await releaseDueHolds(service.store, conditions.now)
  if (conditions.tracesDue) await endDueTraces(service.store, conditions.now)
}

async function settle({store, now, settler}: Service): Promise<void> {
  if (settler) return settler.kick()
  let more = true
  while (more) more = await settleSome(store, now)
}
