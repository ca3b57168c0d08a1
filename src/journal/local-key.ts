import {hkdfSync, randomBytes} from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'

const KEY_BYTES = 32

/**
 * The local key in a file (0600, its folder 0700), made on first use. Many processes may ask at once: each writes a
 * file of its own and links it into place, the first one wins and no one reads half a key.
 *
 * @throws Failure CONFIG_DAMAGED when the file holds no key, CONFIG_UNREADABLE when it can't be read or made.
 */
export function localKeyFile(
  file: string,
  random: (size: number) => Uint8Array = randomBytes,
): Secret<Buffer> {
  try {
    return readKey(file) ?? makeKey(file, random)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The local key ${file} cannot be read or made.`,
      cause: error,
    })
  }
}

function readKey(file: string): Secret<Buffer> | undefined {
  const found = statSync(file, {throwIfNoEntry: false})
  if (found === undefined) return undefined
  if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600)
  const key = readFileSync(file)
  if (key.length === KEY_BYTES) return new Secret(key)
  throw new Failure('CONFIG_DAMAGED', {
    message: `The local key ${file} is damaged: it has ${key.length} bytes instead of ${KEY_BYTES}.`,
    hint: 'Restore it. With a new one, requests of the last 24 hours can no longer be compared or repeated.',
  })
}

function makeKey(file: string, random: (size: number) => Uint8Array): Secret<Buffer> {
  mkdirSync(dirname(file), {recursive: true, mode: 0o700})
  const own = `${file}.${process.pid}.${Buffer.from(random(6)).toString('hex')}`
  const descriptor = openSync(own, 'wx', 0o600)
  try {
    writeSync(descriptor, random(KEY_BYTES))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  try {
    place(own, file)
  } finally {
    unlinkSync(own)
  }
  const key = readKey(file)
  if (key === undefined) throw new Error('the key went away while it was made')
  return key
}

function place(own: string, file: string): void {
  try {
    linkSync(own, file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') return
    // A file system without hard links: an exclusive copy is the next best.
    copyFileSync(own, file, constants.COPYFILE_EXCL)
  }
}

/** A key for one purpose, so that no two uses share one (HKDF, RFC 5869). */
export function deriveKey(key: Secret<Buffer>, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.open(), new Uint8Array(0), purpose, KEY_BYTES))
}
