import {badRequest, conflict} from '../problems.ts'
import type {PricePeriod} from '../state/price-list.ts'

export type PeriodState = 'active' | 'expired' | 'future'

const startOf = (period: PricePeriod) => Date.parse(period.validFrom)
const endOf = (period: PricePeriod) =>
  period.validTo === null ? Number.POSITIVE_INFINITY : Date.parse(period.validTo)

/** A period holds its first instant and not its last. */
export function periodState(period: PricePeriod, now: number): PeriodState {
  if (now < startOf(period)) return 'future'
  return now < endOf(period) ? 'active' : 'expired'
}

/** @throws Problem 409 when a period in its state may not change so; the same value again is no change. */
export function checkStateAllows(before: PricePeriod, after: PricePeriod, now: number): void {
  const state = periodState(before, now)
  const changed = (['validFrom', 'validTo', 'value', 'priceListId'] as const).filter(
    member => before[member] !== after[member],
  )
  if (state === 'expired' && changed.length > 0) {
    throw conflict('period-expired', 'The period has expired; nothing of it can be changed.')
  }
  if (state === 'active' && changed.some(member => member !== 'validTo')) {
    throw conflict('period-active', 'The period is active; only validTo can be changed.')
  }
}

/** @throws Problem 400 when a period would end before it begins. */
export function checkOrder(period: PricePeriod): void {
  if (endOf(period) <= startOf(period)) {
    throw badRequest('period-empty', 'validTo must be later than validFrom.')
  }
}

/**
 * Of the periods of all lists with one code none may run into the next: `validTo` (never, when open) may not pass the
 * `validFrom` of a later one.
 *
 * @param others the other periods of those lists.
 * @throws Problem 409
 */
export function checkNoOverlap(period: PricePeriod, others: readonly PricePeriod[]): void {
  const overlaps = others.some(other => startOf(other) < endOf(period) && startOf(period) < endOf(other))
  if (overlaps) {
    throw conflict('period-overlap', 'validTo may not pass the validFrom of another period of the same code.')
  }
}
