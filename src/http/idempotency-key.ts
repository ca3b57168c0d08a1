import {takesKey} from '../contract/idempotency-key.ts'
import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'

/**
 * The key that goes with the operation: the given one, a new one, or none where the operation takes none.
 *
 * @throws Failure USAGE if the key can't be sent, or was given where none is taken (it would promise nothing).
 */
export function chooseKey(
  operation: Pick<Operation, 'effect' | 'method'>,
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
