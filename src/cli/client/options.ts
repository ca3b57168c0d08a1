import type {AnyInput, Operation} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import type {Input, OperationId} from '../../contract/types.ts'
import type {SendOptions, ServiceResponse} from '../../http/index.ts'
import type {Replayed} from '../../journal/index.ts'
import type {RequestTrace} from '../journalled.ts'

export interface RequestOptions {
  readonly idempotencyKey?: string | undefined
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
  /** Send what doesn't match the contract, and accept any response. */
  readonly uncheckedInput?: boolean | undefined
  /** `--allow-v2`: deprecated PIN operations on a live profile. */
  readonly allowV2?: boolean | undefined
  /** A second person approved it: the user who sends it, or who signed that on another machine. */
  readonly approved?: boolean | {readonly by: string} | undefined
  /** It is not sent now, but kept for a person who sends it. */
  readonly kept?: boolean | undefined
  /**
   * This step of a composite command was confirmed with the whole. With `transfers`, only its transfers were: what else
   * the request may be is asked as ever.
   */
  readonly confirmed?: boolean | 'transfers' | undefined
  /** Ask before a write, although the profile doesn't demand it: a person gave its values in answers. */
  readonly careful?: boolean | undefined
  /** The key was made for this request, so it can't have been used before. */
  readonly isNewKey?: boolean | undefined
  /** What the journal keeps with the request: its reference, or the request that it repeats. */
  readonly trace?: RequestTrace | undefined
  /** The time limit if `--timeout` is not given. */
  readonly timeoutMs?: number | undefined
  /** A read waits for its turn of the profile's quota, because it is one of many. */
  readonly paced?: boolean | undefined
  /** The input is the journal's, with its audit user. */
  readonly recorded?: boolean | undefined
  /** What must be looked at once the request is confirmed. If it throws, nothing is recorded or sent. */
  readonly check?: (() => Promise<unknown>) | undefined
  /** Sends a request that turned out to be a batch of transfers, once they have passed the checks of `a2a create`. */
  readonly asTransfers?: ((send: SendAsTransfers) => Promise<Outcome>) | undefined
  /** The command's result is a report of what came of the request; a response that proves nothing isn't printed. */
  readonly isReported?: boolean | undefined
  /** As in `SendOptions`. */
  readonly received?: SendOptions['received']
  readonly unmasked?: SendOptions['unmasked']
}

export type SendAsTransfers = (options: RequestOptions) => Promise<Outcome>

export interface Outcome {
  readonly response: ServiceResponse
  /** The id in the journal; reads have none. */
  readonly requestId?: string
  /** The service replayed a stored response: nothing was changed. */
  readonly replayed?: Replayed | undefined
  /** What cardctl sent for the same fields before, by field. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
}

/** An operation of the contract with its input. For `api`, also one that the contract doesn't describe. */
export interface Call {
  readonly operation: Operation
  readonly input: AnyInput
  /** Operations of imported contracts that a request of `api` fits. Their marks apply too. */
  readonly described?: readonly Operation[]
}

/**
 * A request as a command states it: path parameters and query as the contract types them, without `auditUser`, which
 * comes from the profile. The body comes from flags and files, so it is checked before it is sent.
 */
export interface CommandCall<Id extends OperationId> {
  readonly operation: Id
  readonly path?: Input<Id>['path']
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

export function toCall<Id extends OperationId>({operation, path, query, body}: CommandCall<Id>): Call {
  // An id that a service gave as a number becomes text again in a path.
  const params = Object.fromEntries(Object.entries(path ?? {}).map(([name, id]) => [name, String(id)]))
  const input = {path: params, query: {...query}, ...(body === undefined ? {} : {body})}
  return {operation: operations[operation], input}
}
