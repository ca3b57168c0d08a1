import {SHORTEST} from '../sensitive/luhn-windows.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import {MASK} from '../sensitive/secret.ts'
import type {Shape} from './shape.ts'
import {below} from './violation.ts'

export interface Seen {
  /** What may be shown and kept: the value itself where nothing had to be masked, else a copy. */
  readonly masked: unknown
  /** Where it holds members or enum values that the contract doesn't know: JSON pointers, the first twenty, masked. */
  readonly unknown: readonly string[]
}

type Members = ReadonlyMap<string, Shape>

const MOST = 20
const NONE: readonly string[] = []

/**
 * Looks at a value with the eyes of the contract, in one walk: what the contract types passes unchanged, for payment
 * references look like card numbers; text that people write and all that is unknown is scanned.
 */
export function seenAs(shape: Shape, value: unknown): Seen {
  const walk = new Walk({handsOut: false})
  return {masked: walk.look(shape, value), unknown: walk.unknown}
}

/**
 * A reply as a command may print it: the same, but with the sensitive members in it, which an operation that has such
 * exists to hand out. Whoever doesn't hand them out masks them.
 */
export const readable = (shape: Shape, reply: unknown): unknown =>
  new Walk({handsOut: true}).look(shape, reply)

class Walk {
  unknown = NONE
  /** The names from the top to where we are. */
  readonly #path: string[] = []
  readonly #handsOut: boolean

  constructor({handsOut}: {readonly handsOut: boolean}) {
    this.#handsOut = handsOut
  }

  look(shape: Shape, value: unknown): unknown {
    if (value === null || typeof value === 'boolean') return value
    if (shape === 'sensitive') return this.#handsOut ? value : MASK
    if (typeof value === 'object') {
      if (typeof shape !== 'object') return scanned(value)
      if ('members' in shape && !Array.isArray(value)) return this.#lookInside(shape.members, value)
      if ('items' in shape && Array.isArray(value)) return this.#lookAtAll(shape.items, value)
      return scanned(value)
    }
    if (isTyped(shape, value)) return value
    if (typeof shape === 'object' && 'values' in shape) {
      if (shape.values.includes(String(value))) return value
      this.#note(this.#path)
    }
    return typeof value === 'string' ? maskText(value) : scanned(value)
  }

  /** Copies only what has to change: most calls pass as they are. */
  #lookInside(members: Members, value: object): object {
    let copy: Record<string, unknown> | undefined
    // JSON inherits no members, and a list of the names would be thrown away at once.
    for (const name in value) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      const shape = members.get(name)
      // Most members are such, and need no step down.
      if (shape !== undefined && isTyped(shape, member)) continue
      if (shape === undefined || isMisshapen(shape, member)) {
        this.#note([...this.#path, maskText(name)])
        // Masked under its own name, which may tell of a secret. `__proto__` is a name like any other here.
        const [shown = name, masked] = Object.entries(scanned({[name]: member}) as object)[0] ?? []
        if (shown === name && masked === member) continue
        copy ??= {...value}
        if (shown !== name) delete copy[name]
        Object.defineProperty(copy, shown, {
          value: masked,
          enumerable: true,
          configurable: true,
          writable: true,
        })
        continue
      }
      this.#path.push(name)
      const seen = this.look(shape, member)
      this.#path.pop()
      if (seen === member) continue
      copy ??= {...value}
      copy[name] = seen
    }
    return copy ?? value
  }

  #lookAtAll(shape: Shape, items: readonly unknown[]): readonly unknown[] {
    const seen = items.map((item, at) => {
      this.#path.push(String(at))
      const one = this.look(shape, item)
      this.#path.pop()
      return one
    })
    return seen.every((one, at) => one === items[at]) ? items : seen
  }

  #note(path: readonly string[]): void {
    if (this.unknown.length < MOST) this.unknown = [...this.unknown, path.reduce(below, '')]
  }
}

/**
 * Whether the contract types a value here as something else than text, and the value fits. Digits where a yes or no
 * belongs are anybody's.
 */
function isTyped(shape: Shape, value: unknown): boolean {
  if (typeof value === 'number') {
    return (
      shape === 'number' ||
      shape === 'string or number' ||
      (isObject(shape) && 'most' in shape && value <= shape.most)
    )
  }
  if (typeof value !== 'string') return false
  // An amount of more digits than a number keeps was left as it was written.
  if (shape === 'number') return DECIMAL.test(value)
  const fits = isObject(shape) && 'fits' in shape
  if (!fits && shape !== 'string' && shape !== 'string or number') return false
  // Too short for a card number. No id, amount or time holds a space that matters: what does is text after all.
  return value.length < SHORTEST || (!/\s/.test(value) && (!fits || shape.fits.test(value)))
}

const DECIMAL = /^-?\d+\.\d+$/

const isObject = (shape: Shape): shape is Exclude<Shape, string> => typeof shape === 'object'

/**
 * A value where the contract has an object or a list, which is none, or the other; or an object or a list where it has text.
 * The contract says nothing about such a value, its name may.
 */
function isMisshapen(shape: Shape, value: unknown): boolean {
  if (value === null || shape === 'sensitive') return false
  const isList = Array.isArray(value)
  if (isObject(shape) && 'members' in shape) return isList || typeof value !== 'object'
  if (isObject(shape) && 'items' in shape) return !isList
  return typeof value === 'object'
}

const scanned = (value: unknown): unknown => redact(value, {sensitive: []})
