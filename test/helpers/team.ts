// Machines of a team: homes of their own with profiles that lead to the same service, the same database and the same key.
import {onTestFinished} from 'vitest'
import {type Home, openHome, type RunOptions, type RunResult} from './cli.ts'

export const TEAM_KEY = Buffer.alloc(32, 7).toString('base64')

/** A price list has no honoured key; an account has one. */
export const PRICES = 'pricelists.patch.v1'
export const ACCOUNTS = 'accounts.patchCredit.v4'

export interface SharedJob {
  readonly job: string
  readonly state: string
  readonly rows: number
  readonly done: number
  readonly failed: number
  readonly unknown: number
  readonly held: number
  readonly waiting: number
  readonly sent: number
  readonly again: number
}

/** One machine of a team. */
export interface Machine extends Home {
  /** A command line with the profile of the team. */
  team(argv: readonly string[], options?: RunOptions): Promise<RunResult>
  teamJson<T>(argv: readonly string[], options?: RunOptions): Promise<T>
}

export interface MachineOptions {
  readonly database: string
  readonly url: string
  /** Further flags of `profiles add`. */
  readonly flags?: readonly string[]
  readonly key?: string
  readonly auditUser?: string
}

const PROFILE = ['--kind', 'sandbox', '--team-store', 'env:TEAM_URL', '--team-key', 'env:TEAM_KEY']
const FAST = ['--rate', '1000/s,60000/min']

export async function openMachine({
  database,
  url,
  flags = [],
  auditUser = 'night',
  key = TEAM_KEY,
}: MachineOptions): Promise<Machine> {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const env = {TEAM_URL: database, TEAM_KEY: key}
  await home.json(
    [
      'profiles',
      'add',
      'team',
      ...PROFILE,
      ...FAST,
      '--base-url',
      url,
      '--profile-audit-user',
      auditUser,
      ...flags,
    ],
    {env},
  )
  const withTeam = (options: RunOptions = {}) => ({...options, env: {...env, ...options.env}})
  return {
    ...home,
    team: (argv, options) => home.run([...argv, '-p', 'team'], withTeam(options)),
    teamJson: (argv, options) => home.json([...argv, '-p', 'team'], withTeam(options)),
  }
}

/** Creates a shared job without working on it. */
export async function prepare(
  machine: Machine,
  operation: string,
  rows: string,
  flags: readonly string[] = [],
): Promise<SharedJob> {
  const argv = ['bulk', 'run', operation, '--from', '-', '--shared', '--prepare', ...flags]
  return machine.teamJson(argv, {stdin: rows})
}
