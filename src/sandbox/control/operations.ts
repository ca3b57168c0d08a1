import manifest from '../../../package.json' with {type: 'json'}
import {operations} from '../../contract/operations.gen.ts'
import {authorisations} from '../authorisations/operations.ts'
import {advanceClock, clockOffset, instant} from '../clock.ts'
import {seed} from '../demo-data.ts'
import {type Fault, isOperation} from '../faults.ts'
import type {Call, Handlers} from '../handlers.ts'
import {nextId} from '../ids.ts'
import {badRequest, notFound} from '../problems.ts'
import {KEPT_SETTINGS} from '../seal.ts'
import {tableNames} from '../store/tables.ts'
import {stateKinds} from './state-kinds.ts'

const simulated = [
  'All operations of the contract, with their checks: unknown members are refused and nothing is coerced.',
  'Idempotency keys: kept for 24 hours by the clock of the sandbox, across restarts and between processes.',
  'PIN exchange with real RSA and 3DES; control ids and tokens live 30 seconds and are used once.',
  'Batch settlement by double entry, with failed items and reversals.',
  'Rules of accounts, price lists and their periods.',
  'Remote checkout requests that end later, and fail on characters the card network does not take.',
  'Authorisations with limits, holds, clearing and your own webhook in the decision.',
  'Faults, a rate limit, authentication and prefixes, where they are asked for.',
]

const notSimulated = [
  'Wallet payloads are well-formed and marked as tests; certificates and signatures in requests are not checked.',
  'No interest, invoices, reminders or fees are booked, whatever is set for them.',
  'Nothing is sent to anyone but your webhook: no mail, no letters, no card network.',
  'A client with the credentials may do everything: there are no roles, and auditUser is not checked.',
  'The state file is encrypted with a key in the same file: this hides values from a search, not from somebody who reads the file.',
]

/** What is and isn't simulated. */
export function info(now: number) {
  return {name: 'cardctl sandbox', version: manifest.version, now: instant(now), simulated, notSimulated}
}

export const sandbox: Handlers<'sandbox'> = {
  ...authorisations,

  'sandbox.info': async ({now}) => info(now),
  'sandbox.reset': call => reset(call),
  'sandbox.clock.get': call => showClock(call),
  'sandbox.clock.advance': (call, {body}) => moveClock(call, body.advanceMs),

  'sandbox.state.list': ({tx, now}, {path}) => stateKinds[path.kind].list(tx, now),
  'sandbox.state.get': async ({tx, now}, {path}) => {
    const found = await stateKinds[path.kind].get(tx, path.id, now)
    if (found === undefined) throw notFound(path.kind)
    return found
  },
  'sandbox.state.set': {
    across: async (call, {path, body}) => {
      const {setState} = await import('./set-state.ts')
      return setState(call, path.kind, path.id, body)
    },
  },

  'sandbox.faults.list': ({tx}) => tx.faults.list(),
  'sandbox.faults.add': (call, {body}) => addFault(call, body),
  'sandbox.faults.clear': call => clearFaults(call),
}

export async function showClock({tx, now}: Call) {
  return {now: instant(now), offsetMs: await clockOffset(tx)}
}

export async function moveClock({tx, now}: Call, byMs: number) {
  return {now: instant(now + byMs), offsetMs: await advanceClock(tx, byMs)}
}

/** Puts the demo data back. The keys stay, so that what a client has pinned is still right. */
export async function reset({tx, sealer, service}: Call) {
  const kept = await Promise.all(KEPT_SETTINGS.map(id => tx.settings.get(id)))
  for (const name of tableNames) await tx[name].clear()
  for (const setting of kept) if (setting) await tx.settings.put(setting)
  await seed(tx, await sealer(), service.now())
  return {description: 'The demo data is back'}
}

interface FaultRequest {
  readonly operation?: string
  readonly match?: Fault['match']
  readonly status?: number
  readonly delayMs?: number
  readonly drop?: 'before' | 'after'
  readonly probability?: number
  readonly count?: number
  readonly problem?: Readonly<Record<string, unknown>>
}

/** @throws Problem 400 when no operation can ever be met. */
export async function addFault({tx}: Call, request: FaultRequest): Promise<Fault> {
  const {operation = null} = request
  if (!Object.keys(operations).some(id => isOperation(operation, id))) {
    throw badRequest('operation-unknown', '/operation: it names no operation that a fault can meet.')
  }
  const fault: Fault = {
    id: await nextId(tx, 'fault'),
    operation,
    match: request.match ?? {},
    status: request.status ?? null,
    delayMs: request.delayMs ?? 0,
    drop: request.drop ?? null,
    probability: request.probability ?? 1,
    remaining: request.count ?? null,
    struck: 0,
    problem: request.problem ?? null,
  }
  await tx.faults.put(fault)
  return fault
}

export async function clearFaults({tx}: Call) {
  const cleared = await tx.faults.count()
  await tx.faults.clear()
  return {description: 'Faults cleared', cleared}
}
