import {dirname} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {parseObject} from '../errors/parse-object.ts'
import {fileFailure, readConfiguration} from '../files/open-own-file.ts'
import {replaceFile} from '../files/replace-file.ts'
import {Secret} from '../sensitive/secret.ts'
import {makeFolder} from './folders.ts'
import type {Keyring} from './keyring.ts'
import {withLock} from './lock.ts'
import type {ProfileSurroundings} from './surroundings.ts'

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
    await makeFolder(dirname(file), platform)
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
