import type {Service} from './service.ts'
import type {Stored, Transaction} from './store/store.ts'

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

/** What a fault is matched on. */
interface Target {
  readonly operation: string
  readonly input: {
    readonly path: Readonly<Record<string, unknown>>
    readonly query: Readonly<Record<string, unknown>>
    readonly body?: unknown
  }
}

function isMatch(fault: Fault, {operation, input}: Target): boolean {
  if (fault.remaining === 0 || !isOperation(fault.operation, operation)) return false
  return Object.entries(fault.match).every(([member, wanted]) => {
    const found = valueAt(member, input)
    // A path or query member is text there and may be a number here: 2001 and "2001" are the same.
    return found !== undefined && String(found) === String(wanted)
  })
}

/** The control operations are out of reach, or a fault could never be taken away again. */
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

/** A planted fault: which requests it meets, and what becomes of them. */
export interface Fault extends Stored {
  /** An operation's id, a beginning of some with a star at its end, or null for all but the control operations. */
  readonly operation: string | null
  /** Values that members of the request must have, by `path:id`, `query:size` or JSON pointer into the body. */
  readonly match: Readonly<Record<string, string | number | boolean | null>>
  /** Answer with this status instead of the effect. */
  readonly status: number | null
  /** Members in place of those of the problem that goes with the status. */
  readonly problem: Readonly<Record<string, unknown>> | null
  readonly delayMs: number
  /** Close the connection: before the effect, or after it. */
  readonly drop: 'before' | 'after' | null
  /** 0 to 1. */
  readonly probability: number
  /** How many times it may still strike; null for no end. */
  readonly remaining: number | null
  /** How many times it struck. */
  readonly struck: number
}
