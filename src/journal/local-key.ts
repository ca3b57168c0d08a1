import {hkdfSync, randomBytes} from 'node:crypto'
import {chmodSync, readdirSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {placeFile} from '../files/place-file.ts'
import {Secret} from '../sensitive/secret.ts'
import {systemReason} from '../sqlite/index.ts'

const KEY_BYTES = 32

/**
 * The local key in a file, made on first use. Where a journal lies beside it there was a key before, and a new one would
 * not know again what was sent.
 *
 * @throws Failure CONFIG_DAMAGED when the file holds no key, STORE_DAMAGED when it is gone, CONFIG_UNREADABLE when it
 * can't be read or made.
 */
export function localKeyFile(
  file: string,
  random: (size: number) => Uint8Array = randomBytes,
): Secret<Buffer> {
  try {
    return readKey(file) ?? (hasJournal(dirname(file)) ? rereadKey(file) : makeKey(file, random))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The local key ${file} cannot be read or made: ${systemReason(error) ?? 'the reason is not known'}.`,
      effect: 'none',
      cause: error,
    })
  }
}

function readKey(file: string): Secret<Buffer> | undefined {
  const key = readOwnFile(file)
  if (key === undefined) return undefined
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const isKey = key.length === KEY_BYTES && key.some(byte => byte !== 0)
  if (isKey) return new Secret(key)
  throw new Failure('CONFIG_DAMAGED', {
    message: `The local key ${file} is damaged: it does not hold ${KEY_BYTES} random bytes. It was left as it is.`,
    hint: restoreKey(file),
    effect: 'none',
  })
}

/** What to do where the key that a journal was written with is not there. */
export const restoreKey = (file: string): string =>
  `Restore ${file} from a backup. Without one, look at requests list and at the service, then move the folder ${dirname(file)} away: from then on nothing keeps what was sent before from being sent twice.`

function hasJournal(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      name => name.endsWith('.db') && (statSync(join(folder, name), {throwIfNoEntry: false})?.size ?? 0) > 0,
    )
  } catch {
    return false
  }
}

/** Another process may have made key and journal since the first look: the key first. */
function rereadKey(file: string): Secret<Buffer> {
  const key = readKey(file)
  if (key !== undefined) return key
  throw new Failure('STORE_DAMAGED', {
    message: `The local key ${file} is gone, and the journals beside it cannot be used without it. They were left as they are.`,
    hint: restoreKey(file),
    effect: 'none',
  })
}

function makeKey(file: string, random: (size: number) => Uint8Array): Secret<Buffer> {
  placeFile(file, random(KEY_BYTES))
  const key = readKey(file)
  if (key === undefined) throw new Error('the key went away while it was made')
  return key
}

/** A key for one purpose, so that no two uses share one (HKDF, RFC 5869). */
export function deriveKey(key: Secret<Buffer>, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.open(), new Uint8Array(0), purpose, KEY_BYTES))
}
