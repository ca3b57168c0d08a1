import {isObject} from '../errors/is-object.ts'
import {formatReference, type SecretReference} from './reference.ts'

/** A change of one setting that makes a profile permit more, or lead elsewhere. */
export interface SettingChange {
  /** Its dotted name. */
  readonly setting: string
  /** Both as a person reads them; undefined where it has no value. References in place of secrets. */
  readonly from: string | undefined
  readonly to: string | undefined
}

/** What a change of the stored profiles takes from a live one. */
export interface Loosening {
  /** The live profile whose rules or addresses would no longer hold. */
  readonly profile: string
  readonly baseUrl: string
  /** It is removed as a whole. */
  readonly isRemoved: boolean
  /** Another profile would name its host, with looser rules than any that names it now. */
  readonly by?: string
  readonly changes: readonly SettingChange[]
}

/**
 * Finds what a change of one setting loosens, from its values before and after, with defaults. A value that couldn't be
 * read is given as it is stored, and counts as the strictest. `loosening.ts` says of each setting which one it has.
 */
export type Direction = (
  before: unknown,
  after: unknown,
  name: string,
  /** All settings before. */
  all?: Readonly<Record<string, unknown>>,
) => readonly SettingChange[]

/** Says nothing about what is permitted, or where requests go. */
export const free: Direction = () => []

/** Any change counts. */
export const fixed: Direction = (before, after, name) =>
  leaves(before, after, name).filter(({from, to}) => from !== to)

/** To replace or remove a value counts; to add one doesn't. */
export const kept: Direction = (before, after, name) =>
  fixed(before, after, name).filter(({from}) => from !== undefined)

/** Only a change to this value doesn't count. */
export const strictest =
  (value: unknown): Direction =>
  (before, after, name) =>
    after === value ? [] : fixed(before, after, name)

/** A list of what is permitted: each item more counts, also the first. */
export const permits: Direction = (before, after, name) => {
  const known = listOf(before).map(textOf)
  return listOf(after).every(item => known.includes(textOf(item))) ? [] : fixed(before, after, name)
}

/** A number: a higher one counts. */
export const atMost: Direction = (before, after, name) =>
  before === undefined || Number(after) <= Number(before) ? [] : fixed(before, after, name)

/** A number: a lower one counts. */
export const atLeast: Direction = (before, after, name) =>
  before === undefined || Number(after) >= Number(before) ? [] : fixed(before, after, name)

/** A list of what a second person must approve: kinds of requests, and amounts from which on. */
export const demands: Direction = (before, after, name) => {
  const [old, now] = [amounts(before), amounts(after)]
  const isLooser = [...old].some(([rule, amount]) => (now.get(rule) ?? Number.POSITIVE_INFINITY) > amount)
  return isLooser || !Array.isArray(before) ? fixed(before, after, name) : []
}

/** A list of highest amounts, by currency or for all others. */
export const ceilings: Direction = (before, after, name) => {
  const [old, now] = [amounts(before), amounts(after)]
  const rules = new Set([...old.keys(), ...now.keys(), '', NO_CURRENCY])
  const isLooser = [...rules].some(rule => ceilingOf(rule, now) > ceilingOf(rule, old))
  return isLooser || !Array.isArray(before) ? fixed(before, after, name) : []
}

/** An object with settings of its own. The table has all of them, or it doesn't compile. */
export const inside =
  <Of>(table: {readonly [Name in keyof Of]-?: Direction}): Direction =>
  (before = {}, after = {}, name) =>
    isObject(before) && isObject(after)
      ? Object.entries<Direction>(table).flatMap(([member, direction]) =>
          direction(valueAt(before, member), valueAt(after, member), `${name}.${member}`),
        )
      : fixed(before, after, name)

/** An object with any names, whose values all have one direction. */
export const each =
  (direction: Direction): Direction =>
  (before = {}, after = {}, name) => {
    if (!isObject(before) || !isObject(after)) return fixed(before, after, name)
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(member =>
      direction(valueAt(before, member), valueAt(after, member), `${name}.${member}`),
    )
  }

const valueAt = (owner: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(owner, member) ? owner[member] : undefined

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const NO_CURRENCY = '-'

/** The lowest amount of each rule, which is a currency, or a kind of request without one. */
function amounts(value: unknown): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const rule of listOf(value)) {
    const [, currency = '', amount] = /^(?:([A-Za-z]{3}):)?(\d+(?:\.\d+)?)$/.exec(String(rule)) ?? []
    const name = amount === undefined ? String(rule) : currency.toUpperCase()
    const number = amount === undefined ? 0 : Number(amount)
    found.set(name, Math.min(number, found.get(name) ?? Number.POSITIVE_INFINITY))
  }
  return found
}

/** A request that names no currency is held against the ceiling without one, else against the lowest. */
function ceilingOf(currency: string, limits: ReadonlyMap<string, number>): number {
  const general = limits.get('')
  if (currency === NO_CURRENCY) return general ?? Math.min(...limits.values())
  return limits.get(currency) ?? general ?? Number.POSITIVE_INFINITY
}

/** The values of a setting, or of those inside it, before and after. */
function leaves(before: unknown, after: unknown, name: string): readonly SettingChange[] {
  const isTree =
    [before, after].some(isBranch) && [before, after].every(one => one === undefined || isBranch(one))
  if (!isTree) return [change(before, after, name)]
  const [old, now] = [isBranch(before) ? before : {}, isBranch(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap(member =>
    leaves(valueAt(old, member), valueAt(now, member), `${name}.${member}`),
  )
}

const change = (before: unknown, after: unknown, setting: string): SettingChange => ({
  setting,
  from: before === undefined ? undefined : textOf(before),
  to: after === undefined ? undefined : textOf(after),
})

const isReference = (value: unknown): value is SecretReference =>
  isObject(value) && 'source' in value && 'locator' in value

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !isReference(value)

function textOf(value: unknown): string {
  if (isReference(value)) return formatReference(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
