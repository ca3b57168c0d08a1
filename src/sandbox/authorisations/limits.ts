import type {Account} from '../accounts/account.ts'
import {amountOf, minorOf} from '../amounts.ts'
import type {Card, UsageLimit, UsageLimitValue} from '../cards/card.ts'
import type {Transaction} from '../store/store.ts'
import type {Authorisation} from './authorisation.ts'
import type {Decline} from './card-state.ts'
import {isCash, isCashType, type Purchase} from './purchase.ts'

/** The time, epoch ms. What never looks at it gives the same result until a row changes. */
export interface Clock {
  readonly now: number
}

/** Whose limits they are, and when their counters were reset. */
interface LimitOwner {
  readonly where: {readonly cardId: string} | {readonly accountId: string}
  readonly currency: string
  readonly resets: Readonly<Record<string, number>>
}

/** The limits of a card are in the first currency of its account. */
export function cardLimitOwner({id}: Card, [currency = 'EUR']: Account['currencies']): LimitOwner {
  return {where: {cardId: id}, currency, resets: {}}
}

export function accountLimitOwner({id, currencies, limitResets}: Account): LimitOwner {
  return {where: {accountId: id}, currency: currencies[0] ?? 'EUR', resets: limitResets}
}

/**
 * The decline of a purchase that exceeds a limit of the card or its account.
 * @param minor of the purchase, in the account's first currency.
 */
export async function declinedByLimit(
  tx: Transaction,
  card: Card,
  account: Account,
  purchase: Purchase,
  minor: bigint,
  now: number,
): Promise<Decline | undefined> {
  const owners = [
    {name: 'card', limits: card.usageLimits, owner: cardLimitOwner(card, account.currencies)},
    {name: 'account', limits: account.usageLimits, owner: accountLimitOwner(account)},
  ]
  for (const {name, limits, owner} of owners) {
    const counted = await countedFor(tx, owner, limits, {now})
    for (const {period, value} of limitsOn(limits, purchase)) {
      const single = limitMinor(value.singleAmount, owner.currency)
      const left = leftOf(counted, owner, period, value, now)
      const what = `the ${period} limit of the ${name} for ${value.code}`
      if ([single, left.minor].some(limit => limit !== undefined && minor > limit)) {
        return {code: '61', reason: `${what} is exceeded`}
      }
      // An increment belongs to a purchase that was counted already.
      if (left.count !== undefined && left.count < 1 && purchase.transactionId === undefined) {
        return {code: '65', reason: `${what} is used up`}
      }
    }
  }
  return undefined
}

function limitsOn(limits: readonly UsageLimit[], purchase: Purchase) {
  const use = isCash(purchase) ? 'ATM' : 'RETAIL'
  return limits.flatMap(({code, values}) =>
    values.filter(value => value.code === 'ALL' || value.code === use).map(value => ({period: code, value})),
  )
}

/** The limits as a read shows them, with what is left of each; null if there is no limit. */
export async function limitsView(
  tx: Transaction,
  limits: readonly UsageLimit[],
  owner: LimitOwner,
  clock: Clock,
) {
  const counted = await countedFor(tx, owner, limits, clock)
  const valueView = (period: Period, value: UsageLimitValue) => {
    if (counted.length === 0) {
      const availableAmount = hasSum(value) ? value.sumAmount : null
      return {...value, availableAmount, availableCount: hasCount(value) ? value.count : null}
    }
    const {minor, count} = leftOf(counted, owner, period, value, clock.now)
    return {
      ...value,
      availableAmount: minor === undefined ? null : amountOf(minor < 0n ? 0n : minor, owner.currency),
      availableCount: count === undefined ? null : Math.max(0, count),
    }
  }
  return limits.map(({code, values}) => ({code, values: values.map(value => valueView(code, value))}))
}

type Period = UsageLimit['code']

/** A `count` that means no limit. */
const NO_COUNT = 9_999_999
const DAY = 24 * 60 * 60 * 1000
const PAGE = 100

/** The authorisations of the longest period among the limits, newest first; none if no limit counts any. */
async function countedFor(
  tx: Transaction,
  owner: LimitOwner,
  limits: readonly UsageLimit[],
  clock: Clock,
): Promise<readonly Authorisation[]> {
  const counting = limits.filter(({values}) => values.some(value => hasSum(value) || hasCount(value)))
  if (counting.length === 0) return []
  const counted: Authorisation[] = []
  for (let offset = 0; ; offset += PAGE) {
    const page = await tx.authorisations.list({where: owner.where, order: 'newest', limit: PAGE, offset})
    // Without authorisations, a read of a limit doesn't depend on the time.
    if (page.length === 0) return counted
    const since = Math.min(...counting.map(({code}) => periodStart(code, clock.now)))
    const within = page.filter(one => one.createdAt >= since)
    counted.push(...within)
    if (within.length < PAGE) return counted
  }
}

/** What is left of a limit in its period. Negative if the limit was lowered since; undefined without a limit. */
function leftOf(
  counted: readonly Authorisation[],
  owner: LimitOwner,
  period: Period,
  value: UsageLimitValue,
  now: number,
): {minor: bigint | undefined; count: number | undefined} {
  const left = {
    minor: limitMinor(value.sumAmount, owner.currency),
    count: hasCount(value) ? value.count : undefined,
  }
  const since = Math.max(periodStart(period, now), owner.resets[`${period}/${value.code}`] ?? 0)
  for (const one of counted) {
    if (one.createdAt < since || !countsFor(one, value.code)) continue
    if (left.minor !== undefined) left.minor -= BigInt(one.billed.minor)
    if (left.count !== undefined && !one.isIncrement) left.count -= 1
  }
  return left
}

const hasSum = (value: UsageLimitValue): value is UsageLimitValue & {sumAmount: number} =>
  value.sumAmount != null && value.sumAmount !== 0

const hasCount = (value: UsageLimitValue): value is UsageLimitValue & {count: number} =>
  value.count != null && value.count < NO_COUNT

function countsFor({billed, transactionType}: Authorisation, use: UsageLimitValue['code']): boolean {
  if (billed.minor === '0') return false
  return use === 'ALL' || (use === 'ATM') === isCashType(transactionType)
}

/** The first instant of the period that contains `now`. Days, weeks (from Monday) and months are in UTC. */
function periodStart(period: Period, now: number): number {
  const date = new Date(now)
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  switch (period) {
    case '24H':
      return now - DAY + 1
    case 'DAILY':
      return midnight
    case 'WEEKLY':
      return midnight - ((date.getUTCDay() + 6) % 7) * DAY
    case 'MONTHLY':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  }
}

/** 0 means no limit. */
function limitMinor(amount: number | null | undefined, currency: string): bigint | undefined {
  return amount == null || amount === 0 ? undefined : minorOf(amount, currency, '/usageLimits')
}
