import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

const PROGRAM = fileURLToPath(new URL('pseudo-terminal.py', import.meta.url))

/** Python itself: what PATH leads to may be a script that looks for it each time. */
const PYTHON = ((): string | undefined => {
  try {
    return execFileSync('python3', ['-c', 'import sys, termios; print(sys.executable)'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    if (process.env.CI) throw new Error('python3 is needed under CI')
    return undefined
  }
})()

/** Whether terminals can be closed from outside here. Without it such tests are skipped; where CI runs, that is an error. */
export const hasPseudoTerminal = PYTHON !== undefined

export interface Ending {
  /** The exit code, or the negative number of the signal that ended it. */
  readonly code: number
  /** Since the last order. */
  readonly seconds: number
  /** Whether the terminal edits lines again; null after `close`. */
  readonly cooked: boolean | null
}

/** A command on its own terminal. */
export interface PseudoTerminal {
  readonly pid: Promise<number>
  /** All that was printed on it. */
  output(): string
  /** Waits until it is printed; rejects when the command ends before. */
  shows(what: RegExp | string): Promise<void>
  type(text: string): void
  /** Resizes the window; it has 100 columns and 24 rows at first. */
  resize(columns: number, rows?: number): void
  signal(name: NodeJS.Signals): void
  /** Closes it, as a window is. */
  close(): void
  readonly ended: Promise<Ending>
  /** Kills what still runs. */
  kill(): void
}

export interface PseudoTerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Without it closing the terminal sends no SIGHUP. */
  readonly controlling?: boolean
}

export function openPseudoTerminal(
  command: readonly string[],
  {cwd, env, controlling = true}: PseudoTerminalOptions,
): PseudoTerminal {
  const child = spawn(PYTHON ?? 'python3', ['-I', '-S', PROGRAM, ...command], {
    cwd,
    env: {...env, CONTROLLING: controlling ? 'yes' : 'no'},
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  let ending: Ending | undefined
  let pid: number | undefined
  let look = (): void => undefined
  createInterface({input: child.stdout}).on('line', line => {
    const told = JSON.parse(line) as {pid?: number; output?: string} & Partial<Ending>
    if (told.pid !== undefined) pid = told.pid
    if (told.output !== undefined) text += told.output
    if (told.code !== undefined) ending = told as Ending
    look()
  })
  const until = <Value>(found: () => Value | undefined, what: string): Promise<Value> =>
    new Promise((resolve, reject) => {
      const before = look
      look = () => {
        before()
        const value = found()
        if (value !== undefined) resolve(value)
        else if (ending !== undefined) reject(new Error(`${what} never came, but:\n${text}\n${ending.code}`))
      }
      look()
    })
  const order = (what: object): void => void child.stdin.write(`${JSON.stringify(what)}\n`)
  child.stdin.on('error', () => undefined)
  const closed = once(child, 'close')
  return {
    pid: until(() => pid, 'the process'),
    output: () => text,
    shows: async what => {
      const isThere = () => (typeof what === 'string' ? text.includes(what) : what.test(text))
      await until(() => isThere() || undefined, String(what))
    },
    type: typed => order({type: typed}),
    resize: (columns, rows = 24) => order({columns, rows}),
    signal: name => order({signal: name}),
    close: () => order({close: true}),
    ended: closed.then(() => {
      if (ending === undefined) throw new Error(`The terminal broke:\n${text}`)
      return ending
    }),
    kill: () => child.stdin.end(),
  }
}
