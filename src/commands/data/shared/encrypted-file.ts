import {createReadStream} from 'node:fs'
import {ReadableStream} from 'node:stream/web'
import type {Context} from '../../../cli/context.ts'
import {readSecretLine} from '../../../cli/read-secret.ts'
import {Failure} from '../../../errors/failure.ts'
import {readInput, readWhole, unreadableInput} from '../../../input/read-input.ts'
import {maskWithin} from '../../../sensitive/mask-text.ts'

/** Who can read an exported file. */
export type Lock = {readonly recipients: readonly string[]} | {readonly passphrase: string}
/** What opens it. */
export type Unlock = {readonly identities: readonly string[]} | {readonly passphrase: string}

const SHORTEST = 12
const LARGEST_KEY_FILE = 64 * 1024

/**
 * Recipients, if there are any; otherwise a passphrase, which is asked for twice on a terminal and is otherwise the one
 * line of stdin.
 *
 * @throws Failure INPUT_INVALID
 */
export async function readLock(context: Context, recipients: readonly string[]): Promise<Lock> {
  if (recipients.length > 0) return {recipients}
  const passphrase = await readPassphrase(context, 'Passphrase')
  if ([...passphrase].length < SHORTEST) {
    throw new Failure('INPUT_INVALID', {
      message: `The passphrase has fewer than ${SHORTEST} characters.`,
      hint: 'Choose a longer one, for example six random words.',
      effect: 'none',
    })
  }
  if (context.surroundings.stdin.isTTY && (await readPassphrase(context, 'Again')) !== passphrase) {
    throw new Failure('INPUT_INVALID', {message: 'The two passphrases differ.', effect: 'none'})
  }
  return {passphrase}
}

/** The keys of a file as `age-keygen` writes it, otherwise a passphrase. @throws Failure INPUT_INVALID */
export async function readUnlock(context: Context, keyFile: string | undefined): Promise<Unlock> {
  if (keyFile === undefined) return {passphrase: await readPassphrase(context, 'Passphrase')}
  let bytes: Buffer | undefined
  try {
    bytes = await readWhole(keyFile, context.surroundings.signal, LARGEST_KEY_FILE)
  } catch (error) {
    throw unreadableInput(keyFile, error)
  }
  const identities = (bytes?.toString('utf8') ?? '')
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line.startsWith('AGE-SECRET-KEY-'))
  bytes?.fill(0)
  if (identities.length > 0) return {identities}
  throw new Failure('INPUT_INVALID', {
    message: `${keyFile} has no line with AGE-SECRET-KEY-.`,
    hint: 'Pass the file that age-keygen wrote.',
    effect: 'none',
  })
}

async function readPassphrase({surroundings}: Context, prompt: string): Promise<string> {
  using line = await readSecretLine(surroundings, prompt, {isOnly: true})
  return line.open().toString('utf8')
}

/** @throws Failure USAGE for a recipient that is none. */
export async function encrypter(lock: Lock) {
  // Loaded on first use: only these two commands need it.
  const {Encrypter} = await import('age-encryption')
  const age = new Encrypter()
  if ('passphrase' in lock) age.setPassphrase(lock.passphrase)
  else for (const recipient of lock.recipients) addRecipient(recipient, () => age.addRecipient(recipient))
  return async (bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> =>
    age.encrypt(ReadableStream.from(bytes) as globalThis.ReadableStream<Uint8Array>)
}

function addRecipient(recipient: string, add: () => void): void {
  try {
    add()
  } catch (error) {
    throw new Failure('USAGE', {
      message: `--recipient ${maskWithin(recipient, 12)} is not a recipient of age.`,
      hint: 'Pass the public key that age-keygen prints: age1 and 58 characters.',
      effect: 'none',
      cause: error,
    })
  }
}

/** @throws Failure INPUT_INVALID, CIPHERTEXT_INVALID. Whether the file is whole is known only at its end. */
export async function decrypted(
  file: string,
  unlock: Unlock,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const {Decrypter} = await import('age-encryption')
  const age = new Decrypter()
  try {
    if ('passphrase' in unlock) age.addPassphrase(unlock.passphrase)
    else for (const identity of unlock.identities) age.addIdentity(identity)
  } catch (error) {
    throw new Failure('INPUT_INVALID', {
      message: 'A line with AGE-SECRET-KEY- is not a key of age.',
      effect: 'none',
      cause: error,
    })
  }
  try {
    await refuseOther(file)
    const source = ReadableStream.from(readInput(file, signal))
    const clear = await age.decrypt(source as globalThis.ReadableStream<Uint8Array>)
    return throughEnd(file, clear as AsyncIterable<Uint8Array>, signal)
  } catch (error) {
    if (error instanceof Failure) throw error
    if (signal.aborted) throw signal.reason
    if (error instanceof Error && 'code' in error) throw unreadableInput(file, error)
    const isOtherKey = /identity|passphrase/.test(String(error))
    throw isOtherKey ? otherKey(file, unlock, error) : incomplete(file, error)
  }
}

async function* throughEnd(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error
    throw incomplete(file, error)
  }
}

const MAGIC = 'age-encryption.org/v1\n'

async function refuseOther(file: string): Promise<void> {
  const start: Buffer[] = []
  for await (const piece of createReadStream(file, {end: MAGIC.length - 1})) start.push(piece)
  if (Buffer.concat(start).toString('latin1') === MAGIC) return
  throw new Failure('INPUT_INVALID', {
    message: `${file} is not a file that data export wrote: it is not encrypted with age.`,
    effect: 'none',
  })
}

const otherKey = (file: string, unlock: Unlock, cause: unknown): Failure =>
  new Failure('CIPHERTEXT_INVALID', {
    message:
      'passphrase' in unlock
        ? `${file} can't be decrypted with this passphrase. Nothing was imported.`
        : `${file} is not encrypted for a key in the file. Nothing was imported.`,
    hint:
      'passphrase' in unlock ? 'If it was encrypted with --recipient, pass --identity KEYFILE.' : undefined,
    effect: 'none',
    cause,
  })

export const incomplete = (file: string, cause?: unknown): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${file} is incomplete or was changed. Nothing was imported.`,
    hint: 'Copy it again from where it was exported.',
    effect: 'none',
    cause,
  })
