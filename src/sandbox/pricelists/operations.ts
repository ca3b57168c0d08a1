import type {Handlers} from '../handlers.ts'
import {badRequest, conflict, existing} from '../problems.ts'
import type {Stored, Transaction} from '../store/store.ts'

export interface PriceList extends Stored {
  readonly code: string
}

/** When a price of a list applies. A `validTo` of null means no end. */
export interface PricePeriod extends Stored {
  readonly priceListId: string
  /** RFC 3339 with Z, as the client sent it. */
  readonly validFrom: string
  readonly validTo: string | null
  readonly value: number
}

export type PeriodState = 'active' | 'expired' | 'future'

const startOf = (period: PricePeriod) => Date.parse(period.validFrom)
const endOf = (period: PricePeriod) =>
  period.validTo === null ? Number.POSITIVE_INFINITY : Date.parse(period.validTo)

/** A period includes its first instant but not its last. */
export function periodState(period: PricePeriod, now: number): PeriodState {
  if (now < startOf(period)) return 'future'
  return now < endOf(period) ? 'active' : 'expired'
}

/** @throws Problem 409 if the state of the period does not allow the change. The same value is no change. */
export function checkStateAllows(before: PricePeriod, after: PricePeriod, now: number): void {
  const state = periodState(before, now)
  const changed = (['validFrom', 'validTo', 'value', 'priceListId'] as const).filter(
    member => before[member] !== after[member],
  )
  if (state === 'expired' && changed.length > 0) {
    throw conflict('period-expired', 'The period has expired and can no longer be changed.')
  }
  if (state === 'active' && changed.some(member => member !== 'validTo')) {
    throw conflict('period-active', 'The period is active; only validTo can be changed.')
  }
}

/** @throws Problem 400 if the period would end before it begins. */
export function checkOrder(period: PricePeriod): void {
  if (endOf(period) <= startOf(period)) {
    throw badRequest('period-empty', 'validTo must be later than validFrom.')
  }
}

/**
 * Periods of all lists with one code must not overlap. A period without `validTo` never ends.
 *
 * @param others the other periods of those lists.
 * @throws Problem 409
 */
export function checkNoOverlap(period: PricePeriod, others: readonly PricePeriod[]): void {
  const other = others.find(each => startOf(each) < endOf(period) && startOf(period) < endOf(each))
  if (other !== undefined) {
    const end = other.validTo === null ? 'has no end' : `ends at ${other.validTo}`
    throw conflict(
      'period-overlap',
      `The period overlaps with period ${other.id} of the same code, which begins at ${other.validFrom} and ${end}.`,
    )
  }
}

export const pricelists: Handlers<'pricelists'> = {
  'pricelists.patch.v1': async ({tx}, {path: {id}, body}) => {
    const list = await priceListOf(tx, id)
    const code = body.code ?? list.code
    const owners = await tx.priceLists.list({where: {code}})
    if (owners.some(owner => owner.id !== id)) {
      throw conflict('code-taken', 'Another price list has this code.')
    }
    await tx.priceLists.put({...list, code})
    return {description: 'Price list updated', id}
  },

  'pricelists.delete.v1': async ({tx, now}, {path: {id}}) => {
    await priceListOf(tx, id)
    const periods = await tx.pricePeriods.list({where: {priceListId: id}})
    if (periods.some(period => periodState(period, now) === 'active')) {
      throw conflict('period-active', 'The price list has an active period.')
    }
    for (const period of periods) await tx.pricePeriods.delete(period.id)
    await tx.priceLists.delete(id)
    return {description: 'Price list deleted', id}
  },

  'pricelists.patchPeriod.v1': async ({tx, now}, {path: {id}, body}) => {
    const before = await periodOf(tx, id)
    const after = {...before, ...body}
    checkStateAllows(before, after, now)
    checkOrder(after)
    const list = await checkTarget(tx, after.priceListId)
    checkNoOverlap(after, await otherPeriods(tx, list.code, id))
    await tx.pricePeriods.put(after)
    return {description: 'Price list period updated', id}
  },

  'pricelists.deletePeriod.v1': async ({tx, now}, {path: {id}}) => {
    const period = await periodOf(tx, id)
    if (periodState(period, now) !== 'future') {
      throw conflict('period-started', 'Only a period that has not started can be deleted.')
    }
    await tx.pricePeriods.delete(id)
    return {description: 'Price list period deleted', id}
  },
}

export async function priceListOf(tx: Transaction, id: string): Promise<PriceList> {
  return existing(await tx.priceLists.get(id), 'price list')
}

export async function periodOf(tx: Transaction, id: string): Promise<PricePeriod> {
  return existing(await tx.pricePeriods.get(id), 'price list period')
}

/** Finds the list to move a period to. @throws Problem 409 if it is unknown. */
export async function checkTarget(tx: Transaction, priceListId: string): Promise<PriceList> {
  const list = await tx.priceLists.get(priceListId)
  if (list === undefined) throw conflict('price-list-unknown', '/priceListId: unknown price list.')
  return list
}

/** The periods of all lists with this code, without the one that is changed. */
export async function otherPeriods(tx: Transaction, code: string, except: string): Promise<PricePeriod[]> {
  const periods: PricePeriod[] = []
  for (const list of await tx.priceLists.list({where: {code}})) {
    periods.push(...(await tx.pricePeriods.list({where: {priceListId: list.id}})))
  }
  return periods.filter(period => period.id !== except)
}
