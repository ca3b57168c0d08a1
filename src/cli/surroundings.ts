import {homedir} from 'node:os'
import process from 'node:process'
import type {Readable, Writable} from 'node:stream'
import {setTimeout as delay} from 'node:timers/promises'
import type {Options} from '@oclif/core/interfaces'
import type {Asked, Decision, PolicyPlace} from '../policy/index.ts'
import type {Keyring} from '../profiles/keyring.ts'
import {osUser} from './os-user.ts'
import type {DaySums} from './pass-policy.ts'
import type {LateRecords} from './record-changes.ts'

export type Input = Readable & {isTTY?: boolean; isRaw?: boolean; setRawMode?(mode: boolean): unknown}
export type Output = Writable & {isTTY?: boolean; columns?: number; rows?: number}

/** Everything a command gets from outside. Tests pass their own; nothing else is global. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly platform: NodeJS.Platform
  readonly homedir: string
  readonly osUser: string
  readonly pid: number
  /** Milliseconds since 1970. */
  now(): number
  /** In [0, 1); for back-off, never for secrets. */
  random(): number
  newKey(): string
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The store for secrets; the operating system's keyring by default. */
  readonly openKeyring?: () => Promise<Keyring>
  /** Where the policy of this machine is; its fixed place by default. */
  readonly policyPlace?: PolicyPlace
  /** Told what the policy decides about a request, which is then not sent. */
  readonly explainPolicy?: (decision: Decision, asked: Asked) => void
  /** Of a server that sends for others: it counts what they send on a day. */
  readonly daySums?: DaySums
  /** Of the same: takes what can't be recorded now. */
  readonly lateRecords?: LateRecords
  /** Whether a person chose the command in the menu, and can go back to it. */
  readonly fromMenu?: boolean
  /** The words of the command line; undefined outside a command. */
  readonly argv?: readonly string[]
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with the signal's name as reason. */
  readonly signal: AbortSignal
  /**
   * Does work that may be long and leaves nothing half done: reading an answer, laying it out. Node reports no signal while
   * a parser runs, so a signal ends the process by itself meanwhile.
   *
   * @throws Failure INTERRUPTED if a signal has come
   */
  abandonably<Result>(work: () => Promise<Result>): Promise<Result>
  /** The same for what a person sees, also after a first signal: then, only a second one ends it. */
  showAbandonably<Result>(work: () => Promise<Result>): Promise<Result>
  /** Calls `act` when the process ends, however it ends; `act` can't wait for anything. Call the result to cancel. */
  atExit(act: () => void): () => void
  /** From now on, the end of the process waits for no reader of stdout: what is written was not its purpose. */
  leaveReader?(): void
  /** Calls `leave` before Ctrl-Z stops the process, and `back` when it continues. Call the result to cancel. */
  atSuspend?(leave: () => void, back: () => void): () => void
}

export function processSurroundings(
  argv: readonly string[],
  {
    openStdin,
    ...watched
  }: Pick<Surroundings, 'signal' | 'abandonably' | 'showAbandonably' | 'leaveReader'> & {
    readonly openStdin: () => Input
  },
  stdout: Output = process.stdout,
): Surroundings {
  return {
    ...watched,
    argv,
    env: process.env,
    get stdin() {
      return openStdin()
    },
    stdout,
    stderr: process.stderr,
    platform: process.platform,
    homedir: homedir(),
    osUser: osUser(),
    pid: process.pid,
    now: Date.now,
    random: Math.random,
    // Loaded on first use: most runs need no key. The global crypto would also load what only browsers have.
    newKey: () => process.getBuiltinModule('node:crypto').randomUUID(),
    sleep: async (ms, abort) => {
      await delay(ms, undefined, abort ? {signal: abort} : {})
    },
    atExit: act => {
      process.on('exit', act)
      return () => process.off('exit', act)
    },
    atSuspend: (leave, back) => {
      const stop = (): void => {
        leave()
        process.kill(process.pid, 'SIGSTOP')
      }
      process.on('SIGTSTP', stop).on('SIGCONT', back)
      return () => process.off('SIGTSTP', stop).off('SIGCONT', back)
    },
  }
}

/** What oclif loads its configuration from, with our surroundings and the words of the command line. */
export type StartOptions = Options & {readonly surroundings: Surroundings; readonly argv: readonly string[]}

/**
 * The surroundings of a command. oclif makes a new configuration between the start and the command, and passes on the
 * options that it was started with, so they travel there.
 */
export function surroundingsOf(config: {readonly options: Options}): Surroundings {
  const {surroundings, argv} = config.options as Partial<StartOptions>
  if (!surroundings)
    throw new Error('The configuration carries no surroundings; commands are run through main().')
  // A copy would open stdin.
  return argv === undefined || argv === surroundings.argv ? surroundings : {...surroundings, argv}
}

/** Whether a person can be asked: stdin and stderr are terminals, and nothing forbids it. */
export function isInteractive({stdin, stderr, env}: Surroundings, noInput = false): boolean {
  return Boolean(stdin.isTTY && stderr.isTTY) && !noInput && !env.CARDCTL_NO_INPUT && !env.CI
}
