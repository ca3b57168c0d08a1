import {operations} from '../../contract/operations.gen.ts'
import type {Call} from '../call.ts'
import {isOperation} from '../fault-match.ts'
import {nextId} from '../ids.ts'
import {badRequest} from '../problems.ts'
import type {Fault} from '../state/fault.ts'

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
