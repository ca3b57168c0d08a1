import {isObject} from '../errors/is-object.ts'
import type {AmountMark, AnyInput, Operation} from './operation.ts'

/** A value with a warning in the contract. */
interface MarkedValue {
  readonly value: string
  readonly warning: string
}

/**
 * The values in a request that can't be undone, without duplicates. A service may be lenient about capital letters,
 * blanks and signs, take a number for the place of a value in its list, or look into a list or object, so these checks
 * are too: what is no word may be any of the values.
 */
export function irreversibleIn(
  {irreversible}: Pick<Operation, 'irreversible'>,
  input: AnyInput,
): readonly MarkedValue[] {
  const found = irreversible.flatMap(({pointer, values, warning}) =>
    inputAt(input, pointer).flatMap(given =>
      values.filter(value => couldBe(given, value)).map(value => [value, {value, warning}] as const),
    ),
  )
  return [...new Map(found).values()]
}

/** The contract's warnings about values in a request that do something unexpected, without duplicates. */
export const hazardsIn = (
  operation: Pick<Operation, 'hazards' | 'wholes'>,
  input: AnyInput,
): readonly string[] => [
  ...unexpectedIn(operation, input),
  ...clearedIn(operation, input).map(({warning}) => warning),
]

/** Of these, those about values that are given. */
export const unexpectedIn = ({hazards}: Pick<Operation, 'hazards'>, input: AnyInput): readonly string[] => [
  ...new Set(
    hazards
      .filter(({pointer, value}) => inputAt(input, pointer).some(given => String(given) === String(value)))
      .map(({warning}) => warning),
  ),
]

/** What a part of an object would clear, because the object is replaced as a whole. */
export interface Cleared {
  readonly warning: string
  /** `address` */
  readonly name: string
  /** Those that are not given, not even as null. */
  readonly missing: readonly string[]
}

export function clearedIn({wholes = []}: Pick<Operation, 'wholes'>, input: AnyInput): readonly Cleared[] {
  return wholes.flatMap(({pointer, members}) => {
    const name = memberAt(pointer)
    return membersNamed(input.body, name).flatMap(given => {
      if (!isObject(given)) return []
      const missing = members.filter(member => !Object.hasOwn(given, member))
      if (missing.length === 0) return []
      const warning = `The whole ${name} is replaced, so what is not given is cleared: ${missing.join(', ')}.`
      return {warning, name, missing}
    })
  })
}

const memberAt = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

function couldBe(given: unknown, value: string): boolean {
  if (given === null) return false
  const word = typeof given === 'string' ? plainWord(given) : ''
  return word === plainWord(value) || (given !== '' && !/\p{L}/u.test(word))
}

/** A mark points into the body, or names a path parameter: `path:NAME`. Its member counts wherever the body has it. */
function inputAt(input: AnyInput, pointer: string): readonly unknown[] {
  if (!pointer.startsWith('path:')) return membersNamed(input.body, memberAt(pointer))
  const value = input.path[pointer.slice('path:'.length)]
  return value === undefined ? [] : [value]
}

/** As a lenient service may read a word: without case, width, blanks, signs, and what nobody sees. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * The names that a lenient service may take a name for, as plain words: also decoded, and each part of `x[status]`,
 * `status[0]` and `x.status`.
 */
export function plainNames(name: string): readonly string[] {
  const known = found.get(name)
  if (known !== undefined) return known
  const text = decodedWhole(name).normalize('NFKC')
  const names = [...new Set([text, ...text.split(/[[\].]/)].map(plainWord))].filter(one => one !== '')
  if (found.size >= MOST_KEPT) found.clear()
  found.set(name, names)
  return names
}

/** Rows of a job have the same few names. */
const found = new Map<string, readonly string[]>()
const MOST_KEPT = 1000

/** The members of a value, at any depth, that a lenient service may take for the one of this name. */
export function membersNamed(value: unknown, name: string): readonly unknown[] {
  const word = plainWord(name)
  return [...allMembers(value)].flatMap(([given, member]) =>
    given === name || plainNames(given).includes(word) ? [member] : [],
  )
}

/** All members of a value with their names, at any depth. */
function* allMembers(value: unknown): Generator<readonly [string, unknown]> {
  const open = [value]
  for (const one of open) {
    if (typeof one !== 'object' || one === null || Buffer.isBuffer(one)) continue
    if (!Array.isArray(one)) yield* Object.entries(one)
    // One by one: a list may be longer than a call has room for arguments.
    for (const inner of Object.values(one)) if (typeof inner === 'object') open.push(inner)
  }
}

