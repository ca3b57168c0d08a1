import {isAbsolute} from 'node:path'
import {isObject} from '../errors/is-object.ts'
import {nearestName} from '../errors/nearest-name.ts'
import type {CheckedUrl} from './addresses.ts'
import {
  absolute,
  formatReference,
  type Place,
  parseReference,
  type SecretReference,
  storedReference,
} from './reference.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** An object of profiles.json, parsed but not checked. */
export type Raw = Readonly<Record<string, unknown>>

/** One problem of a profile. */
export interface Problem {
  /** The dotted name of the field, for example `groups.pin.baseUrl`. */
  readonly member: string
  /** Continues a sentence that begins with the field: "is not …". Never quotes what may be a secret. */
  readonly message: string
  readonly suggestion?: string
}

/** A position in the entry of a profile, and all problems found so far. */
export class Reading {
  /** The whole entry, because some checks depend on another setting. */
  readonly entry: Raw
  readonly problems: Problem[]
  readonly path: string

  constructor(entry: Raw, problems: Problem[] = [], path = '') {
    this.entry = entry
    this.problems = problems
    this.path = path
  }

  inside(member: string): Reading {
    return new Reading(this.entry, this.problems, this.path === '' ? member : `${this.path}.${member}`)
  }

  report(message: string, suggestion?: string): undefined {
    const problem = {member: this.path, message}
    this.problems.push(suggestion === undefined ? problem : {...problem, suggestion})
  }
}

/** A type of value: the JSON Schema of its stored form, and how to read it. */
export interface ValueType<T> {
  readonly schema: JsonSchema
  /** The value as cardctl uses it. Undefined after reporting a problem. */
  read(value: unknown, at: Reading): T | undefined
  /** The stored form of what the user passed; for example, a path becomes absolute. */
  store?(given: string, place: Place): string
  /** The message for a required value that is missing. Default: "is missing". */
  readonly missing?: string
  /** The fields of an object with fixed fields. */
  readonly members?: Fields
  /** The type of all values of an object or all items of a list. */
  readonly item?: ValueType<unknown>
}

/** The kinds of values that flags of `profiles add` and `profiles edit` take. */
export type FlagForm =
  | 'text'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'pairs'
  | 'duration'
  | 'percent'
  | 'quota'
  | 'secret'

export interface SettingFlag {
  readonly name: string
  readonly form: FlagForm
  readonly summary: string
  readonly helpValue?: string
  readonly aliases: readonly string[]
}

export const flag = (
  name: string,
  form: FlagForm,
  summary: string,
  helpValue?: string,
  aliases: readonly string[] = [],
): SettingFlag => ({name, form, summary, aliases, ...(helpValue === undefined ? {} : {helpValue})})

/** Everything about one setting. */
export interface Setting<T = unknown> {
  readonly type: ValueType<T>
  /** Its text in docs/commands/settings.md and its description in the JSON Schema, in Markdown. */
  readonly doc: string
  readonly required?: true
  /** A function if the default depends on the rest of the entry. */
  readonly default?: unknown
  readonly flag?: SettingFlag
  /** The environment variable that replaces the stored value, if it isn't named after the flag. */
  readonly env?: string
  /**
   * Protects the service, or says where credentials go. A variable can't change it in a stored profile, unless it sets
   * the stricter value; or not in a live one.
   */
  readonly guarded?: 'always' | 'if live' | {readonly unless: unknown}
}

export type Fields = Readonly<Record<string, Setting>>

type Facts<T> = Omit<Setting<T>, 'type' | 'default'> & {readonly default?: T | ((entry: Raw) => T)}

/** One setting of the schema. */
export function setting<T, const F extends Facts<T>>(
  type: ValueType<T>,
  facts: F,
): F & {readonly type: ValueType<T>} {
  return {...facts, type}
}

type ValueOf<S> = S extends {readonly type: ValueType<infer T>} ? T : never
type Filled = {readonly required: true} | {readonly default: unknown}

