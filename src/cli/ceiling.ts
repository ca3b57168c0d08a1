import {amountsIn, type FoundAmount} from '../contract/marked-values.ts'
import {type AnyInput, leavesRecord, type Operation} from '../contract/operation.ts'
import {decimalText} from '../money/amount.ts'
import {shownNumber} from '../money/decimal-sign.ts'
import type {Demand} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'

type Rules = Pick<Target, 'name' | 'ceiling'>

/**
 * The demand that a request needs because of an amount above the profile's ceiling. Only a person at a terminal can
 * agree.
 */
export function ceilingDemands(target: Rules, operation: Operation, input: AnyInput): readonly Demand[] {
  const words = overCeiling(target, operation, input)
  return words === undefined ? [] : [ceilingDemand(target, `${words}.`)]
}

export const ceilingDemand = ({name}: Pick<Rules, 'name'>, warning: string): Demand => ({
  yes: false,
  warning,
  refusal: `The profile ${name} sets this ceiling. A person can send it in a terminal. The ceiling is for the person to decide who looks after the profile.`,
})

/** Which amounts of a write are above the ceiling, as a sentence without a full stop; undefined if none is. */
export function overCeiling(
  {ceiling}: Pick<Rules, 'ceiling'>,
  operation: Operation,
  input: AnyInput,
): string | undefined {
  if (ceiling.length === 0 || operation.effect === 'read' || !leavesRecord(operation)) return undefined
  const limits = limitsOf(ceiling)
  const over = amountsIn(operation, input).flatMap(amount => {
    const limit = limitFor(amount, limits)
    const isOver = limit !== undefined && (Math.abs(amount.value) > limit || meansNoLimit(amount))
    return isOver ? [{amount, limit}] : []
  })
  const [first] = over.toSorted((a, b) => rank(b.amount) - rank(a.amount))
  if (first === undefined) return undefined
  const {amount, limit} = first
  const above = `the ceiling of ${money(limit, amount.currency)}`
  const words = meansNoLimit(amount)
    ? `${amount.name} 0 means no limit, so it is above ${above}`
    : `${amount.name} ${money(amount.value, amount.currency)} is above ${above}`
  const others = over.length - 1
  return others === 0 ? words : `${words}, and so ${others === 1 ? 'is' : 'are'} ${others} more`
}

const meansNoLimit = ({unlimited, value}: FoundAmount): boolean => unlimited === true && value === 0

const rank = (amount: FoundAmount): number =>
  meansNoLimit(amount) ? Number.POSITIVE_INFINITY : Math.abs(amount.value)

const money = (value: number, currency: string | undefined): string =>
  `${currency === undefined ? '' : `${currency} `}${shownNumber(decimalText(value))}`

type Limits = ReadonlyMap<string, number>

/** By currency; the one without a currency under the empty name. */
function limitsOf(ceiling: readonly string[]): Limits {
  const limits = new Map<string, number>()
  for (const rule of ceiling) {
    const [amount = '', currency = ''] = rule.split(':').toReversed()
    limits.set(currency, Math.min(Number(amount), limits.get(currency) ?? Number.POSITIVE_INFINITY))
  }
  return limits
}

/** Where a request names no currency, as for a credit limit, any of them may be meant: the lowest counts. */
function limitFor({currency}: FoundAmount, limits: Limits): number | undefined {
  const own = currency === undefined ? undefined : limits.get(currency)
  const general = own ?? limits.get('')
  return general ?? (currency === undefined ? Math.min(...limits.values()) : undefined)
}
