import type {Call} from '../handlers.ts'
import {uuid} from '../ids.ts'
import {existing} from '../problems.ts'
import type {Store, Stored, Transaction} from '../store/store.ts'
import {settleTrace} from './network.ts'

const DEFAULT_DELAY_MS = 2000

interface Asked {
  readonly operation: string
  readonly customerId: string
  readonly cardId?: string
  readonly body: object
}

/** Stores a request to the card network, which completes later, by the sandbox clock. */
export async function openTrace(
  {tx, now, random, service}: Call,
  {operation, customerId, cardId, body}: Asked,
): Promise<{requestTraceId: string}> {
  const id = uuid(random)
  await tx.traces.put({
    id,
    operation,
    customerId,
    cardId: cardId ?? null,
    body: {...body},
    ended: 0,
    dueAt: now + (service.options.remoteCheckoutMs ?? DEFAULT_DELAY_MS),
    errors: [],
  })
  return {requestTraceId: id}
}

/** The progress of a request. COMPLETED may be a failure: see the details. */
export async function traceStatus(tx: Transaction, id: string) {
  const trace = existing(await tx.traces.get(id), 'trace')
  if (trace.ended === 0) return {status: 'IN_PROGRESS' as const}
  const {errors} = trace
  const status = errors.length === 0 ? ('SUCCESS' as const) : ('FAILED' as const)
  return {status: 'COMPLETED' as const, details: {status, errorDetails: [...errors]}}
}

/** Completes every request that is due, in order. */
export function endDueTraces(store: Store, now: number): Promise<void> {
  return store.transaction(async tx => {
    for (const trace of await tx.traces.list({where: {ended: 0}})) {
      if (trace.dueAt <= now) await tx.traces.put({...trace, ended: 1, errors: await settleTrace(tx, trace)})
    }
  })
}

/** A customer at the remote checkout service. */
export interface EnrolledCustomer extends Stored {
  readonly customerBID: string
  readonly active: boolean
  readonly emails: readonly string[]
  readonly phones: readonly string[]
}

/** A card at the remote checkout service. */
export interface EnrolledCard extends Stored {
  readonly customerId: string
  readonly tokenReferenceID: string
  readonly tokenRequestorID: string
  readonly billing: Readonly<Record<string, unknown>>
}

export interface ErrorDetail {
  readonly field: string
  readonly reason: string
  readonly message: string
}

/** A request to the card network. It completes when the sandbox clock passes `dueAt`. */
export interface Trace extends Stored {
  readonly operation: string
  readonly customerId: string
  readonly cardId: string | null
  readonly body: Readonly<Record<string, unknown>>
  /** 0 while it runs, 1 when it ended; a number so that it can be indexed. */
  readonly ended: 0 | 1
  readonly dueAt: number
  readonly errors: readonly ErrorDetail[]
}
