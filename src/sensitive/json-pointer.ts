/** A tree of JSON pointers (RFC 6901); the token `*` matches every item of an array. */
export interface PointerTree {
  readonly ends: boolean
  readonly next: ReadonlyMap<string, PointerTree>
}

interface Growing {
  ends: boolean
  next: Map<string, Growing>
}

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** The pointer of a field below another pointer (RFC 6901). */
export const pointerBelow = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** One tree for many pointers. The empty pointer names the whole document. */
export function pointerTree(pointers: readonly string[]): PointerTree {
  const root: Growing = {ends: false, next: new Map()}
  for (const pointer of pointers) {
    let node = root
    for (const token of pointer.split('/').slice(1)) {
      const name = unescapeToken(token)
      const child = node.next.get(name) ?? {ends: false, next: new Map()}
      node.next.set(name, child)
      node = child
    }
    node.ends = true
  }
  return root
}

/** Names that say nothing elsewhere: a card has a number, and so has an invoice. */
const COMMON = /^(?:number|value|identification)$/i

/** The last token of each pointer: the field names, without array items and without names that anything may have. */
export function fieldNames(pointers: readonly string[]): string[] {
  return pointers.flatMap(pointer => {
    const name = unescapeToken(
      pointer
        .split('/')
        .slice(1)
        .findLast(token => token !== '*') ?? '',
    )
    return name === '' || COMMON.test(name) ? [] : [name]
  })
}

/** Cached: pointers come from the contract or the user, so there are few, and each is used often. */
const tokens = new Map<string, readonly string[]>()

/** The names on the way of a pointer. */
export function tokensOf(pointer: string): readonly string[] {
  const known = tokens.get(pointer)
  if (known !== undefined) return known
  const names = pointer.split('/').slice(1).map(unescapeToken)
  tokens.set(pointer, names)
  return names
}

/** The values that a pointer leads to; `*` leads to every item of an array. */
export function valuesAt(document: unknown, pointer: string): unknown[] {
  let found: unknown[] = [document]
  for (const name of tokensOf(pointer)) {
    found = found.flatMap(value => {
      if (name === '*') return Array.isArray(value) ? value : []
      const holder = typeof value === 'object' && value !== null && !Array.isArray(value)
      return holder && Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : []
    })
  }
  return found
}
