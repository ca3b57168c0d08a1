import {createHmac} from 'node:crypto'
import {type PointerTree, pointerTree} from '../sensitive/json-pointer.ts'
import {MASK, Secret} from '../sensitive/secret.ts'
import {isSecretName} from '../sensitive/secret-names.ts'
import type {RequestStart} from './request-record.ts'

interface Stripped {
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
function withoutSensitive(value: unknown, sensitive: readonly string[]): Stripped {
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

/** Bodies with these parts alike have the same fingerprint; a sensitive member counts by being there, not by value. */
type Asked = Pick<RequestStart, 'method' | 'path' | 'input' | 'sensitive'>

interface Fingerprint {
  /** In hex. */
  readonly text: string
  /** Whether something sensitive was left out, so that the input must not be kept either. */
  readonly hid: boolean
}

/** HMAC-SHA-256 under a local key: who gets hold of the journal alone can't try out bodies against it. */
export function fingerprint(key: Buffer, {method, path, input, sensitive}: Asked): Fingerprint {
  const query = withoutSensitive(input.query, [])
  const body = withoutSensitive(input.body, sensitive ?? [])
  const parts = [method, path, query.value, input.body === undefined ? [] : [body.value]]
  const text = createHmac('sha256', key).update(canonicalJson(parts)).digest('hex')
  return {text, hid: query.hid || body.hid}
}

/**
 * JSON with the members of every object in code-unit order, so that two spellings of one document are the same text
 * (the idea of RFC 8785). Takes plain JSON values; members that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (isPlainObject(item) ? inOrder(item) : item)) ?? 'null'
}

function isPlainObject(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null && !Array.isArray(item)
}

function inOrder(item: Record<string, unknown>): Record<string, unknown> {
  // Object.fromEntries would still put integer-like names first, but does so for both spellings alike.
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
}
