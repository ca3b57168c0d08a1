import type {PriceList, PricePeriod} from '../state/price-list.ts'

/** 5001 is the one to try the rules on; 5002 is where a period can be moved to. */
export const demoPriceLists: readonly PriceList[] = [
  {id: '5001', code: 'STANDARD'},
  {id: '5002', code: 'BUSINESS'},
]

/** Fixed dates, so that the demo data is always the same: 6001 is active, 6002 expired, 6003 and 6004 are to come. */
export const demoPricePeriods: readonly PricePeriod[] = [
  {
    id: '6001',
    priceListId: '5001',
    validFrom: '2024-01-01T00:00:00Z',
    validTo: '2090-01-01T00:00:00Z',
    value: 4.5,
  },
  {
    id: '6002',
    priceListId: '5001',
    validFrom: '2023-01-01T00:00:00Z',
    validTo: '2024-01-01T00:00:00Z',
    value: 4,
  },
  {id: '6003', priceListId: '5001', validFrom: '2090-01-01T00:00:00Z', validTo: null, value: 5},
  {id: '6004', priceListId: '5002', validFrom: '2090-01-01T00:00:00Z', validTo: null, value: 9.9},
]
