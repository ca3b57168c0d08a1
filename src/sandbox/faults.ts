import type {ResponseBody} from '../contract/types.ts'
import {instant, sandboxNow} from './clock.ts'
import type {Service} from './service.ts'
import type {Transaction} from './store/store.ts'

/** A fault that a tester added. `remaining` null means no limit; `struck` counts the requests that it hit. */
export type Fault = Required<Omit<Stored, Optional>> & Pick<Stored, Optional>

type Optional = 'headers' | 'body' | 'lastStruckAt'

type Stored = ResponseBody<'sandbox.faults.add'>

/**
 * Finds the first fault that hits the request, and counts the hit. If the probability of a fault spares the request,
 * the next fault may hit it.
 */
export async function injectFault(
  service: Service,
  faults: readonly Fault[],
  target: Target,
): Promise<Fault | undefined> {
  for (const fault of faults) {
    if (!isMatch(fault, target) || service.chance() >= fault.probability) continue
    if (await service.store.transaction(tx => count(service, tx, fault.id))) return fault
  }
  return undefined
}

/** Whether the fault prevents the effect of the request. */
export function preventsEffect({status, drop}: Fault): boolean {
  return drop === 'before' || (status !== null && drop === null)
}

/** Counts a hit. @returns false if no hits were left: another request may have used the last one. */
async function count(service: Service, tx: Transaction, id: string): Promise<boolean> {
  const fault = await tx.faults.get(id)
  if (fault === undefined || fault.remaining === 0) return false
  const remaining = fault.remaining === null ? null : fault.remaining - 1
  const lastStruckAt = instant(await sandboxNow(service, tx))
  await tx.faults.put({...fault, remaining, struck: fault.struck + 1, lastStruckAt})
  return true
}

/** What a fault is compared with. */
export interface Target {
  readonly operation: string
  readonly input: {
    readonly path: Readonly<Record<string, unknown>>
    readonly query: Readonly<Record<string, unknown>>
    readonly body?: unknown
  }
}

/** Whether the fault may hit the request; its probability may still spare it. */
export function isMatch(fault: Fault, {operation, input}: Target): boolean {
  if (fault.remaining === 0 || !isOperation(fault.operation, operation)) return false
  return Object.entries(fault.match).every(([member, wanted]) => {
    const found = valueAt(member, input)
    // Paths and queries hold text: 2001 and "2001" are the same.
    return found !== undefined && String(found) === String(wanted)
  })
}

/** Never matches a control operation: otherwise such a fault could never be removed. */
export function isOperation(pattern: string | null, operation: string): boolean {
  if (operation.startsWith('sandbox.')) return false
  if (pattern === null) return true
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern
}

/** `path:id`, `query:size`, or a JSON pointer (RFC 6901) into the body. */
function valueAt(member: string, input: Target['input']): unknown {
  if (member.startsWith('path:')) return input.path[member.slice('path:'.length)]
  if (member.startsWith('query:')) return input.query[member.slice('query:'.length)]
  const tokens = member.split('/').slice(1)
  return tokens.reduce<unknown>((value, token) => {
    if (typeof value !== 'object' || value === null) return undefined
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }, input.body)
}
