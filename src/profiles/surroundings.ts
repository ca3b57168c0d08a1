import type {Keyring} from './keyring.ts'
import type {Loosening} from './loosening.ts'

/** What a write to the stored profiles changed. */
export interface ProfileChange {
  readonly profile: string
  readonly what: 'add' | 'edit' | 'remove' | 'use'
  /** Dotted names of the settings. */
  readonly settings: readonly string[]
  /** What a person agreed to, setting by setting: `readOnly true → false`. */
  readonly loosened: readonly string[]
}

/** A warning for the user. The caller decides where to show it. */
export interface Notice {
  readonly code: 'LOOSE_MODE' | 'SECRET_IN_FILE' | 'SECRET_LEFT' | 'CURRENT_REMOVED'
  readonly message: string
  /** The file or folder that it is about. */
  readonly path?: string
}

/** What this folder needs from the outside world. */
export interface ProfileSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homedir: string
  /** The base of relative paths from the user. Default: the process's working folder. */
  readonly cwd?: string
  /** The user name at the operating system: the audit user of profiles that aren't live. */
  readonly osUser: string
  /** The command line. Variables that its references name are hidden from programs that cardctl starts. */
  readonly argv?: readonly string[]
  /** Ends waiting for a pipe that a secret comes from. */
  readonly signal?: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** A new random name, for example a UUID. */
  newKey(): string
  /** The store for secrets. Default: the keyring of the operating system. */
  readonly openKeyring?: () => Promise<Keyring>
  notify?(notice: Notice): void
  /** Asks a person whether a live profile may be loosened. By default nobody agrees. @throws if they don't */
  agree?(loosening: Loosening): Promise<void>
  /** Runs a write, and records what it changed. */
  record?(write: () => Promise<readonly ProfileChange[]>): Promise<void>
}

/** A variable of the environment; an empty one counts as absent. */
export function variable(env: ProfileSurroundings['env'], name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** Variables that most environments have, and that give no setting and no flag. */
const USUAL =
  /^CARDCTL_(PROFILE|BASE_URL|AUDIT_USER|TOKEN|STRICT|CONFIG_DIR|DATA_DIR|CACHE_DIR|KEEP|AGENT|PAGER|NO_INPUT|DEBUG|ACCESSIBLE|ASCII)$/

/** Whether a variable may give a setting or a flag. If none does, the code that reads them isn't loaded. */
export const mayGiveSettings = (env: ProfileSurroundings['env']): boolean =>
  Object.keys(env).some(name => name.startsWith('CARDCTL_') && !USUAL.test(name))
