import type {Operation} from './operation.ts'

/** The request header of an idempotency key. */
export const KEY_HEADER = 'x-idempotency-key'

/** The service sets this header on a replayed response. */
export const REPLAYED_HEADER = 'x-idempotent-replayed'

/** Whether cardctl sends a key with the operation: a write by POST or PATCH. */
export function takesKey({effect, method}: Pick<Operation, 'effect' | 'method'>): boolean {
  return (effect === 'write' || effect === 'destroy') && (method === 'POST' || method === 'PATCH')
}

/**
 * Whether the service honours the key, so that a retry with the same key and bytes has no second effect.
 *
 * @param where the profile's setting: `documented` trusts the contract's mark, `all` trusts every write.
 */
export function honoursKey(
  operation: Pick<Operation, 'effect' | 'method' | 'idempotent'>,
  {idempotency: where}: {readonly idempotency: 'documented' | 'all'},
): boolean {
  return operation.effect === 'write' && takesKey(operation) && (operation.idempotent || where === 'all')
}
