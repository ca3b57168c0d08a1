import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {onTestFinished} from 'vitest'
import {COMPILED} from './process-home.ts'

/** `bin/run.js`, as `npm ci` leaves it. */
export const BINARY = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

export interface SpawnOptions {
  readonly env?: Record<string, string>
  /** The program that runs the binary; this Node by default. */
  readonly node?: string
  /** Closed after this text. */
  readonly stdin?: string
  /** Leaves stdin open and silent, as a pipe without a writer. */
  readonly openStdin?: boolean
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A home that is removed after the test. @param finished the test's own, if several run at the same time. */
export async function emptyHome(finished: typeof onTestFinished = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-binary-'))
  finished(() => rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50}))
  return folder
}

/** The environment of a user who has set nothing but where compiled code is kept. */
export function plainEnv(home: string, env: Record<string, string> = {}): Record<string, string> {
  return {HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', CARDCTL_CACHE_DIR: COMPILED, ...env}
}

/** Starts the binary. It is killed at the end of the test if it still runs. */
export function start(
  home: string,
  argv: readonly string[],
  {env = {}, node = process.execPath, stdin = '', openStdin = false}: SpawnOptions = {},
): {child: ChildProcess; ended: Promise<Ended>; stdout(): string; stderr(): string} {
  return collected(
    spawn(node, [BINARY, ...argv], {cwd: home, env: plainEnv(home, env), stdio: 'pipe'}),
    openStdin ? undefined : stdin,
  )
}

/** Runs the binary to its end. */
export function run(home: string, argv: readonly string[], options?: SpawnOptions): Promise<Ended> {
  return start(home, argv, options).ended
}

/** Runs a line of bash in which `cardctl` is the binary. */
export function bash(home: string, line: string, env: Record<string, string> = {}): Promise<Ended> {
  const script = `cardctl() { ${quoted(process.execPath)} ${quoted(BINARY)} "$@"; }\n${line}`
  return collected(spawn('bash', ['-c', script], {cwd: home, env: plainEnv(home, env), stdio: 'pipe'}), '')
    .ended
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function collected(child: ChildProcess, stdin: string | undefined) {
  const texts = {stdout: '', stderr: ''}
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  child.stdin?.on('error', () => undefined)
  if (stdin !== undefined) child.stdin?.end(stdin)
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      ...texts,
    }),
  )
  return {child, ended, stdout: () => texts.stdout, stderr: () => texts.stderr}
}

/** Waits for something to become true; the test's own time limit ends it. */
export async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  for (;;) {
    const value = look()
    if (value !== undefined && value !== false) return value
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
