import type {Keyring} from './keyring.ts'

/** A warning for the user, as a value. The caller decides where to show it. */
export interface Notice {
  readonly code: 'LOOSE_MODE' | 'SECRET_IN_FILE' | 'SECRET_LEFT' | 'CURRENT_REMOVED'
  readonly message: string
  /** The file or folder it is about. */
  readonly path?: string
}

/** What this room takes from the outside world. */
export interface ProfileSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homedir: string
  /** Relative paths that a person gives are meant from here; absent: the process's working folder. */
  readonly cwd?: string
  /** The name of the user at the operating system: the audit user of profiles that aren't live. */
  readonly osUser: string
  /** What was typed: variables that its references name are kept from programs that the tool starts. */
  readonly argv?: readonly string[]
  /** Ends the wait for a pipe that a secret comes from. */
  readonly signal?: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** A fresh random name, e.g. a UUID. */
  newKey(): string
  /** The store for secrets; without it the operating system's keyring. */
  readonly openKeyring?: () => Promise<Keyring>
  notify?(notice: Notice): void
}

/** A variable of the environment; one that is set to nothing counts as absent. */
export function variable(env: ProfileSurroundings['env'], name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}
