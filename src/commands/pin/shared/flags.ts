import * as Flags from '@oclif/core/flags'
import {exportPublicKey, importPublicKey, publicKeyFingerprint} from '../../../card-crypto/index.ts'
import {idFlag} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {allowV2Flags} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import {readWhole, unreadableInput} from '../../../input/read-input.ts'
import type {PinVersion} from './exchange.ts'

export const pinVersionFlags = {
  'api-version': Flags.option({
    options: ['v2', 'v3'] as const,
    default: 'v3',
    summary: 'Version of the PIN API. v2 is deprecated and weak.',
  })(),
  ...allowV2Flags,
}

export const mgf1Flag = {
  mgf1: Flags.option({
    options: ['sha256', 'sha1', 'either'] as const,
    default: 'either',
    summary: 'MGF1 hash that the service uses for OAEP.',
  })(),
}

export const controlIdFlag = {
  'control-id': idFlag({summary: 'Control id from pincontrol create, valid for 30 seconds.'}),
}

export const publicKeyFlag = {
  'public-key': Flags.string({
    helpValue: 'FILE',
    summary: "RSA public key of the cardholder's device, PEM or DER.",
  }),
}

/** In bytes. */
const LARGEST_KEY = 64 * 1024

/**
 * The device's public key as the service accepts it: base64 of the SubjectPublicKeyInfo DER. Checks size and exponent,
 * and shows the fingerprint to compare with that on the device.
 */
export async function readDeviceKey(context: Context, file: string, use: PinVersion): Promise<string> {
  const {signal} = context.surroundings
  const name = `The public key ${file}`
  const bytes = await readWhole(file, signal, LARGEST_KEY).catch((error: unknown) => {
    throw unreadableInput(file && name, error)
  })
  if (bytes === undefined) throw new Failure('INPUT_INVALID', {message: `${name} is larger than 64 KiB.`})
  const key = importPublicKey(bytes, {use})
  context.printer.note(`device key SHA-256 ${publicKeyFingerprint(key).hex}`)
  return exportPublicKey(key)
}