/** The names of all members of a value, at any depth. */
export const memberNames = (value: unknown): readonly string[] => [...allMembers(value)].map(([name]) => name)

/** Names, and the plain words that none of them may mean. */
interface Forbidden {
  readonly names: readonly string[]
  readonly meant: RegExp | readonly string[]
}

/** The first rule of which a name is one that a lenient service may take for what is meant, with that name. */
export function findMeant<R extends Forbidden>(
  rules: readonly R[],
): (R & {readonly name: string}) | undefined {
  for (const rule of rules) {
    const {names, meant} = rule
    const isMeant = (word: string) => (meant instanceof RegExp ? meant.test(word) : meant.includes(word))
    const name = names.find(one => plainNames(one).some(isMeant))
    if (name !== undefined) return {...rule, name}
  }
  return undefined
}

/** How often a text could be decoded on its way: by proxies, and by the service. */
const DECODED = 10

/** Decoded as often as it could be on its way. */
export function decodedWhole(text: string): string {
  let whole = text
  for (let times = 0; times < DECODED && whole.includes('%'); times++)
    whole = whole.replaceAll(/(?:%[0-9a-f]{2})+/gi, run => decoded(run) ?? run)
  return whole
}

export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** An amount of a request. */
export interface FoundAmount extends Pick<AmountMark, 'unlimited'> {
  /** Its field for people, with the codes of the items that it is in: `usageLimits DAY ALL sumAmount`. */
  readonly name: string
  readonly value: number
  readonly currency?: string
}

/** The amounts of a request, as the contract marks them. Text counts if it is a number: a service may be lenient. */
export function amountsIn(
  {amounts = []}: Pick<Operation, 'amounts'>,
  {body}: Pick<AnyInput, 'body'>,
): readonly FoundAmount[] {
  return amounts.flatMap(mark => [...amountsAt(body, mark.pointer.split('/').slice(1), mark, [])])
}

/**
 * Whether a request may end limits. A list of them replaces the whole list before, so what it leaves out has none, and
 * nobody can tell what was there.
 */
export const liftsLimits = (
  {amounts = []}: Pick<Operation, 'amounts'>,
  {body}: Pick<AnyInput, 'body'>,
): boolean =>
  amounts.some(({pointer, unlimited}) => {
    const [, list = '', item] = pointer.split('/')
    return unlimited === true && item === '*' && membersOf(body, list).length > 0
  })

/** Members of an account that move money, or let it be moved, without an amount: the contract knows no limit of them. */
const OPENING = ['customerId', 'externalBalanceCheck', 'additionalValues']

/** Whether a change of an account hands its money to another owner, or may turn off the check of its balance. */
export const opensAccount = (
  {topic, effect}: Pick<Operation, 'topic' | 'effect'>,
  {body}: AnyInput,
): boolean =>
  topic === 'accounts' &&
  effect !== 'read' &&
  OPENING.some(name => membersNamed(body, name).some(value => value !== false))

/** The members of that name, however it is written. */
const membersOf = (value: unknown, name: string): readonly unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([each, member]) =>
        plainNames(each).includes(plainWord(name)) ? [member] : [],
      )

function* amountsAt(
  value: unknown,
  [token, ...rest]: readonly string[],
  mark: AmountMark,
  names: readonly string[],
): Generator<FoundAmount> {
  if (typeof value !== 'object' || value === null || token === undefined) return
  if (token === '*') {
    if (!Array.isArray(value)) return
    for (const [at, item] of value.entries()) yield* amountsAt(item, rest, mark, [...names, nameOf(item, at)])
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (!plainNames(name).includes(plainWord(token))) continue
    if (rest.length > 0) yield* amountsAt(member, rest, mark, [...names, name])
    else {
      const amount = numberOf(member)
      if (amount === undefined) continue
      const {currency: beside, unlimited} = mark
      const currency = beside === undefined ? undefined : (value as Record<string, unknown>)[beside]
      yield {
        name: [...names, name].join(' '),
        value: amount,
        ...(typeof currency === 'string' ? {currency} : {}),
        ...(unlimited ? {unlimited} : {}),
      }
    }
  }
}

const nameOf = (item: unknown, at: number): string => {
  const code = typeof item === 'object' && item !== null && 'code' in item ? item.code : undefined
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : String(at + 1)
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value.normalize('NFKC')) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
