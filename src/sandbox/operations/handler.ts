import type {operations} from '../../contract/operations.gen.ts'
import type {Input, OperationId, Reply} from '../../contract/types.ts'
import type {Call, OuterCall} from '../call.ts'

/** The rest of the request's way happens in one transaction with the idempotency key; it waits for nothing else. */
export type WithinTransaction<Id extends OperationId> = (call: Call, input: Input<Id>) => Promise<Reply<Id>>

/** For work that waits for something else than the store; it opens its own transactions. */
export interface AcrossTransactions<Id extends OperationId> {
  readonly across: (call: OuterCall, input: Input<Id>) => Promise<Reply<Id>>
}

export type Handler<Id extends OperationId> = WithinTransaction<Id> | AcrossTransactions<Id>

/** One handler for each operation of a topic: one too few or too many doesn't compile. */
export type Handlers<Topic extends string> = {
  readonly [Id in OperationId as (typeof operations)[Id]['topic'] extends Topic ? Id : never]: Handler<Id>
}

/** A handler whose operation is only known at run time; its input has been checked against the contract. */
export type AnyHandler =
  | ((call: Call, input: never) => Promise<unknown>)
  | {readonly across: (call: OuterCall, input: never) => Promise<unknown>}
