import {isObject} from '../errors/is-object.ts'

/**
 * A result as the JSON it is: `toJSON` done (a Secret is its mask then), bigint as decimal text, undefined members gone.
 */
export const plain = (value: unknown): unknown => JSON.parse(jsonText(value))

/** The text of the same JSON. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    // A bigint in it: to look at each value costs several times as much.
    return JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'bigint' ? String(member) : member,
    )
  }
}

export type PlainObject = Readonly<Record<string, unknown>>

/**
 * Readers of replies: absent, null and unexpected members are simply not there, for a view must show what it can of any
 * version of the service.
 */
export function textAt(value: unknown, path: string): string {
  const member = memberAt(value, path)
  return typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean'
    ? String(member)
    : ''
}

export function numberAt(value: unknown, path: string): number | undefined {
  const member = memberAt(value, path)
  return typeof member === 'number' ? member : undefined
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const member = memberAt(value, path)
  return Array.isArray(member) ? member : []
}

/** What is there of the parts, joined. */
export const joined = (parts: readonly string[], separator = ' '): string =>
  parts.filter(part => part !== '').join(separator)

/** The member at a dotted path (`embossing.lastName`, `items.0.id`), undefined where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return (value as PlainObject)[path]
  // A member's own name may hold a dot, so every split is tried, the longest first name last.
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    if (!Object.hasOwn(value, name)) continue
    const found = memberAt((value as PlainObject)[name], path.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}

/** Nested objects as dotted members; arrays and empty objects stay values. */
export function flatten(value: PlainObject): Record<string, unknown> {
  const entries: [string, unknown][] = []
  const visit = (item: PlainObject, prefix: string) => {
    for (const [name, member] of Object.entries(item)) {
      if (isObject(member) && Object.keys(member).length > 0) visit(member, `${prefix}${name}.`)
      else entries.push([prefix + name, member])
    }
  }
  visit(value, '')
  return Object.fromEntries(entries)
}

/**
 * The dotted members of all flattened rows, in the order in which they first appear. A member that is an object in one
 * row and null in the others is not a column of its own.
 */
export function columnsOf(rows: readonly PlainObject[]): string[] {
  const names = new Map<string, boolean>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row))
      names.set(name, names.get(name) === true || hasValue(value))
  }
  const parents = new Set([...names.keys()].flatMap(parentsOf))
  return [...names].filter(([name, valued]) => valued || !parents.has(name)).map(([name]) => name)
}

export const hasValue = (value: unknown): boolean => value !== null && value !== undefined

const parentsOf = (name: string): string[] => [...name.matchAll(/\./g)].map(({index}) => name.slice(0, index))

/** The chosen members only, nested as they were; a list's items each. Missing ones are null. */
export function chooseMembers(value: unknown, columns: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => chooseMembers(item, columns))
  if (!isObject(value)) return value
  const chosen: Record<string, unknown> = Object.create(null)
  for (const column of columns) place(chosen, column.split('.'), memberAt(value, column) ?? null)
  return chosen
}

function place(
  target: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next = isObject(inner) ? inner : Object.create(null)
  target[name] = next
  place(next, rest, value)
}
