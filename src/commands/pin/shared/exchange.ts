import type {KeyObject} from 'node:crypto'
import {
  decodePinBlock,
  encodePinBlock,
  exportPublicKey,
  generateRsaPair,
  type Mgf1Hash,
  rsaOaepDecrypt,
  rsaUnpaddedDecrypt,
  widenKey,
} from '../../../card-crypto/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {RequestOptions} from '../../../cli/client/options.ts'
import {bytesOf} from '../../../cli/response-bytes.ts'
import {resource} from '../../../contract/resource.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import type {Secret} from '../../../sensitive/secret.ts'

export type PinVersion = 'v2' | 'v3'
type Plastic = {readonly id: string}

/** The values that the steps of one PIN exchange share. */
interface ExchangeOptions {
  readonly client: Client
  readonly version: PinVersion
  readonly mgf1: Mgf1Hash | 'either'
  readonly options: RequestOptions
}

/** The steps of one PIN exchange, and the resources of its requests, although they name only the plastic. */
export interface PinExchange extends ExchangeOptions {
  readonly plastic: Plastic
  readonly resources: readonly string[]
}

/**
 * With a live service, only the cardholder's device exchanges PINs. cardctl then creates no key pair, and asks for no
 * PIN and reads none.
 *
 * @throws Failure GATE_REFUSED on a live profile, with what to do instead.
 */
export function refuseOnLive({target}: Client, way: Hint): void {
  if (target.kind !== 'live') return
  throw new Failure('GATE_REFUSED', {
    message: `Profile ${target.name} is live: the key pair and the PIN stay on the cardholder's device.`,
    hint: way,
    effect: 'none',
  })
}

/** Finds the card's plastic, and records every request of the exchange under both the card and the plastic. */
export async function openExchange(
  options: ExchangeOptions,
  cardId: string,
  wanted?: string,
): Promise<PinExchange> {
  const plastic = await choosePlastic(options, cardId, wanted)
  const resources = [resource('card', cardId), resource('plastic', plastic.id)]
  const trace = {...options.options.trace, touches: resources}
  return {...options, plastic, resources, options: {...options.options, trace}}
}

/** The plastic with the PIN: the named one, or the active one with the highest sequence number. */
async function choosePlastic(
  {client, options}: ExchangeOptions,
  cardId: string,
  wanted?: string,
): Promise<Plastic> {
  const found = await client.call({operation: 'cards.plastics.v3', path: {id: cardId}}, options)
  const plastics = listAt({found}, 'found').map(plastic => ({
    id: textAt(plastic, 'id'),
    status: textAt(plastic, 'status'),
    sequenceNumber: numberAt(plastic, 'sequenceNumber') ?? 0,
  }))
  if (wanted !== undefined) {
    const named = plastics.find(({id}) => id === wanted)
    if (named) return named
    throw new Failure('NOT_FOUND', {
      message: `Card ${cardId} has no plastic ${wanted}.`,
      hint: advice`See: ${client.commandLine('cards', 'plastics', {value: cardId})}`,
      effect: 'none',
    })
  }
  const [first] = plastics
    .filter(({id, status}) => status === 'ACTIVE' && id !== '')
    .sort((a, b) => b.sequenceNumber - a.sequenceNumber)
  if (first) return first
  throw new Failure('NOT_FOUND', {
    message: `Card ${cardId} has no active plastic, and a PIN belongs to one.`,
    hint: advice`See: ${client.commandLine('cards', 'plastics', {value: cardId})}`,
    effect: 'none',
  })
}

/** A control id: valid for one view or one set, for 30 seconds. */
async function openControl(
  {client, options, plastic}: PinExchange,
  scope: 'VIEW_PIN' | 'SET_PIN',
): Promise<string> {
  const control = await client.call(
    {operation: 'pincontrol.create.v2', path: {plasticId: plastic.id}, body: {scope}},
    options,
  )
  return textAt(control, 'id')
}

/**
 * Sets the PIN of a plastic: gets the tzpk under a new key pair, then encrypts a format 1 block with random fill under
 * the tzpk.
 */
export async function setPin(exchange: PinExchange, pin: Secret<Buffer>): Promise<void> {
  const {client, version, options} = exchange
  const {controlId, key} = await askForTzpk(exchange, 'SET_PIN', `pin.tzpk.${version}`)
  const block = encodePinBlock({format: 1, pin, key})
  key.wipe()
  const pinBlock = block.open().toString('base64')
  await client.call({operation: `pin.set.${version}`, body: {controlId, pinBlock}}, options)
}

/** The decrypted PIN of a plastic, to reveal it or to count its digits. */
export async function viewPin(exchange: PinExchange): Promise<Secret<Buffer>> {
  const {response, key} = await askForTzpk(exchange, 'VIEW_PIN', `pin.view.${exchange.version}`)
  const pin = decodePinBlock({format: 1, block: bytesOf(textAt(response, 'pinBlock'), 'PIN block'), key})
  key.wipe()
  return pin
}

/** A control id, and the tzpk that the operation returns for it, decrypted with a key pair made for this request. */
async function askForTzpk(
  exchange: PinExchange,
  scope: 'SET_PIN' | 'VIEW_PIN',
  operation: `pin.${'tzpk' | 'view'}.${PinVersion}`,
) {
  const pair = await generateRsaPair(exchange.version)
  const controlId = await openControl(exchange, scope)
  const body = {controlId, publicKey: exportPublicKey(pair.publicKey)}
  const response = await exchange.client.call({operation, body}, exchange.options)
  return {controlId, response, key: openTzpk(exchange, pair.privateKey, textAt(response, 'tzpk'))}
}

function openTzpk({version, mgf1}: PinExchange, privateKey: KeyObject, tzpk: string): Secret<Buffer> {
  const ciphertext = bytesOf(tzpk, 'tzpk')
  const key =
    version === 'v2'
      ? rsaUnpaddedDecrypt(privateKey, ciphertext)
      : rsaOaepDecrypt(privateKey, ciphertext, {mgf1})
  const wide = widenKey(key)
  key.wipe()
  return wide
}
