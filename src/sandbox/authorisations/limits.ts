import type {Account} from '../accounts/account.ts'
import {amountOf, minorOf} from '../amounts.ts'
import type {Card, UsageLimit, UsageLimitValue} from '../cards/card.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import type {Authorisation} from './authorisation.ts'
import type {Refusal} from './card-state.ts'
import {isCash, type Transaction} from './transaction.ts'

type Period = UsageLimit['code']
type Use = UsageLimitValue['code']

/** `count` of this means that none is in effect. */
const NO_COUNT = 9_999_999
const DAY = 24 * 60 * 60 * 1000
const PAGE = 100

/** What was spent within a limit's period, in minor units, and how often. */
interface Usage {
  readonly minor: bigint
  readonly count: number
}

/** Whose limits they are, and when their counters were set to zero. */
interface LimitOwner {
  readonly where: {readonly cardId: string} | {readonly accountId: string}
  readonly currency: string
  readonly resets: Readonly<Record<string, number>>
}

/** The first instant of a period that holds `now`. Days, weeks (from Monday) and months are those of UTC. */
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

/** What was used of one value of a limit. */
async function usageOf(
  tx: StoreTransaction,
  owner: LimitOwner,
  period: Period,
  use: Use,
  now: number,
): Promise<Usage> {
  const since = Math.max(periodStart(period, now), owner.resets[`${period}/${use}`] ?? 0)
  let usage: Usage = {minor: 0n, count: 0}
  for (let offset = 0; ; offset += PAGE) {
    const page = await tx.authorisations.list({where: owner.where, order: 'newest', limit: PAGE, offset})
    const within = page.filter(one => one.createdAt >= since)
    usage = within.filter(one => counts(one, use)).reduce(added, usage)
    if (within.length < PAGE) return usage
  }
}

const CASH = new Set(['ATM', 'CASH_DISBURSEMENT'])

function counts(authorisation: Authorisation, use: Use): boolean {
  if (authorisation.billed.minor === '0') return false
  return use === 'ALL' || (use === 'ATM') === CASH.has(authorisation.transactionType)
}

/** An increment adds to the sum of a purchase that was counted already. */
function added(usage: Usage, {billed, isIncrement}: Authorisation): Usage {
  return {minor: usage.minor + BigInt(billed.minor), count: usage.count + (isIncrement ? 0 : 1)}
}

type LimitBreach = 'amount' | 'frequency'

/**
 * Whether a purchase goes beyond a limit. 0 means no limit of an amount; 9999999 none of a count.
 * @param minor of the account's currency.
 */
function breachOf(
  value: UsageLimitValue,
  usage: Usage,
  minor: bigint,
  isIncrement: boolean,
  currency: string,
): LimitBreach | undefined {
  const single = limitMinor(value.singleAmount, currency)
  const sum = limitMinor(value.sumAmount, currency)
  if (single !== undefined && minor > single) return 'amount'
  if (sum !== undefined && usage.minor + minor > sum) return 'amount'
  const count = limitCount(value.count)
  return count !== undefined && !isIncrement && usage.count + 1 > count ? 'frequency' : undefined
}

/** What reads add to a limit's value: what is left of it, null where there is no limit. */
function leftOf(value: UsageLimitValue, usage: Usage, currency: string) {
  const sum = limitMinor(value.sumAmount, currency)
  const count = limitCount(value.count)
  return {
    minor: sum === undefined ? undefined : atLeastZero(sum - usage.minor),
    count: count === undefined ? undefined : Math.max(0, count - usage.count),
  }
}

const atLeastZero = (minor: bigint) => (minor < 0n ? 0n : minor)

function limitMinor(amount: number | null | undefined, currency: string): bigint | undefined {
  return amount == null || amount === 0 ? undefined : minorOf(amount, currency, '/usageLimits')
}

function limitCount(count: number | null | undefined): number | undefined {
  return count == null || count >= NO_COUNT ? undefined : count
}

const owners = (card: Card, account: Account) => [
  {name: 'card', limits: card.usageLimits, owner: cardLimitOwner(card, account.currencies)},
  {name: 'account', limits: account.usageLimits, owner: accountLimitOwner(account)},
]

/** The limits of a card are in the first currency of its account. */
export function cardLimitOwner({id}: Card, [currency = 'EUR']: Account['currencies']): LimitOwner {
  return {where: {cardId: id}, currency, resets: {}}
}

export function accountLimitOwner({id, currencies, limitResets}: Account): LimitOwner {
  return {where: {accountId: id}, currency: currencies[0] ?? 'EUR', resets: limitResets}
}

/**
 * Whether a purchase goes beyond a limit of the card or its account.
 * @param minor what it takes, in the account's first currency.
 */
export async function refusedByLimit(
  tx: StoreTransaction,
  card: Card,
  account: Account,
  purchase: Transaction,
  minor: bigint,
  now: number,
): Promise<Refusal | undefined> {
  for (const {name, limits, owner} of owners(card, account)) {
    for (const {period, value} of applying(limits, purchase)) {
      const usage = await usageOf(tx, owner, period, value.code, now)
      const isIncrement = purchase.transactionId !== undefined
      const breach = breachOf(value, usage, minor, isIncrement, owner.currency)
      const what = `the ${period} limit of the ${name} for ${value.code}`
      if (breach === 'amount') return {code: '61', reason: `${what} is exceeded`}
      if (breach === 'frequency') return {code: '65', reason: `${what} is used up`}
    }
  }
  return undefined
}

function applying(limits: readonly UsageLimit[], purchase: Transaction) {
  const use = isCash(purchase) ? 'ATM' : 'RETAIL'
  return limits.flatMap(({code, values}) =>
    values.filter(value => value.code === 'ALL' || value.code === use).map(value => ({period: code, value})),
  )
}

/** Limits as reads show them: with what is left of each, null where there is no limit. */
export function limitsView(
  tx: StoreTransaction,
  limits: readonly UsageLimit[],
  owner: LimitOwner,
  now: number,
) {
  return Promise.all(
    limits.map(async ({code, values}) => ({
      code,
      values: await Promise.all(
        values.map(async value => {
          const left = leftOf(value, await usageOf(tx, owner, code, value.code, now), owner.currency)
          return {
            ...value,
            availableAmount: left.minor === undefined ? null : amountOf(left.minor, owner.currency),
            availableCount: left.count ?? null,
          }
        }),
      ),
    })),
  )
}
