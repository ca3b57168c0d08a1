import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {PassThrough, Readable} from 'node:stream'
import {main} from '../../src/cli/main.ts'
import type {Output, Surroundings} from '../../src/cli/surroundings.ts'
import {commands} from '../../src/commands/index.ts'
import type {PolicyPlace} from '../../src/policy/index.ts'
import type {Keyring} from '../../src/profiles/index.ts'

export interface RunOptions {
  /** The content of stdin; empty and closed by default. */
  readonly stdin?: string | Uint8Array
  /** Stdin itself, if it matters how it is read. */
  readonly input?: Readable
  readonly env?: Record<string, string>
  /** Gets stdout while the command runs. */
  readonly output?: (chunk: Buffer) => void
  /** Milliseconds since 1970. Default: real time, and in addition what the tool has waited. */
  readonly now?: () => number
  readonly signal?: AbortSignal
  /** Gets what the tool does when its process ends; by default nothing ends it. */
  readonly atExit?: Surroundings['atExit']
  /** The keyring. Default: none, so that no test reaches the developer's own. `system` looks for the real one. */
  readonly openKeyring?: (() => Promise<Keyring>) | 'system'
  /** Where the policy is. Default: nowhere, so that no test reads the machine's own. */
  readonly policyPlace?: PolicyPlace
  /** How the tool waits; by default only its clock goes on. */
  readonly sleep?: Surroundings['sleep']
  /** Terminal width; with it stdout counts as a terminal. */
  readonly columns?: number
  /** The terminal of the questions; 80 columns by default. */
  readonly questionsAt?: {readonly columns: number; readonly rows: number}
  /** Terminal height; by default so large that no pager is needed. */
  readonly rows?: number
  /** A person at the terminal: what they type when stderr shows a text, in this order. */
  readonly typed?: readonly (readonly [when: string, keys: string | (() => Promise<string>)])[]
}

export interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A new home with its own embedded sandbox. Runs command lines in it, in process. */
export interface Home {
  readonly folder: string
  run(argv: readonly string[], options?: RunOptions): Promise<RunResult>
  /** `run` with `-o json`, which must succeed. Gives the parsed stdout. */
  json<T = unknown>(argv: readonly string[], options?: RunOptions): Promise<T>
  remove(): Promise<void>
}

export const openHome = async (): Promise<Home> => homeAt(await mkdtemp(join(tmpdir(), 'cardctl-home-')))

export function homeAt(folder: string, osUser = 'tester'): Home {
  let keys = 0
  let waited = 0
  const run = async (argv: readonly string[], options: RunOptions = {}): Promise<RunResult> => {
    const stdout = collector(options.columns, options.rows)
    if (options.output !== undefined) stdout.stream.on('data', options.output)
    const {columns, rows} = options.questionsAt ?? {columns: 80, rows: 1000}
    const stderr = collector(options.typed && columns, rows)
    const atKeyboard = options.typed && person(options.typed, stderr.stream)
    const surroundings: Surroundings = {
      env: {HOME: folder, CARDCTL_PROFILE: 'sandbox', NO_COLOR: '1', ...options.env},
      stdin:
        atKeyboard?.keyboard ??
        options.input ??
        Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      platform: 'linux',
      homedir: folder,
      osUser,
      policyPlace: options.policyPlace ?? {folder: join(folder, 'no-policy'), uid: 1, groups: []},
      pid: process.pid,
      now: () => (options.now ?? Date.now)() + waited,
      random: () => 0.5,
      ...(options.openKeyring === 'system' ? {} : {openKeyring: options.openKeyring ?? noKeyring}),
      newKey: () => `key-${++keys}-${folder.slice(-6)}`,
      sleep:
        options.sleep ??
        (async ms => {
          waited += Math.ceil(ms)
        }),
      signal: options.signal ?? new AbortController().signal,
      abandonably: work => work(),
      showAbandonably: work => work(),
      atExit: options.atExit ?? (() => () => undefined),
    }
    const ended = main(argv, surroundings, commands)
    const code = await (atKeyboard
      ? Promise.race([ended, atKeyboard.stuck]).finally(atKeyboard.leave)
      : ended)
    return {code, stdout: stdout.text(), stderr: stderr.text()}
  }
  return {
    folder,
    run,
    json: async <T>(argv: readonly string[], options?: RunOptions) => {
      const {code, stdout, stderr} = await run([...argv, '-o', 'json'], options)
      if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
    remove: () => rm(folder, {recursive: true, force: true}),
  }
}

const noKeyring = () => Promise.reject(new Error('no keyring here'))

/** Nothing is printed for so long only where nobody answers; less than a test may take, ms. */
const STUCK_MS = 20_000

interface Person {
  readonly keyboard: Readable
  /** Rejects, with the screen, when a question waits for an answer that the test doesn't have. */
  readonly stuck: Promise<never>
  leave(): void
}

/** The keyboard of a person who reads the output. */
function person(typed: NonNullable<RunOptions['typed']>, screen: Output): Person {
  const keyboard = Object.assign(new PassThrough(), {isTTY: true})
  const rest = [...typed]
  const {promise: stuck, reject} = Promise.withResolvers<never>()
  let seen = ''
  const giveUp = (): void => {
    const wanted = rest[0] === undefined ? 'no answer is left' : `the next answer waits for ${rest[0][0]}`
    reject(
      new Error(
        `A question waits, and ${wanted}. A new flag or argument adds a question: answer it here, or pass it.\n${seen.slice(-600)}`,
      ),
    )
  }
  let timer = setTimeout(giveUp, STUCK_MS)
  // A question closes its terminal at the end; a real one stays.
  screen.end = () => screen
  screen.on('data', (chunk: Buffer) => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, STUCK_MS)
    seen += chunk.toString()
    const [next] = rest
    if (next === undefined || !seen.includes(next[0])) return
    rest.shift()
    seen = ''
    // All at once, as pasted; in a moment, when the question listens. Enter follows, except after Esc alone.
    const press = (keys: string): void => {
      setImmediate(() => keyboard.write(['\u001b', '\u001b\u001b'].includes(keys) ? keys : `${keys}\r`))
    }
    if (typeof next[1] === 'string') press(next[1])
    else {
      // What happens elsewhere first takes its time.
      clearTimeout(timer)
      next[1]().then(press, reject)
    }
  })
  return {keyboard, stuck, leave: () => clearTimeout(timer)}
}

function collector(columns?: number, rows = 1000): {stream: Output; text(): string} {
  const stream: Output = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  if (columns !== undefined) Object.assign(stream, {isTTY: true, columns, rows})
  // Codes that clear the rest of a line show nothing, and the test runner's times in a stack are not the tool's.
  return {
    stream,
    text: () =>
      Buffer.concat(chunks)
        .toString('utf8')
        .replaceAll('\u001b[K', '')
        .replaceAll('\r\n', '\n')
        .replaceAll(/\?vitest=\d+/g, ''),
  }
}