/** An object of these fields after reading: required ones and those with a default are always present. */
export type Read<M> = {readonly [K in keyof M as M[K] extends Filled ? K : never]: ValueOf<M[K]>} & {
  readonly [K in keyof M as M[K] extends Filled ? never : K]?: ValueOf<M[K]>
}

export const yesNo: ValueType<boolean> = {
  schema: {type: 'boolean'},
  read: (value, at) => (typeof value === 'boolean' ? value : at.report('must be true or false')),
}

/** @param message is reported if the pattern doesn't match. */
export function text(pattern: RegExp, message: string): ValueType<string> {
  return checkedText(value => (pattern.test(value) ? {value} : {problem: message}), {pattern: pattern.source})
}

export type Checked =
  | {readonly value: string}
  | {readonly problem: string; readonly suggestion?: string | undefined}

/** Text that a function checks; `schema` covers what JSON Schema can express. */
export function checkedText(
  check: (text: string, entry: Raw) => Checked,
  schema: JsonSchema = {},
): ValueType<string> {
  return {
    schema: {type: 'string', ...schema},
    read(value, at) {
      if (typeof value !== 'string') return at.report('must be text')
      const checked = check(value, at.entry)
      return 'value' in checked ? checked.value : at.report(checked.problem, checked.suggestion)
    },
  }
}

/** A URL. The setting `allowInsecure` of the same object permits `http:` to any host. */
export function url(check: (text: string, allowInsecure: boolean) => CheckedUrl): ValueType<string> {
  return checkedText(
    (value, {allowInsecure}) => {
      const checked = check(value, allowInsecure === true)
      return 'url' in checked ? {value: checked.url} : checked
    },
    {pattern: '^[A-Za-z][A-Za-z0-9+.-]*://'},
  )
}

export function oneOf<const T extends string>(values: readonly T[]): ValueType<T> {
  const list = values.join(', ')
  return {
    schema: {enum: values},
    missing: `is missing: one of ${list}`,
    read: (value, at) =>
      values.find(one => one === value) ??
      at.report(`must be one of ${list}`, typeof value === 'string' ? nearestName(value, values) : undefined),
  }
}

export function number(type: 'integer' | 'number', least: number, most: number): ValueType<number> {
  const isInteger = type === 'integer'
  return {
    schema: {type, minimum: least, maximum: most},
    read: (value, at) =>
      typeof value === 'number' && value >= least && value <= most && (!isInteger || Number.isInteger(value))
        ? value
        : at.report(`must be a ${isInteger ? 'whole ' : ''}number from ${least} to ${most}`),
  }
}

/** A reference to a secret, stored as text. */
export const secret: ValueType<SecretReference> = {
  schema: {type: 'string', pattern: '^(env|file|cmd|keyring|secretfile):[^]'},
  missing: 'is missing: give it on stdin or at the prompt, or as env:NAME, file:PATH or cmd:COMMAND',
  read(value, at) {
    if (typeof value !== 'string') return at.report('must be text')
    const reference = storedReference(value)
    return reference ?? at.report('must be a reference to a secret: env:NAME, file:/PATH or cmd:COMMAND')
  },
  store: (given, place) => formatReference(parseReference(given, place)),
}

/** The absolute path of a file. */
export const path: ValueType<string> = {
  ...checkedText(
    value =>
      isAbsolute(value) && !value.includes('\0') ? {value} : {problem: 'must be an absolute path of a file'},
    {minLength: 1},
  ),
  store: (given, place) => (given === '' ? given : absolute(given, place)),
}

export function list<T>(item: ValueType<T>): ValueType<readonly T[]> {
  return {
    schema: {type: 'array', items: item.schema},
    item,
    read(value, at) {
      if (!Array.isArray(value)) return at.report('must be a list')
      return value.flatMap((one: unknown, index) => item.read(one, at.inside(String(index))) ?? [])
    },
  }
}

