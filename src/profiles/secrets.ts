import {dirname} from 'node:path'
import {advice, type Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {isObject, parseObject} from '../errors/is-object.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'
import {fileFailure} from '../files/file-failure.ts'
import {readConfiguration} from '../files/open-own-file.ts'
import {replaceFile} from '../files/replace-file.ts'
import {readWhole} from '../input/read-input.ts'
import {Secret} from '../sensitive/secret.ts'
import {looseModes, makeFolder} from './folder-modes.ts'
import {type Keyring, openSystemKeyring, storeChecked} from './keyring.ts'
import {withLock} from './lock.ts'
import {environmentForChildren} from './read-profile.ts'
import {formatReference, parseReference, type SecretReference, splitCommand} from './reference.ts'
import {runSecretCommand} from './run-secret-command.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'

const LONGEST = 64 * 1024

/** What to do about a secret of a profile that can't be read, by where it should be. Without a hint, it can be stored again. */
const secretHints: Partial<Record<SecretReference['source'], (profile: string) => Hint>> = {
  env: () => 'Set the variable, where this command runs.',
  file: () => 'Put it there, readable for the user that runs this command.',
  cmd: profile =>
    advice`Run the secret's command by hand, as the same user and with the same variables, to see all that it prints. It is whole in: ${cardctl('profiles', 'show', {value: profile})}`,
}

/** Reads, stores and deletes the secrets of profiles. */
export interface Secrets {
  /**
   * Fetches a secret from where its reference says, without the line end of a file or of a command's output.
   *
   * @param whose names the secret in errors, for example "the password of the profile prod".
   * @param more the profile, and how long a command may take, if less than usual.
   * @throws Failure SECRET_MISSING
   */
  read(
    reference: SecretReference,
    whose: string,
    more?: {readonly profile?: string; readonly limitMs?: number | undefined},
  ): Promise<Secret>
  /**
   * Stores a secret in the keyring. If no keyring responds, stores it in a file with mode 0600, with a notice that
   * names it.
   */
  store(account: string, secret: Secret): Promise<SecretReference>
  /** Deletes a secret that cardctl stored. A notice reports a failure. Other references are left alone. */
  forget(reference: SecretReference): Promise<void>
}

/** The keyring of these surroundings. Rejects if there is none. */
export function openKeyring(surroundings: Omit<ProfileSurroundings, 'newKey'>): Promise<Keyring> {
  const {openKeyring: own, platform, signal} = surroundings
  return own ? own() : openSystemKeyring(platform, environmentForChildren(surroundings), signal)
}

type Found = {readonly value: Buffer | string} | {readonly problem: string}

export function openSecrets(secretFile: string, surroundings: ProfileSurroundings): Secrets {
  const {env, platform, notify, signal} = surroundings
  let opened: Promise<Keyring> | undefined
  const keyring = (): Promise<Keyring> => {
    opened ??= openKeyring(surroundings)
    return opened
  }
  const file = openSecretFile(secretFile, surroundings)

  const fetch = async ({source, locator}: SecretReference, limitMs?: number): Promise<Found> => {
    switch (source) {
      case 'env': {
        const value = variable(env, locator)
        return value === undefined ? {problem: 'the variable is not set'} : {value}
      }
      case 'file':
        for (const notice of looseModes([locator], platform)) notify?.(notice)
        return readShortFile(locator, signal)
      case 'cmd': {
        const result = await runSecretCommand(
          splitCommand(locator) ?? [],
          environmentForChildren(surroundings),
          signal,
          limitMs,
        )
        return 'output' in result ? {value: result.output.open()} : result
      }
      case 'keyring':
        return fetchStored(keyring(), locator, 'the keyring holds nothing under that name')
      case 'secretfile':
        for (const notice of looseModes([secretFile], platform)) notify?.(notice)
        return fetchStored(Promise.resolve(file), locator, `${secretFile} holds nothing under that name`)
    }
  }

  const unlessStopped = (): void => {
    if (signal?.aborted) throw interrupted(signal.reason, {effect: 'none'})
  }

  const forgetIn = async (store: Promise<Keyring>, {locator}: SecretReference, place: string) => {
    try {
      await (await store).delete(locator)
    } catch {
      notify?.({
        code: 'SECRET_LEFT',
        message: `A secret could not be deleted and is still in ${place}, under the name ${locator}.`,
      })
    }
  }

  return {
    async read(reference, whose, {profile = '', limitMs} = {}) {
      const found = await fetch(reference, limitMs)
      unlessStopped()
      const text = 'problem' in found ? undefined : asText(found.value)
      if (text) return new Secret(text)
      const why = 'problem' in found ? found.problem : text === '' ? 'it is empty' : 'it is not text'
      throw new Failure('SECRET_MISSING', {
        message: `${capital(whose)} cannot be read from ${referenceWords(reference)}: ${why}.`,
        hint: secretHints[reference.source]?.(profile),
        effect: 'none',
      })
    },
    async store(account, secret) {
      const problem = await keyring().then(
        store => storeChecked(store, account, secret),
        () => 'there is none for this platform',
      )
      if (problem === undefined) return {source: 'keyring', locator: account}
      // Otherwise a Ctrl-C while the keyring is called would store the secret in a file.
      unlessStopped()
      await file.set(account, secret)
      notify?.({
        code: 'SECRET_IN_FILE',
        path: secretFile,
        message:
          `The secret was stored in plain text in ${secretFile}, which only your user can read: ` +
          `the keyring cannot be used (${problem}). Better: give a reference, env:NAME, file:PATH or cmd:COMMAND.`,
      })
      return {source: 'secretfile', locator: account}
    },
    async forget(reference) {
      if (reference.source === 'keyring') await forgetIn(keyring(), reference, 'the keyring')
      if (reference.source === 'secretfile') await forgetIn(Promise.resolve(file), reference, secretFile)
    },
  }
}

/**
 * Reads a secret from a reference that the user passes for one run, for example for a server: `env:NAME`, `file:PATH`,
 * `cmd:COMMAND`.
 *
 * @param whose names the secret in errors, for example "the password of the server".
 * @throws Failure SENSITIVE_IN_ARGV, INPUT_INVALID, SECRET_MISSING
 */
export async function readReference(
  text: string,
  whose: string,
  surroundings: ProfileSurroundings,
): Promise<Secret> {
  // Such a reference never leads to the file of stored secrets, so its name doesn't matter here.
  const reference = parseReference(text, surroundings)
  return openSecrets('', surroundings)
    .read(reference, whose)
    .catch((error: unknown) => {
      const isMissing = error instanceof Failure && error.code === 'SECRET_MISSING'
      throw isMissing
        ? error.with({hint: 'Correct the reference, or the variable, file or command that it names.'})
        : error
    })
}

async function fetchStored(store: Promise<Keyring>, account: string, missing: string): Promise<Found> {
  try {
    const secret = await (await store).get(account)
    return secret === undefined ? {problem: missing} : {value: secret.open()}
  } catch (error) {
    // If our own file is damaged or unreadable, its error says why.
    if (error instanceof Failure) throw error
    return {problem: 'the keyring cannot be reached, or is locked'}
  }
}

async function readShortFile(path: string, signal = new AbortController().signal): Promise<Found> {
  try {
    const value = await readWhole(path, signal, LONGEST)
    return value ? {value} : {problem: `it is longer than ${LONGEST} bytes`}
  } catch (error) {
    if (error instanceof Failure || errnoOf(error) === undefined) throw error
    return {problem: reasonOf(error)}
  }
}

/** The text without one trailing line end; undefined if it isn't UTF-8. */
function asText(value: Buffer | string): string | undefined {
  try {
    const text = typeof value === 'string' ? value : new TextDecoder('utf-8', {fatal: true}).decode(value)
    return text.replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}

/** A reference for an error message. For a command only the program, because its arguments may be private. */
export function referenceWords(reference: SecretReference): string {
  if (reference.source !== 'cmd') return formatReference(reference)
  const [program = '', ...rest] = splitCommand(reference.locator) ?? []
  return `cmd:${program}${rest.length === 0 ? '' : ' …'}`
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const SCHEMA = 1

/**
 * Secrets in a file with mode 0600, for machines without a keyring: `{"schema": 1, "secrets": {account: secret}}`. It
 * is in the data folder, because people keep the config folder under version control.
 *
 * Every call may throw Failure CONFIG_DAMAGED, which leaves the file unchanged, or CONFIG_UNREADABLE.
 */
export function openSecretFile(
  file: string,
  {platform, now, signal}: Pick<ProfileSurroundings, 'platform' | 'now' | 'signal'>,
): Keyring {
  const edit = async (change: (secrets: Record<string, unknown>) => boolean): Promise<void> => {
    makeFolder(dirname(file), platform)
    await withLock(file, {now, signal}, async lock => {
      const document = await read(file)
      const secrets: Record<string, unknown> = isObject(document?.secrets) ? {...document.secrets} : {}
      if (!change(secrets)) return
      lock.assertHeld()
      await replace(file, JSON.stringify({...document, schema: SCHEMA, secrets}, null, 2))
    })
  }
  return {
    async get(account) {
      const secrets = (await read(file))?.secrets
      const found = isObject(secrets) && Object.hasOwn(secrets, account) ? secrets[account] : undefined
      return typeof found === 'string' ? new Secret(found) : undefined
    },
    set: (account, secret) =>
      edit(secrets => {
        secrets[account] = secret.open()
        return true
      }),
    async delete(account) {
      if ((await read(file)) === undefined) return
      await edit(secrets => {
        if (!Object.hasOwn(secrets, account)) return false
        delete secrets[account]
        return true
      })
    },
  }
}

async function read(file: string): Promise<Record<string, unknown> | undefined> {
  const bytes = readConfiguration(file)
  if (bytes === undefined) return undefined
  const document = parseObject(bytes.toString('utf8'))
  if (document?.schema === SCHEMA && isObject(document.secrets)) return document
  throw new Failure('CONFIG_DAMAGED', {
    message: `${file} is damaged, or was written by a newer version; it was left as it is.`,
    effect: 'none',
  })
}

async function replace(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, [text])
  } catch (error) {
    throw fileFailure(file, 'written', error)
  }
}
