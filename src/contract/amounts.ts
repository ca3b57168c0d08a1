import type {AmountMark, AnyInput, Operation} from './operation.ts'
import {plainNames, plainWord} from './plain-names.ts'

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
