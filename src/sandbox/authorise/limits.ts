import {amountOf} from '../amounts.ts'
import type {Account} from '../state/account.ts'
import type {Card, UsageLimit} from '../state/card.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import type {Refusal} from './card-state.ts'
import {isCash, type Transaction} from './transaction.ts'
import {breachOf, type LimitOwner, leftOf, usageOf} from './usage.ts'

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
