import * as Flags from '@oclif/core/flags'
import {exportPublicKey, importPublicKey, publicKeyFingerprint} from '../../../card-crypto/index.ts'
import type {Context} from '../../../cli/context.ts'
import {allowV2Flags} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import {readWhole, unreadableInput} from '../../../input/read-input.ts'
import {readReference} from '../../../profiles/index.ts'
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
  'control-id': Flags.string({
    helpValue: 'env:NAME|file:PATH|cmd:COMMAND',
    summary: 'Where to read the control id of pincontrol create, which is secret and valid for 30 seconds.',
  }),
}

/**
 * The control id that `--control-id` leads to. Anyone who has it can set or view a PIN with it, so it is never in the
 * command line itself.
 *
 * @throws Failure SENSITIVE_IN_ARGV, INPUT_INVALID, SECRET_MISSING
 */
export async function readControlId({surroundings, printer}: Context, reference: string): Promise<string> {
  const notify = ({message}: {message: string}) => printer.warn(message)
  const id = await readReference(reference, 'the control id', {...surroundings, notify}).catch(
    (error: unknown) => {
      const isPlain = error instanceof Failure && error.code === 'SENSITIVE_IN_ARGV'
      throw isPlain
        ? error.with({hint: 'Put the control id in a variable, and pass --control-id env:NAME.'})
        : error
    },
  )
  return id.open().trim()
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
