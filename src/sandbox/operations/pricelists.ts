import {checkNoOverlap, checkOrder, checkStateAllows, periodState} from '../pricelists/period-rules.ts'
import {checkTarget, otherPeriods, periodOf, priceListOf} from '../pricelists/periods.ts'
import {conflict} from '../problems.ts'
import type {Handlers} from './handler.ts'

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
      throw conflict('period-started', 'Only a period that starts in the future can be deleted.')
    }
    await tx.pricePeriods.delete(id)
    return {description: 'Price list period deleted', id}
  },
}
