// Runs the binary, and the sandbox on a port, as processes; also outside of vitest.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

/** The cache of compiled code. Compiling again takes a fifth of a short run. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/cardctl', import.meta.url))

const PROGRAMS = {
  built: fileURLToPath(new URL('../../bin/run.js', import.meta.url)),
  sources: fileURLToPath(new URL('../../bin/dev.mjs', import.meta.url)),
}

export interface Exit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProcessHomeOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The build by default; tests of the rooms run the sources. */
  readonly program?: keyof typeof PROGRAMS
  /** The largest size of a file in KiB, as if the disk were full. */
  readonly mostKiB?: number
}

/** A home in which the tool runs, each time as a new process. */
export class ProcessHome {
  readonly home: string
  readonly #options: ProcessHomeOptions

  constructor(home: string, options: ProcessHomeOptions = {}) {
    this.home = home
    this.#options = options
  }

  /** The same home on a disk that is full when a file has this many KiB. */
  limited(mostKiB: number): ProcessHome {
    return new ProcessHome(this.home, {...this.#options, mostKiB})
  }

  spawn(argv: readonly string[]): ChildProcess {
    const {env = {}, program = 'built', mostKiB} = this.#options
    const command = [process.execPath, PROGRAMS[program], ...argv]
    const [file = '', ...args] =
      mostKiB === undefined ? command : ['bash', '-c', `ulimit -f ${mostKiB}; exec "$@"`, 'bash', ...command]
    const home = {
      HOME: this.home,
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      CARDCTL_CACHE_DIR: COMPILED,
    }
    return spawn(file, args, {cwd: this.home, env: {...home, ...env}, stdio: 'pipe'})
  }

  /** Runs it until it ends, or until the function that gets the child kills it. */
  async run(
    argv: readonly string[],
    started: (child: ChildProcess) => unknown = () => undefined,
  ): Promise<Exit> {
    const child = this.spawn(argv)
    child.stdin?.end()
    started(child)
    const texts = {stdout: '', stderr: ''}
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
      })
    }
    const [code] = (await once(child, 'close')) as [number | null]
    return {code, ...texts}
  }

  /** `run` with `-o json`, which must succeed. */
  async json<T>(argv: readonly string[]): Promise<T> {
    const {code, stdout, stderr} = await this.run([...argv, '-o', 'json'])
    if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }

  /** Adds a profile for a sandbox on a port. */
  async addProfile(name: string, baseUrl: string): Promise<void> {
    const flags = ['--kind', 'sandbox', '--base-url', baseUrl, '--auth', 'none', '--settle-delay', '50ms']
    const {code, stderr} = await this.run([
      'profiles',
      'add',
      name,
      ...flags,
      '--profile-audit-user',
      'tester',
    ])
    if (code !== 0) throw new Error(`profiles add ended ${code}: ${stderr}`)
  }
}

/** A request to the service, its time (ms since 1970), and the response. */
export interface Asked {
  readonly at: number
  readonly operation: string | null
  readonly status: number
}

export interface Served {
  readonly url: string
  /** All its requests. */
  requests(listener: (asked: Asked) => void): void
  close(): Promise<void>
}

/** `sandbox serve` as a process, with its flags. */
export async function serveSandbox(home: ProcessHome, ...flags: readonly string[]): Promise<Served> {
  const child = home.spawn(['sandbox', 'serve', '-o', 'ndjson', ...flags])
  child.stderr?.pipe(process.stderr)
  const {stdout} = child
  if (stdout === null) throw new Error('the sandbox has no stdout')
  const lines = createInterface({input: stdout})
  const [first] = (await once(lines, 'line')) as [string]
  const {url} = JSON.parse(first) as {url: string}
  const listeners: ((asked: Asked) => void)[] = []
  // The lines of the requests must be read, or the pipe is full.
  lines.on('line', line => {
    if (listeners.length === 0) return
    const asked = JSON.parse(line) as Omit<Asked, 'at'> & {readonly at: string}
    const at = Date.parse(asked.at)
    if (Number.isNaN(at)) throw new Error(`no time in ${line}`)
    for (const listener of listeners) listener({...asked, at})
  })
  return {
    url,
    requests: listener => listeners.push(listener),
    close: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
