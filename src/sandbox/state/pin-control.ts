import type {Sealed} from '../seal.ts'
import type {Stored} from '../store/store.ts'

export type PinScope = 'VIEW_PIN' | 'SET_PIN'

/** A control id: leave to view or set the PIN of one plastic, once, within 30 seconds. `id` is its digest. */
export interface PinControl extends Stored {
  readonly plasticId: string
  readonly cardId: string
  readonly scope: PinScope
  /** Epoch milliseconds by the sandbox clock. */
  readonly expiresAt: number
  readonly used: boolean
  /** The double-length 3DES key handed out last, in hex; it dies with the control id. */
  readonly tzpk: Sealed | null
}

/** Leave to see a card's data on the page, once. `id` is a digest: the token itself is kept nowhere. */
export interface CardDataToken extends Stored {
  readonly cardId: string
  readonly expiresAt: number
  readonly used: boolean
}
