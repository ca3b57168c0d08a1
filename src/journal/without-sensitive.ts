import {type PointerTree, pointerTree} from '../sensitive/json-pointer.ts'
import {MASK, Secret} from '../sensitive/secret.ts'
import {isSecretName} from '../sensitive/secret-names.ts'

export interface Stripped {
  readonly value: unknown
  /** Whether anything had to be left out. */
  readonly hid: boolean
}

const NOWHERE = pointerTree([])
const DEEPEST = 100

/**
 * A copy of a JSON value in which sensitive members (by pointer, by type, by name) are a constant. Unlike a mask for
 * display it leaves every other value exactly as it is: two requests that differ must stay different.
 */
export function withoutSensitive(value: unknown, sensitive: readonly string[]): Stripped {
  let hid = false
  const hide = (): string => {
    hid = true
    return MASK
  }

  function visit(item: unknown, tree: PointerTree, depth: number): unknown {
    if (item === null || item === undefined) return item
    if (tree.ends || item instanceof Secret || ArrayBuffer.isView(item) || depth > DEEPEST) return hide()
    if (Array.isArray(item)) {
      const every = tree.next.get('*') ?? NOWHERE
      return item.map((one: unknown, index) => visit(one, tree.next.get(String(index)) ?? every, depth + 1))
    }
    if (typeof item !== 'object') return item
    return Object.fromEntries(
      Object.entries(item).map(([name, member]: [string, unknown]) => {
        if (isSecretName(name) && member !== null && member !== undefined) return [name, hide()]
        return [name, visit(member, tree.next.get(name) ?? NOWHERE, depth + 1)]
      }),
    )
  }

  return {value: visit(value, pointerTree(sensitive), 0), hid}
}
