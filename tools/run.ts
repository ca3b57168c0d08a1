import {spawnSync} from 'node:child_process'
import process from 'node:process'

/** Checks types in a quarter of the time of the `tsc` of `typescript`, which is here for the programs that use its API. */
export const TSC = 'node_modules/typescript-7/bin/tsc'

export interface RunOptions {
  readonly env?: Record<string, string>
  /** Return the output instead of printing it. */
  readonly quiet?: boolean
}

/** The environment of every command that a check runs: telemetry and update notices are off. */
export const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  OCLIF_SKIP_NEW_VERSION_CHECK: 'true',
})

/** Runs a command in the project's folder. Returns its exit code and, if quiet, its output. */
export function run(command: string, args: readonly string[], {env = {}, quiet = false}: RunOptions = {}) {
  const result = spawnSync(command, args, {
    stdio: quiet ? 'pipe' : 'inherit',
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: {...environment(), ...env},
  })
  if (result.error) throw result.error
  return {code: result.status ?? 1, output: `${result.stdout ?? ''}${result.stderr ?? ''}`}
}
