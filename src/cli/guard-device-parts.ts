import {importPublicKey} from '../card-crypto/index.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {isObject} from './body.ts'

/** The members in which operations take the key of the cardholder's device. */
const DEVICE_KEYS = ['publicKey', 'encryptionKey']

/**
 * What the commands for a cardholder's device see to, whatever way a request was made, `api` too: on a live profile the
 * device's key is a public one of good size, and nothing but what the contract names goes beside it, no PIN above all.
 *
 * @throws Failure GATE_REFUSED, KEY_INVALID; nothing was sent then.
 */
export function guardDeviceParts(
  {kind, name}: Target,
  {path}: Operation,
  {body}: AnyInput,
  uncheckedInput: boolean,
): void {
  if (kind !== 'live') return
  if (uncheckedInput) {
    throw new Failure('GATE_REFUSED', {
      message: `Profile ${name} is live: what goes to ${path} must fit the contract, so that no PIN is among it.`,
      hint: 'Leave --no-check-input out.',
      effect: 'none',
    })
  }
  if (!isObject(body)) return
  for (const member of DEVICE_KEYS) {
    const key = body[member]
    if (typeof key === 'string') importPublicKey(key, {use: path.startsWith('/v2/') ? 'v2' : 'v3'})
  }
}
