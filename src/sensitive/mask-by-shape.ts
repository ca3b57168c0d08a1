import type {Shape} from '../contract/shape.ts'
import {pointerBelow} from './json-pointer.ts'
import {SHORTEST} from './luhn-windows.ts'
import {maskSaid} from './mask-encoded.ts'
import {maskText} from './mask-text.ts'
import {redact} from './redact.ts'
import {MASK} from './secret.ts'

export interface Masked {
  /** What may be shown and stored: the value itself if nothing had to be masked, else a copy. */
  readonly masked: unknown
  /** JSON pointers of the first 20 fields and enum values that the contract doesn't know. Names are masked. */
  readonly unknown: readonly string[]
}

type Members = ReadonlyMap<string, Shape>

const MOST = 20
const NONE: readonly string[] = []

/**
 * Masks a value according to the contract, field by field. A field that the contract types passes unchanged, because
 * payment references look like card numbers. Free text and unknown fields are scanned for card numbers.
 */
export function maskByShape(shape: Shape, value: unknown): Masked {
  const walk = new Walk({handsOut: false})
  return {masked: walk.look(shape, value), unknown: walk.unknown}
}

/** The same with the sensitive fields left in, for an operation whose purpose is to return them: the caller masks them. */
export const maskExceptSensitive = (shape: Shape, response: unknown): unknown =>
  new Walk({handsOut: true}).look(shape, response)

class Walk {
  unknown = NONE
  /** The names from the top to the current field. */
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
    return typeof value === 'string' ? maskSaid(value) : scanned(value)
  }

  /** Copies only what has to change: most calls don't. */
  #lookInside(members: Members, value: object): object {
    let copy: Record<string, unknown> | undefined
    // A value from JSON inherits nothing, and Object.keys would make a list for each object.
    for (const name in value) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      const shape = members.get(name)
      // Most fields end here.
      if (shape !== undefined && isTyped(shape, member)) continue
      if (shape === undefined || isMisshapen(shape, member)) {
        this.#note([...this.#path, maskText(name)])
        // Masked together with its name, which may say that it is a secret. `__proto__` is a name like any other here.
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
    if (this.unknown.length < MOST) this.unknown = [...this.unknown, path.reduce(pointerBelow, '')]
  }
}

/** Whether the contract types this value as something other than free text, and the value matches. */
function isTyped(shape: Shape, value: unknown): boolean {
  if (typeof value === 'number') {
    return (
      shape === 'number' ||
      shape === 'string or number' ||
      (isObject(shape) && 'most' in shape && value <= shape.most)
    )
  }
  if (typeof value !== 'string') return false
  // An amount with more digits than a double holds is kept as text.
  if (shape === 'number') return DECIMAL.test(value)
  const fits = isObject(shape) && 'fits' in shape
  if (!fits && shape !== 'string' && shape !== 'string or number') return false
  // Too short for a card number. Ids, amounts and times have no spaces: what has one is free text.
  return value.length < SHORTEST || (!/\s/.test(value) && (!fits || shape.fits.test(value)))
}

const DECIMAL = /^-?\d+\.\d+$/

const isObject = (shape: Shape): shape is Exclude<Shape, string> => typeof shape === 'object'

/**
 * Whether the value is an object or a list and the contract has another kind, or the reverse. The contract says nothing
 * about such a value; its name may.
 */
function isMisshapen(shape: Shape, value: unknown): boolean {
  if (value === null || shape === 'sensitive') return false
  const isList = Array.isArray(value)
  if (isObject(shape) && 'members' in shape) return isList || typeof value !== 'object'
  if (isObject(shape) && 'items' in shape) return !isList
  return typeof value === 'object'
}

const scanned = (value: unknown): unknown => redact(value, {sensitive: []})
