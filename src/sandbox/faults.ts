import type {Fault} from './state/fault.ts'
import type {Transaction} from './store/store.ts'

/** What a fault can be matched on. */
export interface Target {
  readonly operation: string
  readonly input: {
    readonly path: Readonly<Record<string, unknown>>
    readonly query: Readonly<Record<string, unknown>>
    readonly body?: unknown
  }
}

export function matches(fault: Fault, {operation, input}: Target): boolean {
  if (fault.remaining === 0) return false
  if (!matchesOperation(fault.operation, operation)) return false
  return Object.entries(fault.fields).every(([field, wanted]) => isValue(valueAt(field, input), wanted))
}

/** Counts a strike, unless another request has used the fault up meanwhile. @returns whether it strikes. */
export async function strike(tx: Transaction, id: string): Promise<boolean> {
  const fault = await tx.faults.get(id)
  if (fault === undefined || fault.remaining === 0) return false
  await tx.faults.put({
    ...fault,
    remaining: fault.remaining === null ? null : fault.remaining - 1,
    struck: fault.struck + 1,
  })
  return true
}

/** The control operations are out of reach, or a fault could never be taken away again. */
function matchesOperation(pattern: string | null, operation: string): boolean {
  if (operation.startsWith('sandbox.')) return false
  if (pattern === null) return true
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern
}

/** `path:id`, `query:size`, or a JSON pointer (RFC 6901) into the body. */
function valueAt(field: string, input: Target['input']): unknown {
  if (field.startsWith('path:')) return input.path[field.slice(5)]
  if (field.startsWith('query:')) return input.query[field.slice(6)]
  const tokens = field.split('/').slice(1)
  return tokens.reduce<unknown>((value, token) => {
    if (typeof value !== 'object' || value === null) return undefined
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }, input.body)
}

/** A path or query member is text; `2001` and `"2001"` mean the same there. */
function isValue(found: unknown, wanted: unknown): boolean {
  return found !== undefined && (found === wanted || String(found) === String(wanted))
}
