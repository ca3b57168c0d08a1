import type {Stored} from '../store/store.ts'

export interface PriceList extends Stored {
  readonly code: string
}

/** When a price of a list is valid. `validTo` null is open. */
export interface PricePeriod extends Stored {
  readonly priceListId: string
  /** RFC 3339 with Z, as it came. */
  readonly validFrom: string
  readonly validTo: string | null
  readonly value: number
}
