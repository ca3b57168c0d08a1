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
import {inGroups, knownMachine, readFingerprint} from './known-machines.ts'

/** The key by which this machine signs its exports. It never leaves it. */
const keyFileIn = (data: string): string => join(data, 'machine.key')
/** What an export is signed with. */
export interface Signature {
  /** In hex. */
  readonly publicKey: string
  readonly signature: string
}

export const signExport = (data: string, manifest: string): Signature => signFor(data, exportFacts(manifest))

/** What is signed: the manifest, which has a digest of each file. */
export const exportFacts = (manifest: string): readonly string[] => ['export', manifest]

/** Signs with the key of this machine. @param facts with their purpose */
export function signFor(data: string, facts: readonly string[]): Signature {
  const key = ownKey(data)
  return {publicKey: publicKeyOf(key.open()), signature: signFacts(facts, key.open())}
}

/** The fingerprint of the key of this machine, which is made if there is none. */
export const ownFingerprint = (data: string): string => fingerprintOf(publicKeyOf(ownKey(data).open()))

const ownKey = (data: string): Secret<Buffer> => readMachineKey(data) ?? makeMachineKey(data)

/** A key in letters that people can compare. Digits could look like a card number, and would be masked. */
export function fingerprintOf(publicKey: string): string {
  const digits = createHash('sha256').update(publicKey).digest('hex').slice(0, 32)
  return inGroups(digits.replace(/./g, digit => LETTERS.charAt(Number.parseInt(digit, 16))))
}

const LETTERS = 'abcdefghijklmnop'

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
  if (trust !== undefined && readFingerprint(trust) !== fingerprint) {
    throw new Failure('USAGE', {
      message: `${file} is signed with the key ${fingerprint}, not with the one of --trust.`,
      hint: 'Nothing was imported. Compare with signedBy in the output of the export.',
      effect: 'none',
    })
  }
  const own = readMachineKey(data)
  const isOwn = own !== undefined && publicKeyOf(own.open()) === publicKey
  if (isOwn || trust !== undefined || knownMachine(data, fingerprint) !== undefined) return
  await confirm(context, {
    place: {at: `Journals of this machine (${data})`},
    action: `import the records of a machine that is not known here, with the key ${fingerprint}`,
    consequence: 'Compare the key with signedBy in the output of data export there.',
    demands: [{yes: false}],
    otherwise: `Compare the key with signedBy in the output of data export there. Then add --trust ${fingerprint}`,
  })
}

/**
 * Whose records count here is for a person to say.
 *
 * @param what an agent doesn't do.
 * @throws Failure GATE_REFUSED for an agent
 */
export function refuseAgentTrust({caller, interactive}: Context, what: string): void {
  if (caller.kind !== 'agent' || interactive) return
  throw new Failure('GATE_REFUSED', {
    message: `An agent ${what}.`,
    hint: 'A person can do this in a terminal.',
    effect: 'none',
  })
}

/** SHA-256 of a file, in hex. */
export async function digestOf(file: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const piece of createReadStream(file)) sum.update(piece)
  return sum.digest('hex')
}
