import {clockOffset} from './clock.ts'
import type {Fault} from './state/fault.ts'
import type {Transaction} from './store/store.ts'

/** The key that sensitive values are sealed with. */
export const SEAL_KEY = 'seal-key'
/** The RSA key that card numbers are enciphered under on their way in. */
export const SERVICE_KEY = 'service-key'

/** Settings that outlive a reset. */
export const KEPT_SETTINGS = [SEAL_KEY, SERVICE_KEY]

/** What a request has to know of the store before its own work begins. Other processes may have changed it. */
export interface Conditions {
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
export async function readConditions(tx: Transaction, realNow: number): Promise<Conditions> {
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
