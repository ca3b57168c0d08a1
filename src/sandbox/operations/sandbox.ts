import {operations} from '../../contract/operations.gen.ts'
import type {Call} from '../call.ts'
import {advanceClock, clockOffset, instant} from '../clock.ts'
import {KEPT_SETTINGS} from '../conditions.ts'
import {stateKinds} from '../control/state-kinds.ts'
import {isOperation} from '../faults.ts'
import {nextId} from '../ids.ts'
import {badRequest, notFound} from '../problems.ts'
import {seed} from '../seed/seed.ts'
import type {Fault} from '../state/fault.ts'
import {tableNames} from '../store/tables.ts'
import type {Handlers} from './handler.ts'
import {authorisations} from './sandbox-authorisations.ts'

export const sandbox: Handlers<'sandbox'> = {
  ...authorisations,

  'sandbox.info': {
    across: async ({now}) => {
      const {info} = await import('../control/info.ts')
      return info(now)
    },
  },
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
      const {setState} = await import('../control/set-state.ts')
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
