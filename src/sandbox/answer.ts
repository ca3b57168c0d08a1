import type {Match} from '../contract/match.ts'
import type {Operation} from '../contract/operation.ts'
import type {OperationId} from '../contract/types.ts'
import {checkInput, type Violation} from '../contract/validate.ts'
import {catchUp} from './catch-up.ts'
import {readConditions} from './conditions.ts'
import {guardControl} from './control-guard.ts'
import {preventsEffect, strikeFault} from './faults.ts'
import {honouredKey} from './idempotency-key.ts'
import {loadHandler} from './operations/load.ts'
import {perform} from './perform.ts'
import {dropped, type PlainReply, type PlainRequest, textReply} from './plain-http.ts'
import {badRequest, Problem} from './problems.ts'
import {readQuery} from './read-query.ts'
import {readJsonBody} from './request-body.ts'
import type {Service} from './service.ts'
import type {Fault} from './state/fault.ts'

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
