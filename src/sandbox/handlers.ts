import type {Operation} from '../contract/operation.ts'
import type {operations} from '../contract/operations.gen.ts'
import type {Input, OperationId, ResponseBody} from '../contract/types.ts'
import type {RandomBytes} from './ids.ts'
import type {Sealer} from './seal.ts'
import type {Service} from './service.ts'
import type {Store, Transaction} from './store/store.ts'

/** The handlers of each topic. They are loaded with the first request of the topic, to keep the start fast. */
const topics: Readonly<Record<string, () => Promise<Readonly<Record<string, AnyHandler>>>>> = {
  cards: async () => (await import('./cards/operations.ts')).cards,
  pin: async () => (await import('./pin/operations.ts')).pin,
  pincontrol: async () => (await import('./pincontrol/operations.ts')).pincontrol,
  accounts: async () => (await import('./accounts/operations.ts')).accounts,
  pricelists: async () => (await import('./pricelists/operations.ts')).pricelists,
  a2a: async () => (await import('./a2a/operations.ts')).a2a,
  wallets: async () => (await import('./wallets/operations.ts')).wallets,
  sandbox: async () => (await import('./control/operations.ts')).sandbox,
  remotecheckout: async () => (await import('./remotecheckout/operations.ts')).remotecheckout,
}

/** `import()` of a loaded module still costs a look-up. */
const loaded = new Map<string, AnyHandler>()

/** The handler of an operation. A test checks that every operation has one. */
export async function loadHandler({id, topic}: Operation): Promise<AnyHandler> {
  const known = loaded.get(id)
  if (known) return known
  const handler = (await topics[topic]?.())?.[id]
  if (handler === undefined) throw new Error(`the sandbox has no handler for ${id}`)
  loaded.set(id, handler)
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
