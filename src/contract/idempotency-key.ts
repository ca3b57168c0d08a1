import type {Operation} from './operation.ts'

/** The request header of an idempotency key. */
export const KEY_HEADER = 'x-idempotency-key'

/** The service sets this reply header on an answer that it had stored. */
export const REPLAYED_HEADER = 'x-idempotent-replayed'

/** Whether a key is sent with the operation at all: one that changes something, by POST or PATCH. */
export function takesKey({effect, method}: Pick<Operation, 'effect' | 'method'>): boolean {
  return (effect === 'write' || effect === 'destroy') && (method === 'POST' || method === 'PATCH')
}

/**
 * Whether the service keeps the promise of the key, so that the same key and bytes may be sent again.
 *
 * @param where the profile's setting: `documented` trusts the contract's mark, `all` trusts every write.
 */
export function honoursKey(
  operation: Pick<Operation, 'effect' | 'method' | 'idempotent'>,
  {idempotency: where}: {readonly idempotency: 'documented' | 'all'},
): boolean {
  return operation.effect === 'write' && takesKey(operation) && (operation.idempotent || where === 'all')
}
