import {isObject} from '../errors/is-object.ts'

/**
 * A result as plain JSON: `toJSON` applied (a Secret becomes its mask), bigint as decimal text, undefined fields
 * removed.
 */
export const plain = (value: unknown): unknown => (isPlain(value) ? value : JSON.parse(jsonText(value)))

/** Most responses are plain already, and a copy would take several times their memory. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null)
    return value === null || /^(?:string|boolean)$/.test(typeof value)
  if (Array.isArray(value)) return value.every(isPlain)
  if (
    Object.getPrototypeOf(value) !== Object.prototype ||
    typeof (value as PlainObject).toJSON === 'function'
  )
    return false
  for (const name in value) if (!isPlain((value as PlainObject)[name])) return false
  return true
}

/** The text of that JSON. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    // JSON.stringify throws for a bigint. Checking each value first would cost several times as much.
    return JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'bigint' ? String(member) : member,
    )
  }
}

export type PlainObject = Readonly<Record<string, unknown>>

/**
 * Functions that read responses. A view must show what it can of any version of the service, so an absent, null or
 * unexpected field counts as missing.
 */
export function textAt(value: unknown, path: string): string {
  const member = fieldAt(value, path)
  return typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean'
    ? String(member)
    : ''
}

export const textsAt = (value: unknown, paths: readonly string[]): readonly string[] =>
  paths.map(path => textAt(value, path))

export function numberAt(value: unknown, path: string): number | undefined {
  const member = fieldAt(value, path)
  return typeof member === 'number' ? member : undefined
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const member = fieldAt(value, path)
  return Array.isArray(member) ? member : []
}

/** Joins the parts that aren't empty. */
export const joined = (parts: readonly string[], separator = ' '): string =>
  parts.filter(part => part !== '').join(separator)

/** The field at a dotted path (`embossing.lastName`, `items.0.id`), or undefined. */
export function fieldAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return (value as PlainObject)[path]
  // A field name may contain a dot, so try every split, the one with the longest first name last.
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    if (!Object.hasOwn(value, name)) continue
    const found = fieldAt((value as PlainObject)[name], path.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}

/** Nested objects as dotted fields. Lists and empty objects stay values. */
export function flatten(value: PlainObject): PlainObject {
  const isNested = (member: unknown) => isObject(member) && Object.keys(member).length > 0
  if (!Object.keys(value).some(name => isNested(value[name]))) return value
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
 * The dotted fields of all rows, in the order in which they first appear. A field that is an object in one row and null
 * in the others gets no column of its own.
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

/** Only the chosen fields, nested as before; of a list, those of each item. Missing fields are null. */
export function chooseFields(value: unknown, columns: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => chooseFields(item, columns))
  if (!isObject(value)) return value
  const chosen: Record<string, unknown> = Object.create(null)
  for (const column of columns) place(chosen, column.split('.'), fieldAt(value, column) ?? null)
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
