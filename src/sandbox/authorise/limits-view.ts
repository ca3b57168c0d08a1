import {amountOf} from '../amounts.ts'
import type {UsageLimit} from '../state/card.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import {type LimitOwner, leftOf, usageOf} from './usage.ts'

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
