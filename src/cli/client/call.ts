import type {AnyInput, Operation} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import type {Input, OperationId} from '../../contract/types.ts'

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
