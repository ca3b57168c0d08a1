import type {Operation} from '../contract/operation.ts'
import type {operations} from '../contract/operations.gen.ts'
import type {Input, OperationId, ResponseBody} from '../contract/types.ts'
import {a2a} from './a2a/operations.ts'
import {accounts} from './accounts/operations.ts'
import {cards} from './cards/operations.ts'
import {sandbox} from './control/operations.ts'
import type {RandomBytes} from './ids.ts'
import {pin} from './pin/operations.ts'
import {pincontrol} from './pincontrol/operations.ts'
import {pricelists} from './pricelists/operations.ts'
import {remotecheckout} from './remotecheckout/operations.ts'
import type {Sealer} from './seal.ts'
import type {Service} from './service.ts'
import type {Store, Transaction} from './store/store.ts'
import {wallets} from './wallets/operations.ts'

/** The handlers of each topic, which are loaded with its first request. */
const topics: Readonly<Record<string, () => Readonly<Record<string, AnyHandler>>>> = {
  cards: () => cards,
  pin: () => pin,
  pincontrol: () => pincontrol,
  accounts: () => accounts,
  pricelists: () => pricelists,
  a2a: () => a2a,
  wallets: () => wallets,
  sandbox: () => sandbox,
  remotecheckout: () => remotecheckout,
}

/** The handler of an operation. A test checks that every operation has one. */
export function handlerOf({id, topic}: Operation): AnyHandler {
  const handler = topics[topic]?.()[id]
  if (handler === undefined) throw new Error(`the sandbox has no handler for ${id}`)
  return handler
}

/** Runs in one transaction, together with the idempotency key. Must not wait for anything else. */
type WithinTransaction<Id extends OperationId> = (call: Call, input: Input<Id>) => Promise<ResponseBody<Id>>

/** For work that waits for something other than the store. It opens its own transactions. */
interface AcrossTransactions<Id extends OperationId> {
  readonly across: (call: OuterCall, input: Input<Id>) => Promise<ResponseBody<Id>>
}

type Handler<Id extends OperationId> = WithinTransaction<Id> | AcrossTransactions<Id>

/** One handler for each operation of a topic, which the compiler checks. */
export type Handlers<Topic extends string> = {
  readonly [Id in OperationId as (typeof operations)[Id]['topic'] extends Topic ? Id : never]: Handler<Id>
}

/** A handler of any operation. Its input matches the contract. */
export type AnyHandler =
  | ((call: Call, input: never) => Promise<unknown>)
  | {readonly across: (call: OuterCall, input: never) => Promise<unknown>}

/** What a handler gets besides its input. */
interface CallBase {
  readonly service: Service
  /** By the sandbox clock, epoch ms. */
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
