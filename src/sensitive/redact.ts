import {fieldNames, type PointerTree, pointerTree} from './json-pointer.ts'
import {SHORTEST} from './luhn-windows.ts'
import {holdsNumber, maskPairs, maskSaid} from './mask-encoded.ts'
import {type MaskStyle, maskText} from './mask-text.ts'
import {isNetworkNumber} from './odd-groups.ts'
import {MASK, Secret} from './secret.ts'
import {isSecretName} from './secret-names.ts'

/**
 * Masks data that can't be parsed: the values of fields with a secret's name, and all digits, because their field is
 * unknown.
 */
export const maskBroken = (text: string): string => maskPairs(maskSaid(text)).replace(/\p{Nd}/gu, '•')

interface RedactOptions extends MaskStyle {
  /** JSON pointers of fields to mask whole; `*` is every array item. They take precedence over `typed`. */
  readonly sensitive: readonly string[]
  /**
   * JSON pointers of fields that the contract defines as something else (ids, references, amounts, enums): scalars
   * there don't change, even if they are digits. Leave free text out, so that it is scanned.
   */
  readonly typed?: readonly string[]
  /** JSON pointers of ids and other fields whose names say nothing: their values are scanned like any other. */
  readonly plain?: readonly string[]
}

/** Deeper than any real document. Deeper values are masked whole, because recursion would exhaust the stack. */
const DEEPEST = 100

const NOWHERE: PointerTree = pointerTree([])

/**
 * A deep copy of a JSON value that is safe to show, log or store. Sensitive fields and every `Secret` or binary value
 * become `[masked]` (`null` stays: absence is no secret). Fields of the contract don't change. Everything else is
 * scanned for card numbers and credentials, including field names and integers. An unknown field with the name of a
 * sensitive one (an error that echoes `pinBlock`) is masked everywhere. The value itself is never changed.
 */
export function redact(value: unknown, options: RedactOptions): unknown {
  const names = fieldNames(options.sensitive)
  const style: MaskStyle = {filler: options.filler}

  function visit(
    item: unknown,
    sensitive: PointerTree,
    typed: PointerTree,
    plain: PointerTree,
    depth: number,
  ): unknown {
    if (item === null || item === undefined) return item
    if (sensitive.ends || depth > DEEPEST) return MASK
    switch (typeof item) {
      case 'boolean':
        return item
      case 'string':
        return typed.ends ? item : maskSaid(item, style)
      case 'number':
      case 'bigint':
        return typed.ends ? item : scanNumber(item, style)
      case 'object':
        break
      default:
        return MASK
    }
    if (Array.isArray(item)) {
      if (!typed.ends && !typed.next.has('*') && listsNumber(item)) return item.map(() => MASK)
      return item.map((one: unknown, index) =>
        visit(one, step(sensitive, index), step(typed, index), step(plain, index), depth + 1),
      )
    }
    if (item instanceof Secret || !isPlain(item)) return MASK
    return visitMembers(item, sensitive, typed, plain, depth)
  }

  function visitMembers(
    item: object,
    sensitive: PointerTree,
    typed: PointerTree,
    plain: PointerTree,
    depth: number,
  ): Record<string, unknown> {
    const taken = new Set<string>()
    return Object.fromEntries(
      Object.entries(item).map(([name, member]: [string, unknown]) => {
        const isTyped = typed.next.get(name)
        const isSensitive = sensitive.next.get(name)
        const isPlainField = plain.next.get(name)
        const known = isTyped !== undefined || isSensitive !== undefined || isPlainField !== undefined
        const shown = known ? name : distinct(maskText(name, style), taken)
        taken.add(shown)
        if (!known && isSecretName(name, names)) return [shown, member === null ? null : MASK]
        return [
          shown,
          visit(member, isSensitive ?? NOWHERE, isTyped ?? NOWHERE, isPlainField ?? NOWHERE, depth + 1),
        ]
      }),
    )
  }

  const [sensitive, typed, plain] = [options.sensitive, options.typed, options.plain].map((pointers = []) =>
    pointerTree(pointers),
  )
  return visit(value, sensitive ?? NOWHERE, typed ?? NOWHERE, plain ?? NOWHERE, 0)
}

/** A pointer may name every item with `*`, or one by its index; both may apply. */
function step(tree: PointerTree, index: number): PointerTree {
  const every = tree.next.get('*')
  const one = tree.next.get(String(index))
  if (every === undefined || one === undefined) return every ?? one ?? NOWHERE
  return {ends: every.ends || one.ends, next: new Map([...every.next, ...one.next])}
}

/** Whether a list is a card number, digit by digit, or holds one in its bytes. */
function listsNumber(items: readonly unknown[]): boolean {
  if (items.length < SHORTEST) return false
  if (items.every(item => /^\d$/.test(String(item)))) return isNetworkNumber(items.join(''))
  return items.every(isByte) && holdsNumber(Uint8Array.from(items as readonly number[]))
}

const isByte = (item: unknown): boolean =>
  typeof item === 'number' && Number.isInteger(item) && item >= 0 && item < 256

function scanNumber(item: number | bigint, style: MaskStyle): unknown {
  const text = String(item)
  const masked = maskText(text, style)
  return masked === text ? item : masked
}

/** Whether a value is plain JSON. A Buffer, Map or class instance may hold a secret anywhere, so it is masked whole. */
function isPlain(item: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(item)
  return prototype === Object.prototype || prototype === null
}

/** Two card numbers as field names may have the same mask; both entries must stay. */
function distinct(name: string, taken: ReadonlySet<string>): string {
  let candidate = name
  for (let count = 2; taken.has(candidate); count++) candidate = `${name} (${count})`
  return candidate
}
