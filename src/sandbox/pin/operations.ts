import type {KeyObject} from 'node:crypto'
import {
  decodeBase64,
  decodePinBlock,
  encodePinBlock,
  generateTdesKey,
  importPublicKey,
  type RsaUse,
  rsaOaepEncrypt,
  rsaUnpaddedEncrypt,
  Secret,
} from '../../card-crypto/index.ts'
import type {Input} from '../../contract/types.ts'
import type {Card} from '../cards/card.ts'
import type {Call, Handlers} from '../handlers.ts'
import {consume, liveControl, type PinControl, refuseInactive} from '../pincontrol/operations.ts'
import {badRequest, conflict, refuseOnFailure} from '../problems.ts'
import type {Transaction} from '../store/store.ts'

type KeyRequest = Input<'pin.view.v3'>['body']

/** Returns the PIN in a format 1 block under a new key, and that key under the caller's key. Uses the control id. */
export async function viewPin(call: Call, version: RsaUse, request: KeyRequest) {
  const control = await liveControl(call.tx, request.controlId, 'VIEW_PIN', call.now)
  const publicKey = callersKey(request.publicKey, version)
  const card = await cardOfControl(call.tx, control)
  if (card.pin === null) throw conflict('no-pin', 'The card has no PIN.')
  const sealer = await call.sealer()
  using key = generateTdesKey(call.random)
  using pin = new Secret(Buffer.from(sealer.open(card.pin).open(), 'ascii'))
  const block = encodePinBlock({format: 1, pin, key, random: call.random})
  await consume(call.tx, control)
  return {tzpk: encryptKey(key, publicKey, version, call), pinBlock: block.open().toString('base64')}
}

/** Returns a new key for setting a PIN, which replaces an earlier one. The control id stays valid. */
export async function newTzpk(call: Call, version: RsaUse, request: KeyRequest) {
  const control = await liveControl(call.tx, request.controlId, 'SET_PIN', call.now)
  const publicKey = callersKey(request.publicKey, version)
  await cardOfControl(call.tx, control)
  const sealer = await call.sealer()
  using key = generateTdesKey(call.random)
  await call.tx.pinControls.put({...control, tzpk: sealer.seal(new Secret(key.open().toString('hex')))})
  return {tzpk: encryptKey(key, publicKey, version, call)}
}

/** Sets the PIN from a format 1 block under the tzpk. Uses the control id. */
export async function setPin(
  call: Call,
  request: Input<'pin.set.v3'>['body'],
): Promise<Record<string, never>> {
  const control = await liveControl(call.tx, request.controlId, 'SET_PIN', call.now)
  const card = await cardOfControl(call.tx, control)
  if (control.tzpk === null) throw conflict('no-tzpk', 'Request a tzpk with this control id first.')
  const sealer = await call.sealer()
  using key = new Secret(Buffer.from(sealer.open(control.tzpk).open(), 'hex'))
  const block = decodeBase64(request.pinBlock)
  if (block === undefined) throw badRequest('invalid-pin-block', '/pinBlock: not valid base64.')
  using pin = refuseOnFailure('invalid-pin-block', () => decodePinBlock({format: 1, block, key}))
  await call.tx.cards.put({
    ...card,
    pin: sealer.seal(new Secret(pin.open().toString('ascii'))),
    pinStatus: 'S',
    pinAttempts: {...card.pinAttempts, counter: 0},
  })
  await consume(call.tx, control)
  return {}
}

/**
 * The card of a control id. @throws Problem 409 if its plastic isn't active, or it has no PIN and doesn't wait for one.
 */
export async function cardOfControl(tx: Transaction, control: PinControl): Promise<Card> {
  const plastic = await tx.plastics.get(control.plasticId)
  if (plastic) refuseInactive(plastic)
  const card = await tx.cards.get(control.cardId)
  if (card === undefined) throw conflict('card-gone', 'The card of the control id no longer exists.')
  if (card.pinStatus === null) throw conflict('no-pin', 'The card has no PIN and does not wait for one.')
  return card
}

const V2_BITS = 1024

function callersKey(text: string, version: RsaUse): KeyObject {
  const key = refuseOnFailure('invalid-public-key', () => importPublicKey(text, {use: version}))
  if (version === 'v2' && key.asymmetricKeyDetails?.modulusLength !== V2_BITS) {
    throw badRequest(
      'invalid-public-key',
      `Version 2 accepts keys of ${V2_BITS} bits only. Use version 3 for longer keys.`,
    )
  }
  return key
}

/** Version 2 only pads with zeros on the left; version 3 uses OAEP with SHA-256. */
function encryptKey(key: Secret<Buffer>, publicKey: KeyObject, version: RsaUse, {random}: Call): string {
  const encrypted =
    version === 'v2' ? rsaUnpaddedEncrypt(publicKey, key) : rsaOaepEncrypt(publicKey, key, {random})
  return encrypted.toString('base64')
}

export const pin: Handlers<'pin'> = {
  'pin.view.v2': (call, {body}) => viewPin(call, 'v2', body),
  'pin.tzpk.v2': (call, {body}) => newTzpk(call, 'v2', body),
  'pin.set.v2': (call, {body}) => setPin(call, body),
  'pin.view.v3': (call, {body}) => viewPin(call, 'v3', body),
  'pin.tzpk.v3': (call, {body}) => newTzpk(call, 'v3', body),
  'pin.set.v3': (call, {body}) => setPin(call, body),
}
