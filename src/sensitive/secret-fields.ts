import {type PointerTree, pointerTree} from './json-pointer.ts'
import {MASK, Secret} from './secret.ts'
import {isSecretName} from './secret-names.ts'

interface Stripped {
  readonly value: unknown
  /** Whether anything was left out. */
  readonly hid: boolean
}

const NOWHERE = pointerTree([])
const DEEPEST = 100

/**
 * A copy of a JSON value with sensitive fields (by pointer, type or name, unless it is an id) replaced by a constant. Unlike a mask for
 * display, it leaves every other value exactly as it is: two requests that differ must stay different.
 */
export function withoutSensitive(
  value: unknown,
  sensitive: readonly string[],
  ids: readonly string[] = [],
): Stripped {
  let hid = false
  const hide = (): string => {
    hid = true
    return MASK
  }

  function visit(item: unknown, tree: PointerTree, plain: PointerTree, depth: number): unknown {
    if (item === null || item === undefined) return item
    if (tree.ends || item instanceof Secret || ArrayBuffer.isView(item) || depth > DEEPEST) return hide()
    if (Array.isArray(item)) {
      const every = tree.next.get('*') ?? NOWHERE
      const known = plain.next.get('*') ?? NOWHERE
      return item.map((one: unknown, index) =>
        visit(one, tree.next.get(String(index)) ?? every, known, depth + 1),
      )
    }
    if (typeof item !== 'object') return item
    return Object.fromEntries(
      Object.entries(item).map(([name, member]: [string, unknown]) => {
        const known = plain.next.get(name) ?? NOWHERE
        const isSecret = isSecretName(name) && !known.ends
        if (isSecret && member !== null && member !== undefined) return [name, hide()]
        return [name, visit(member, tree.next.get(name) ?? NOWHERE, known, depth + 1)]
      }),
    )
  }

  return {value: visit(value, pointerTree(sensitive), pointerTree(ids), 0), hid}
}

/** Fields without a mark whose names say that they are secret. @param ids pointers to what is an id, whatever its name. */
export function underSecretNames(value: unknown, ids: readonly string[]): unknown[] {
  const inside = (one: unknown, tree: PointerTree): unknown[] => {
    if (typeof one !== 'object' || one === null || one instanceof Secret) return []
    return Object.entries(one).flatMap(([name, item]) => {
      const id = tree.next.get(name) ?? (Array.isArray(one) ? tree.next.get('*') : undefined)
      return [...(isSecretName(name) && id === undefined ? [item] : []), ...inside(item, id ?? NOWHERE)]
    })
  }
  return inside(value, pointerTree(ids))
}
