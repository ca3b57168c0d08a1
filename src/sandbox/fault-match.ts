import type {Fault} from './state/fault.ts'

/** What a fault is matched on. */
export interface Target {
  readonly operation: string
  readonly input: {
    readonly path: Readonly<Record<string, unknown>>
    readonly query: Readonly<Record<string, unknown>>
    readonly body?: unknown
  }
}

export function isMatch(fault: Fault, {operation, input}: Target): boolean {
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
