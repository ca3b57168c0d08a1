import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'

/** The header of the outline, "Limits". */
export const KEY_HEADER = 'x-idempotency-key'

/** Set by the service on an answer that it had stored. */
export const REPLAYED_HEADER = 'x-idempotent-replayed'

type Kind = Pick<Operation, 'effect' | 'method' | 'idempotent'>

/** Whether a key is sent with the operation at all: on what changes something by POST or PATCH. */
export function takesKey({effect, method}: Kind): boolean {
  return (effect === 'write' || effect === 'destroy') && (method === 'POST' || method === 'PATCH')
}

/** Whether the service keeps the promise of the key, so that the same key and bytes may be sent again. */
export function honoursKey(operation: Kind, target: Pick<Target, 'idempotency'>): boolean {
  if (operation.effect !== 'write' || !takesKey(operation)) return false
  return operation.idempotent || target.idempotency === 'all'
}

/**
 * The key that goes with the operation: the given one, a new one, or none where the operation takes none.
 *
 * @throws Failure USAGE if the key can't be sent, or was given where none is taken (it would promise nothing).
 */
export function chooseKey(
  operation: Kind,
  given: string | undefined,
  newKey: () => string,
): string | undefined {
  if (!takesKey(operation)) {
    if (given === undefined) return undefined
    throw new Failure('USAGE', {
      message: 'This operation takes no idempotency key, so one would protect nothing.',
      hint: 'Leave --idempotency-key out.',
      effect: 'none',
    })
  }
  const key = given ?? newKey()
  // Spaces at the ends are cut off on the way, so that the service would see another key.
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/.test(key)) {
    throw new Failure('USAGE', {
      message: `An idempotency key has 1 to 64 printable ASCII characters and no space at its ends; this one ${key === '' ? 'is empty' : `has ${key.length}${key.length > 64 ? '' : ', some of another kind'}`}.`,
      hint: 'Give another --idempotency-key, or leave it out to have one made.',
      effect: 'none',
    })
  }
  return key
}
