import type {Stored} from '../store/store.ts'

export interface Customer extends Stored {
  readonly firstName: string
  readonly middleName: string | null
  readonly lastName: string
  /** ISO 3166-1 alpha-3. */
  readonly countryCode: string
  /** BCP 47, e.g. `fi-FI`. */
  readonly locale: string
}

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
