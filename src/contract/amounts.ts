import type {AmountMark, AnyInput, Operation} from './operation.ts'
import {membersNamed, plainNames, plainWord} from './plain-names.ts'

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
 * Whether a request replaces limits by none: an empty list where the contract has amounts of limits, or an item of it
 * without any of them, such as a mere count.
 */
export function liftsLimits(
  {amounts = []}: Pick<Operation, 'amounts'>,
  {body}: Pick<AnyInput, 'body'>,
): boolean {
  const lists = new Map<string, string[]>()
  for (const {pointer, unlimited} of amounts) {
    const end = pointer.lastIndexOf('/')
    const list = pointer.slice(0, end)
    if (unlimited && list.endsWith('*')) lists.set(list, [...(lists.get(list) ?? []), pointer.slice(end + 1)])
  }
  return [...lists].some(([list, fields]) => {
    const [first = '', ...rest] = list.split('/').slice(1)
    return membersOf(body, first).some(member => isLifted(member, rest, fields))
  })
}

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

function isLifted(value: unknown, [token, ...rest]: readonly string[], fields: readonly string[]): boolean {
  if (token === undefined)
    return !fields.some(field => membersOf(value, field).some(each => numberOf(each) !== undefined))
  const below = token === '*' ? (Array.isArray(value) ? value : []) : membersOf(value, token)
  return below.length === 0 || below.some(each => isLifted(each, rest, fields))
}

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
