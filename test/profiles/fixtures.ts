import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Failure} from '../../src/errors/failure.ts'
import {
  type Keyring,
  type Notice,
  openProfiles,
  type ProfileSurroundings,
  type Profiles,
} from '../../src/profiles/index.ts'
import type {Secret} from '../../src/sensitive/secret.ts'

/** A keyring as a desktop has it, in memory. */
export function workingKeyring(): Keyring & {readonly entries: Map<string, Secret>} {
  const entries = new Map<string, Secret>()
  return {
    entries,
    get: async account => entries.get(account),
    set: async (account, secret) => {
      entries.set(account, secret)
    },
    delete: async account => {
      entries.delete(account)
    },
  }
}

export const noKeyring = (): Promise<Keyring> => Promise.reject(new Error('no keyring here'))

export interface Home extends Disposable {
  readonly path: string
  readonly configFile: string
  readonly secretFile: string
  readonly keyring: ReturnType<typeof workingKeyring>
  readonly notices: Notice[]
  readonly surroundings: ProfileSurroundings
  profiles(more?: Partial<ProfileSurroundings>): Profiles
  config(): unknown
  writeConfig(text: string): void
}

/** A user's folders below a temporary one that goes away with the test's `using`. */
export function home(): Home {
  const path = mkdtempSync(join(tmpdir(), 'cardctl-profiles-'))
  const keyring = workingKeyring()
  const notices: Notice[] = []
  let keys = 0
  const configFile = join(path, 'profiles.json')
  const surroundings: ProfileSurroundings = {
    env: {CARDCTL_CONFIG_DIR: path, CARDCTL_DATA_DIR: join(path, 'data')},
    platform: process.platform,
    homedir: path,
    cwd: path,
    osUser: 'aino',
    now: Date.now,
    newKey: () => `key${++keys}`,
    openKeyring: async () => keyring,
    notify: notice => notices.push(notice),
  }
  return {
    path,
    configFile,
    secretFile: join(path, 'data', 'secrets.json'),
    keyring,
    notices,
    surroundings,
    profiles: (more = {}) =>
      openProfiles({...surroundings, ...more, env: {...surroundings.env, ...more.env}}),
    config: () => JSON.parse(readFileSync(configFile, 'utf8')),
    writeConfig: text => writeFileSync(configFile, text, {mode: 0o600}),
    [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true}),
  }
}

/** The failure that a call ends with; anything else fails the test. */
export async function failureOf(call: () => unknown): Promise<Failure> {
  try {
    await call()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('The call was expected to fail.')
}
