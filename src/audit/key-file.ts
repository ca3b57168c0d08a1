import {advice} from '../errors/advice.ts'
import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {reasonOf} from '../errors/system-reason.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {placeFile} from '../files/place-file.ts'
import {Secret} from '../sensitive/secret.ts'

/** Where the key of a trail is: in the keyring under a name, or in the file itself where no keyring can be used. */
export type KeptKey =
  | {readonly place: 'keyring'; readonly account: string}
  | {readonly place: 'file'; readonly key: Secret<Buffer>}

/** The key's file beside a trail: `audit.key` for `audit.ndjson`. */
export const keyFileOf = (trail: string): string => trail.replace(/\.ndjson$/, '.key')

const SHORT = 4096

/** Reads the key's file; undefined if there is none. @throws Failure CONFIG_DAMAGED, CONFIG_UNREADABLE naming it. */
export function readKeyFile(file: string): KeptKey | undefined {
  const bytes = readOwnFile(file, SHORT)
  if (bytes === undefined) return undefined
  const text = bytes.toString('latin1')
  const [, account] = /^keyring:([\w/-]{1,80})\n$/.exec(text) ?? []
  if (account !== undefined) return {place: 'keyring', account}
  const [, hex] = /^key:([0-9a-f]{64})\n$/.exec(text) ?? []
  if (hex !== undefined) return {place: 'file', key: new Secret(Buffer.from(hex, 'hex'))}
  throw new Failure('CONFIG_DAMAGED', {
    message: `The key file of the audit trail, ${file}, is damaged; cardctl did not change it.`,
    hint: advice`Restore the file. Without it, begin a new trail: ${cardctl('audit', 'begin', '--export', {value: 'FILE'})}`,
    effect: 'none',
  })
}

/**
 * Writes the key's file unless another process was first.
 *
 * @returns whether this one stands there now.
 */
export function placeKeyFile(file: string, kept: KeptKey, options?: {readonly replace: boolean}): boolean {
  const text =
    kept.place === 'keyring' ? `keyring:${kept.account}\n` : `key:${kept.key.open().toString('hex')}\n`
  try {
    return placeFile(file, text, options)
  } catch (error) {
    if (isDiskFull(error)) throw diskFull(file, {cause: error, effect: 'none'})
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The key file of the audit trail, ${file}, can't be created: ${reasonOf(error)}.`,
      effect: 'none',
      cause: error,
    })
  }
}