/**
 * An object whose field names come from a list and whose values all have one type.
 *
 * @param what says what the names are, for a problem: "is not a group of operations".
 */
export function byName<K extends string, T>(
  names: readonly K[],
  item: ValueType<T>,
  what: string,
  check?: (value: Raw, at: Reading) => void,
): ValueType<Readonly<Partial<Record<K, T>>>> {
  return {
    schema: {type: 'object', propertyNames: {enum: names}, additionalProperties: item.schema},
    item,
    read(value, at) {
      if (!isObject(value)) return at.report('must be an object')
      const before = at.problems.length
      const found: Partial<Record<K, T>> = {}
      for (const [name, inner] of Object.entries(value)) {
        const known = names.find(one => one === name)
        if (known === undefined) {
          at.inside(name).report(`is not ${what} (${names.join(', ')})`, nearestName(name, names))
          continue
        }
        const read = item.read(inner, at.inside(name))
        if (read !== undefined) found[known] = read
      }
      if (at.problems.length === before) check?.(value, at)
      return found
    },
  }
}

/** Of the contract, `cards.get.v4`, or of an imported one, `x:shop/orders/get`. */
const OPERATION = /^(?:x:[a-z\d-]+\/[a-z\d-]+\/[a-z\d-]+|[a-z\d]+(?:\.[A-Za-z\d]+)+)$/

/** An object with a value for each of some operations. One that doesn't exist does no harm. */
export function byOperation<T>(item: ValueType<T>): ValueType<Readonly<Record<string, T>>> {
  return {
    schema: {type: 'object', propertyNames: {pattern: OPERATION.source}, additionalProperties: item.schema},
    item,
    read(value, at) {
      if (!isObject(value)) return at.report('must be an object')
      const found = Object.entries(value).flatMap(([name, inner]) => {
        if (!OPERATION.test(name)) {
          at.inside(name).report('is not the id of an operation, such as cards.get.v4')
          return []
        }
        const read = item.read(inner, at.inside(name))
        return read === undefined ? [] : [[name, read] as const]
      })
      return Object.fromEntries(found)
    },
  }
}

/** An object with settings of its own. Unknown fields stay: a newer version may have written them. */
export function object<const M extends Fields>(
  members: M,
  check?: (value: Raw, at: Reading) => void,
): ValueType<Read<M>> & {readonly members: M} {
  return {
    schema: objectSchema(members),
    members,
    read(value, at) {
      if (!isObject(value)) return at.report('must be an object')
      check?.(value, at)
      return readFields(members, value, at)
    },
  }
}

interface ObjectSchema extends JsonSchema {
  readonly properties: JsonSchema
  readonly required: readonly string[]
}

export function objectSchema(members: Fields): ObjectSchema {
  const properties = Object.entries(members).map(([name, {type, doc}]) => [
    name,
    {...type.schema, description: doc.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')},
  ])
  const required = Object.keys(members).filter(name => members[name]?.required)
  return {type: 'object', properties: Object.fromEntries(properties), required}
}

/** Reads the fields of an object. A missing field gets its default. */
export function readFields<M extends Fields>(members: M, value: Raw, at: Reading): Read<M> {
  const read: Record<string, unknown> = {}
  for (const [name, {type, required, default: defaultValue}] of Object.entries(members)) {
    const fallback: unknown = typeof defaultValue === 'function' ? defaultValue(at.entry) : defaultValue
    const isThere = Object.hasOwn(value, name)
    if (required && !isThere) at.inside(name).report(type.missing ?? 'is missing')
    const found = isThere ? type.read(value[name], at.inside(name)) : undefined
    if (found === undefined && fallback === undefined) continue
    read[name] = isObject(fallback) && isObject(found) ? {...fallback, ...found} : (found ?? fallback)
  }
  return read as Read<M>
}
