import type {KeyObject} from 'node:crypto'
import * as Flags from '@oclif/core/flags'
import {exportPublicKey, generateRsaPair, rsaOaepDecrypt} from '../../card-crypto/index.ts'
import {idArg} from '../../cli/arguments.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {bytesOf} from '../../cli/response-bytes.ts'
import {confirmReveal, reveal, revealFlags} from '../../cli/reveal.ts'
import {resource} from '../../contract/resource.ts'
import {Failure} from '../../errors/failure.ts'
import {textAt} from '../../output/fields.ts'
import {maskPan} from '../../sensitive/mask-text.ts'
import {refuseOnLive} from '../pin/shared/exchange.ts'
import {mgf1Flag, readDeviceKey} from '../pin/shared/flags.ts'
import {encryptedView, paymentInfoView} from './shared/views.ts'

const FIELDS = ['fullCardNumber', 'expirationDate', 'cvv2'] as const
type Field = (typeof FIELDS)[number]

const DEVICE_WAY = "Give the device's key with --public-key FILE; the response is printed unchanged."

export default class CardsPaymentInfo extends operationCommand('cards.paymentInfo.v3') {
  static override summary = 'Get card number, expiry date and CVV2, masked, or encrypted for a device.'
  static override examples = [
    '<%= config.bin %> cards payment-info 3001 --show fullCardNumber,cvv2',
    '<%= config.bin %> cards payment-info 3001 --show fullCardNumber --reveal',
    '<%= config.bin %> cards payment-info 3001 --show fullCardNumber,cvv2 --public-key device.pem -o json',
  ]
  static override args = {id: idArg('the card')}
  static override flags = {
    show: Flags.string({
      default: FIELDS.join(','),
      summary: `Values to get, comma-separated: ${FIELDS.join(', ')}.`,
    }),
    'public-key': Flags.string({
      helpValue: 'FILE',
      summary: "The device's RSA public key; its ciphertexts are printed.",
    }),
    ...revealFlags('the values', ['public-key']),
    ...mgf1Flag,
  }

  async run() {
    const {args, flags} = await this.parse(CardsPaymentInfo)
    const fields = readFields(flags.show)
    const client = await this.client()
    const path = {id: args.id}
    const request = {encryptionMethod: 'RSA_ECB_OAEP_SHA256_MGF1_2048', fields}
    if (flags['public-key'] !== undefined) {
      const encryptionKey = await readDeviceKey(this.context, flags['public-key'], 'v3')
      const body = {encryptionKey, ...request}
      return this.execute({operation: 'cards.paymentInfo.v3', path, body}, flags, encryptedView)
    }
    refuseOnLive(client, DEVICE_WAY)
    if (flags.reveal && !flags['dry-run'] && !flags.curl) {
      await confirmReveal(this.context, {what: fields.join(', '), card: args.id}, flags)
    }
    const pair = await generateRsaPair('v3')
    const body = {encryptionKey: exportPublicKey(pair.publicKey), ...request}
    const call = {operation: 'cards.paymentInfo.v3', path, body} as const
    if (await this.isPreview([call], flags)) return undefined
    const {response} = await this.request(call, flags)
    const values = open(response.body, fields, pair.privateKey, flags.mgf1)
    const result = {cardId: args.id, ...(flags.reveal ? values : masked(values))}
    const {keep} = flags
    if (flags.reveal) {
      const {operation} = call
      const resources = [resource('card', args.id)]
      await reveal(this.context, {operation, resources, result, view: paymentInfoView, keep})
    } else await this.context.printer.data(result, paymentInfoView)
    return result
  }
}

function readFields(text: string): Field[] {
  const names = text.split(',').map(name => name.trim())
  if (names.some(name => !FIELDS.some(field => field === name))) {
    throw new Failure('USAGE', {message: `--show takes ${FIELDS.join(', ')}, comma-separated.`})
  }
  return FIELDS.filter(field => names.includes(field))
}

type Values = Partial<Record<Field, string>>

function open(
  response: unknown,
  fields: readonly Field[],
  key: KeyObject,
  mgf1: 'sha256' | 'sha1' | 'either',
): Values {
  const values: Values = {}
  for (const field of fields) {
    const value = textAt(response, field)
    if (value === '') continue
    // Newer versions of the service don't encrypt the expiry date.
    const isClear = field === 'expirationDate' && value.length < 32
    values[field] = isClear
      ? value
      : rsaOaepDecrypt(key, bytesOf(value, field), {mgf1}).open().toString('utf8')
  }
  return values
}

function masked({fullCardNumber, expirationDate, cvv2}: Values): Values {
  return {
    ...(fullCardNumber === undefined ? {} : {fullCardNumber: maskPan(fullCardNumber)}),
    ...(expirationDate === undefined ? {} : {expirationDate}),
    ...(cvv2 === undefined ? {} : {cvv2: '•'.repeat(cvv2.length)}),
  }
}
