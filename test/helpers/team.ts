// Machines of a team: homes of their own with profiles that lead to the same service, the same database and the same key.
import {setTimeout as pause} from 'node:timers/promises'
import {onTestFinished} from 'vitest'
import {type Home, openHome, type RunOptions, type RunResult} from './cli.ts'
import {openService, reply} from './service.ts'

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

/** The response to a change, which names what was changed. */
export const updated = ({url}: {readonly url: string}) =>
  reply(200, {description: 'Updated', id: url.split('?')[0]?.split('/').at(-1)})

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

type Machines<Count extends 2 | 3> = Count extends 2 ? [Machine, Machine] : [Machine, Machine, Machine]

/** Machines of one team. */
export const openMachines = async <Count extends 2 | 3>(count: Count, options: MachineOptions) =>
  (await Promise.all(Array.from({length: count}, () => openMachine(options)))) as Machines<Count>

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

/** Real pauses that a signal ends. */
export const prompt: NonNullable<RunOptions['sleep']> = async (ms, signal) =>
  void (await pause(ms, undefined, {signal}))

/** A service that takes every row, and the codes or limits that it got, in their order. */
export async function witness(onArrival: (row: string) => void | Promise<void> = () => undefined) {
  const rows: string[] = []
  const service = await openService(async ({method, url, body}) => {
    if (url.startsWith('/token')) return undefined
    // It doesn't say which keys it honours.
    if (method === 'GET') return reply(404, {})
    const {code, creditLimit} = JSON.parse(String(body)) as {code?: string; creditLimit?: number}
    const row = String(code ?? creditLimit)
    rows.push(row)
    await onArrival(row)
    return updated({url})
  })
  onTestFinished(() => service.close())
  return {service, rows}
}

export const numbers = (count: number) => Array.from({length: count}, (_, at) => String(at + 1))
/** Rows for price lists, by default of one list each. */
export const pricesOf = (count: number, lists: (at: number) => number = at => at) =>
  `id,code\n${numbers(count)
    .map((code, at) => `${5001 + lists(at)},${code}\n`)
    .join('')}`
