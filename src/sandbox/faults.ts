import {isMatch, type Target} from './fault-match.ts'
import type {Service} from './service.ts'
import type {Fault} from './state/fault.ts'
import type {Transaction} from './store/store.ts'

/**
 * The first planted fault that meets the request, counted as struck. A fault of some probability that doesn't strike
 * leaves the request to the next.
 */
export async function strikeFault(
  service: Service,
  faults: readonly Fault[],
  target: Target,
): Promise<Fault | undefined> {
  for (const fault of faults) {
    if (!isMatch(fault, target) || service.chance() >= fault.probability) continue
    if (await service.store.transaction(tx => count(tx, fault.id))) return fault
  }
  return undefined
}

/** Whether the request must not have its effect. */
export function preventsEffect({status, drop}: Fault): boolean {
  return drop === 'before' || (status !== null && drop === null)
}

/** Another request may have used the fault up meanwhile. */
async function count(tx: Transaction, id: string): Promise<boolean> {
  const fault = await tx.faults.get(id)
  if (fault === undefined || fault.remaining === 0) return false
  const remaining = fault.remaining === null ? null : fault.remaining - 1
  await tx.faults.put({...fault, remaining, struck: fault.struck + 1})
  return true
}
