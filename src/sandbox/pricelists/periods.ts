import {conflict, notFound} from '../problems.ts'
import type {PriceList, PricePeriod} from '../state/price-list.ts'
import type {Transaction} from '../store/store.ts'

export async function priceListOf(tx: Transaction, id: string): Promise<PriceList> {
  const list = await tx.priceLists.get(id)
  if (list === undefined) throw notFound('price list')
  return list
}

export async function periodOf(tx: Transaction, id: string): Promise<PricePeriod> {
  const period = await tx.pricePeriods.get(id)
  if (period === undefined) throw notFound('price list period')
  return period
}

/** Where a period is to be moved to must exist. */
export async function checkTarget(tx: Transaction, priceListId: string): Promise<PriceList> {
  const list = await tx.priceLists.get(priceListId)
  if (list === undefined) throw conflict('price-list-unknown', '/priceListId: there is no such price list.')
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
