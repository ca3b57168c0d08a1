// The cost of a whole process: elapsed time, processor time, memory.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'

export interface Program {
  readonly name: string
  readonly argv: readonly string[]
  /** In addition to the environment of all programs of the benchmark. */
  readonly env?: NodeJS.ProcessEnv
  /** What its output must contain: a program that fails quickly isn't fast. */
  readonly prints: RegExp
}

export interface Times {
  /** From start to end, in milliseconds. */
  readonly wall: number
  /** Of all threads, in user and kernel mode, in milliseconds. */
  readonly processor: number
}

/** Rounds that don't count. They do what only a first run does, and fill the caches of compiled code and of files. */
const WARM_UP_ROUNDS = 2

// The shell's own `time` gets the processor time of its children from the kernel. It counts from the fork, which is
// cheap in a process as small as a shell.
const TIMED = `TIMEFORMAT='%3R %3U %3S'; time "$@" 2>&1`

/** Runs a program once. @throws if it fails or prints something else. */
export async function measureTimes(program: Program, env: NodeJS.ProcessEnv): Promise<Times> {
  const {name, argv, prints} = program
  const child = spawn('bash', ['-c', TIMED, 'bash', ...argv], {
    env: {...env, ...program.env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = {stdout: '', stderr: ''}
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text
    })
  }
  const [code] = await once(child, 'close')
  const [wall, user, system] = texts.stderr.trim().replaceAll(',', '.').split(' ').map(Number)
  if (code !== 0 || wall === undefined || user === undefined || system === undefined) {
    throw new Error(`${name} ended with ${code}: ${texts.stdout}${texts.stderr}`)
  }
  if (!prints.test(texts.stdout)) throw new Error(`${name} printed something else: ${texts.stdout}`)
  return {wall: wall * 1000, processor: (user + system) * 1000}
}

/** By the name of the program. */
export type Rounds = ReadonlyMap<string, readonly Times[]>

/** Each round runs every program once. The order rotates, so that no program always follows the same one. */
export async function measureRounds(
  programs: readonly Program[],
  env: NodeJS.ProcessEnv,
  runs: number,
): Promise<Rounds> {
  const times = new Map(programs.map(({name}) => [name, [] as Times[]]))
  for (let round = -WARM_UP_ROUNDS; round < runs; round++) {
    const first = (round + WARM_UP_ROUNDS) % programs.length
    for (const program of [...programs.slice(first), ...programs.slice(0, first)]) {
      const measured = await measureTimes(program, env)
      if (round >= 0) times.get(program.name)?.push(measured)
    }
  }
  return times
}

export const wall = (times: Times): number => times.wall
export const processor = (times: Times): number => times.processor

/** The peak memory of a program during a run, in MB; NaN if the system has no /proc. */
export async function measureMemory(program: Program, env: NodeJS.ProcessEnv): Promise<number> {
  const [file = '', ...args] = program.argv
  const child = spawn(file, args, {env: {...env, ...program.env}, stdio: 'ignore'})
  const ended = once(child, 'exit')
  let peak = Number.NaN
  while (child.exitCode === null && child.signalCode === null) {
    peak = peakMemory(child) ?? peak
    await delay(1)
  }
  await ended
  if (child.exitCode !== 0) throw new Error(`${program.name} ended with ${child.exitCode}`)
  return peak
}

/** The peak memory of a running process so far, in MB; undefined if it has ended or there is no /proc. */
export function peakMemory({pid}: ChildProcess): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
