import {randomBytes} from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'
import {openOwnFile, readOwnFile} from '../files/open-own-file.ts'
import {Secret} from '../sensitive/secret.ts'

/** Where the key of a trail is: in the keyring under a name, or in the file itself where no keyring can be used. */
export type KeptKey =
  | {readonly place: 'keyring'; readonly account: string}
  | {readonly place: 'file'; readonly key: Secret<Buffer>}

export const KEY_BYTES = 32

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
    message: `The key file of the audit trail, ${file}, is damaged; it was left as it is.`,
    hint: 'Restore the file. Without it, move it away: the trail goes on under a new key, with a line that says so.',
    effect: 'none',
  })
}

/**
 * Writes the key's file (0600) unless another process was first. A file of this process is linked into place, so that
 * nobody reads half a key.
 *
 * @param replace puts it in place of another one.
 * @returns whether this one stands there now.
 */
export function placeKeyFile(file: string, kept: KeptKey, {replace = false} = {}): boolean {
  const text =
    kept.place === 'keyring' ? `keyring:${kept.account}\n` : `key:${kept.key.open().toString('hex')}\n`
  const own = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700})
    const descriptor = openSync(own, 'wx', 0o600)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (replace) {
      renameSync(own, file)
      return true
    }
    try {
      return place(own, file)
    } finally {
      unlinkSync(own)
    }
  } catch (error) {
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The key file of the audit trail, ${file}, cannot be made: ${reasonOf(error)}.`,
      effect: 'none',
      cause: error,
    })
  }
}

function place(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
  }
  // A file system without hard links: an exclusive copy is the next best.
  try {
    copyFileSync(own, file, constants.COPYFILE_EXCL)
    closeSync(openOwnFile(file))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}
