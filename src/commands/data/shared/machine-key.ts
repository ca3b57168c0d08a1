import {createHash, randomBytes} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {join} from 'node:path'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'
import {placeFile} from '../../../files/place-file.ts'
import {KEY_BYTES, publicKeyOf, signFacts} from '../../../sensitive/ed25519.ts'
import {Secret} from '../../../sensitive/secret.ts'

/** The key by which this machine signs its exports. It never leaves it. */
const keyFileIn = (data: string): string => join(data, 'machine.key')
/** Fingerprints of the keys whose exports were imported here, one a line. */
export const trustedIn = (data: string): string => join(data, 'trusted-machines')

/** What an export is signed with. */
export interface Signature {
  /** In hex. */
  readonly publicKey: string
  readonly signature: string
}

export function signExport(data: string, manifest: string): Signature {
  const key = readMachineKey(data) ?? makeMachineKey(data)
  return {publicKey: publicKeyOf(key.open()), signature: signFacts(exportFacts(manifest), key.open())}
}

/** What is signed: the manifest, which has a digest of each file. */
export const exportFacts = (manifest: string): readonly string[] => ['export', manifest]

/** A key in words that people can compare. */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 32)

function readMachineKey(data: string): Secret<Buffer> | undefined {
  const file = keyFileIn(data)
  const hex = readOwnFile(file)?.toString('latin1').trim()
  if (hex === undefined) return undefined
  if (new RegExp(`^[0-9a-f]{${2 * KEY_BYTES}}$`).test(hex)) return new Secret(Buffer.from(hex, 'hex'))
  throw new Failure('CONFIG_DAMAGED', {
    message: `The key of this machine, ${file}, is damaged; cardctl did not change it.`,
    hint: 'Remove it: the next export makes another one, which other machines are asked to trust.',
    effect: 'none',
  })
}

function makeMachineKey(data: string): Secret<Buffer> {
  placeFile(keyFileIn(data), `${randomBytes(KEY_BYTES).toString('hex')}\n`)
  const key = readMachineKey(data)
  if (key === undefined) throw new Error('the key went away while it was made')
  return key
}

/**
 * Asks, once for each machine, whether its exports may be imported.
 *
 * @param trust the fingerprint that the user compared.
 * @throws Failure USAGE if it is another one, CONFIRMATION_REQUIRED without a terminal, CONFIRMATION_DECLINED
 */
export async function refuseUntrusted(
  context: Context,
  {publicKey}: Signature,
  {file, trust}: {readonly file: string; readonly trust: string | undefined},
): Promise<void> {
  const {data} = context.folders
  const fingerprint = fingerprintOf(publicKey)
  if (trust !== undefined && trust !== fingerprint) {
    throw new Failure('USAGE', {
      message: `${file} is signed with the key ${fingerprint}, not with the one of --trust.`,
      hint: 'Nothing was imported. Compare with signedBy in the output of data export.',
      effect: 'none',
    })
  }
  const own = readMachineKey(data)
  const isOwn = own !== undefined && publicKeyOf(own.open()) === publicKey
  if (isOwn || trust !== undefined || trusted(data).includes(fingerprint)) return
  await confirm(context, {
    place: {at: `Journals of this machine (${data})`},
    action: `import the records of a machine that is not known here, with the key ${fingerprint}`,
    consequence: 'Compare the key with signedBy in the output of data export there.',
    demands: [{yes: false}],
    otherwise: `Compare the key with signedBy in the output of data export there. Then add --trust ${fingerprint}`,
  })
}

export function rememberTrusted(data: string, {publicKey}: Signature): void {
  const known = trusted(data)
  const fingerprint = fingerprintOf(publicKey)
  if (known.includes(fingerprint)) return
  placeFile(trustedIn(data), `${[...known, fingerprint].join('\n')}\n`, {replace: true})
}

const trusted = (data: string): readonly string[] =>
  (readOwnFile(trustedIn(data))?.toString('latin1') ?? '').split('\n').filter(line => line !== '')

/** SHA-256 of a file, in hex. */
export async function digestOf(file: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const piece of createReadStream(file)) sum.update(piece)
  return sum.digest('hex')
}
