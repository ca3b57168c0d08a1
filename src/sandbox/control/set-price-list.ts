import {checkInput} from '../../contract/validate.ts'
import type {PriceList, PricePeriod} from '../state/price-list.ts'
import type {Setter} from './set-state.ts'

const query = {auditUser: 'state'}

export const setPriceList: Setter = {
  members: ['code'],
  check: ({id}, changes) => checkInput('pricelists.patch.v1', {path: {id}, query, body: changes}),
  apply: async (tx, id, changes) => {
    const list = await tx.priceLists.get(id)
    if (list) await tx.priceLists.put({...list, ...(changes as Partial<PriceList>)})
  },
}

/** The rules of active and expired periods don't hold here: that is how a tester makes one. */
export const setPeriod: Setter = {
  members: ['validFrom', 'validTo', 'value', 'priceListId'],
  check: ({id}, changes) => checkInput('pricelists.patchPeriod.v1', {path: {id}, query, body: changes}),
  apply: async (tx, id, changes) => {
    const period = await tx.pricePeriods.get(id)
    if (period) await tx.pricePeriods.put({...period, ...(changes as Partial<PricePeriod>)})
  },
}
