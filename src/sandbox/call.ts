import type {RandomBytes} from './ids.ts'
import type {Sealer} from './seal.ts'
import type {Service} from './service.ts'
import type {Store, Transaction} from './store/store.ts'

/** What a request gives to the operation beside its input. */
interface CallBase {
  readonly service: Service
  /** The sandbox clock when the request came in, epoch ms. */
  readonly now: number
  readonly random: RandomBytes
}

/** A request inside its one transaction. */
export interface Call extends CallBase {
  readonly tx: Transaction
  readonly sealer: () => Promise<Sealer>
}

/** A request that opens its transactions itself. */
export interface OuterCall extends CallBase {
  readonly store: Store
}
