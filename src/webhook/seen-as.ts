import type {Shape} from '../contract/shape.ts'
import {below} from '../contract/violation.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import {MASK} from '../sensitive/secret.ts'

export interface Seen {
  /** A copy that may be shown and kept. */
  readonly masked: unknown
  /** Where it holds members or enum values that the contract doesn't know: JSON pointers, the first twenty, masked. */
  readonly unknown: readonly string[]
}

const MOST = 20

/**
 * Looks at a value with the eyes of the contract, in one walk: what the contract types passes unchanged, for payment
 * references look like card numbers; text that people write and all that is unknown is scanned.
 */
export function seenAs(shape: Shape, value: unknown): Seen {
  const unknown: string[] = []
  return {masked: look(shape, value, '', unknown), unknown}
}

function look(shape: Shape, value: unknown, pointer: string, unknown: string[]): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (shape === 'sensitive') return MASK
  if (typeof value === 'object') {
    if (typeof shape === 'object') {
      if ('members' in shape && !Array.isArray(value))
        return lookInside(shape.members, value, pointer, unknown)
      if ('items' in shape && Array.isArray(value)) {
        return value.map((item: unknown, at) => look(shape.items, item, `${pointer}/${at}`, unknown))
      }
    }
    return scanned(value)
  }
  // No id, amount or time holds a space that matters: what does is text after all.
  if (shape === 'typed' && !(typeof value === 'string' && /\s/.test(value))) return value
  if (typeof shape === 'object' && 'values' in shape) {
    if (shape.values.includes(String(value))) return value
    note(unknown, pointer)
  }
  return typeof value === 'string' ? maskText(value) : scanned(value)
}

function lookInside(
  members: Readonly<Record<string, Shape>>,
  value: object,
  pointer: string,
  unknown: string[],
): unknown {
  const seen: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const shape = Object.hasOwn(members, name) ? members[name] : undefined
    if (shape !== undefined) seen[name] = look(shape, member, `${pointer}/${name}`, unknown)
    else {
      note(unknown, below(pointer, maskText(name)))
      // Under its own name, which may tell of a secret; `__proto__` is a name like any other here.
      for (const [shown, masked] of Object.entries(scanned({[name]: member}) as object)) {
        Object.defineProperty(seen, shown, {
          value: masked,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
    }
  }
  return seen
}

const scanned = (value: unknown): unknown => redact(value, {sensitive: []})

function note(unknown: string[], pointer: string): void {
  if (unknown.length < MOST) unknown.push(pointer)
}
