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
