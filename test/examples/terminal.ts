// A person's terminal: a new home, a copy of examples/ as the current folder, a shell, and servers in other windows.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {cp, mkdir, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {PassThrough, type Readable} from 'node:stream'
import {setTimeout as delay} from 'node:timers/promises'
import {main} from '../../src/cli/main.ts'
import type {Output, Surroundings} from '../../src/cli/surroundings.ts'
import {commands} from '../../src/commands/index.ts'
import {type CommandLine, callsIn} from '../docs/command-lines.ts'
import {ROOT} from '../docs/pages.ts'
import {freePort} from '../helpers/free-port.ts'
import {personAt} from './person.ts'
import {isServer, kindOf, type RunningServer, startServer} from './servers.ts'
import {openShell, type Shell} from './shell.ts'

/** How a call of cardctl ended. */
export interface Ended {
  readonly argv: readonly string[]
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Both, as a screen shows them. */
  readonly screen: string
}

/** Where a call of cardctl runs. */
export interface CallOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The input, if it isn't the keyboard. */
  readonly input?: Readable | undefined
  /** Whether stdout and stderr are the screen. Default: yes. */
  readonly screen?: readonly [stdout: boolean, stderr: boolean]
  readonly signal?: AbortSignal
  /** Servers wait for real; everything else moves the clock. */
  readonly sleep?: Surroundings['sleep']
  /** Gets stdout and stderr as they are written. */
  readonly written?: (fd: 1 | 2, chunk: Buffer) => void
}

/** How a program ends that Ctrl-C stops. */
const STOPPED = 130

/** Where the user's own endpoint listens. */
const OWN_ENDPOINT = 'http://127.0.0.1:3000'

const OWN_KIND = 'own endpoint'

/** Ports in examples. A test can't rely on them being free, so it takes others. */
const PORTS = /(?<=127\.0\.0\.1:|--port )\d{4}\b/g

export class Terminal {
  readonly folder: string
  readonly env: Record<string, string>
  readonly #ports = new Map<string, number>()
  readonly #servers: RunningServer[] = []
  #shell: Shell | undefined
  #isInShell = false
  #later = 0
  #keys = 0

  private constructor(folder: string) {
    this.folder = folder
    this.env = {
      HOME: join(folder, 'home'),
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      NO_COLOR: '1',
    }
  }

  /** Changes the current folder of this process; `close` changes it back. */
  static async open(): Promise<Terminal> {
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-example-'))
    // fish, if it is installed, has this folder.
    await mkdir(join(folder, 'home/.config/fish/completions'), {recursive: true})
    await cp(join(ROOT, 'examples'), join(folder, 'work'), {recursive: true})
    process.chdir(join(folder, 'work'))
    return new Terminal(folder)
  }

  async close(): Promise<void> {
    await this.endServers()
    await this.#shell?.close()
    process.chdir(ROOT)
    await rm(this.folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 50})
  }

  /** Runs a line as a shell does. Gives the calls of cardctl in it, in the order in which they ended. */
  async run(line: string): Promise<readonly Ended[]> {
    const typed = await this.#withOwnPorts(line)
    const exported = /^export /.test(typed) ? [...typed.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S+)/g)] : []
    // Only the shell knows what a command printed, so it also runs the lines that follow.
    this.#isInShell ||= exported.some(([, , value = '']) => value.startsWith('$('))
    for (const [, name = '', value = ''] of this.#isInShell ? [] : exported)
      this.env[name] = value.replaceAll(/^['"]|['"]$/g, '')
    const [, program, port] = /^node (\S+) --port (\d+)$/.exec(typed) ?? []
    if (program !== undefined && port !== undefined) return this.#serveOwn(program, port)
    if (line.includes(OWN_ENDPOINT)) await this.#openOwnEndpoint()
    const [words] = callsIn(typed)
    if (words !== undefined && isServer(words)) return this.#serve(words)
    if (words !== undefined && isPlain(typed) && !this.#isInShell)
      return [await this.call(words, {env: this.env})]
    this.#shell ??= await openShell(this)
    return this.#shell.run(typed)
  }

  /** Runs cardctl in this process. */
  async call(argv: readonly string[], options: CallOptions): Promise<Ended> {
    const {env, input, screen = [true, true], written, signal = new AbortController().signal} = options
    const both: Buffer[] = []
    const [stdout, stderr] = ([1, 2] as const).map(fd =>
      collector(screen[fd - 1], chunk => {
        both.push(chunk)
        written?.(fd, chunk)
      }),
    )
    if (stdout === undefined || stderr === undefined) throw new Error('no streams')
    const surroundings: Surroundings = {
      env,
      stdin: input ?? personAt(stderr.stream),
      stdout: stdout.stream,
      stderr: stderr.stream,
      platform: 'linux',
      homedir: this.env.HOME ?? '',
      osUser: 'aino',
      pid: process.pid,
      now: () => Date.now() + Math.round(this.#later),
      random: () => 0.5,
      openKeyring: () => Promise.reject(new Error('no keyring here')),
      newKey: () => `key-${++this.#keys}-${this.folder.slice(-6)}`,
      sleep:
        options.sleep ??
        (async ms => {
          this.#later += ms
          await delay(1)
        }),
      signal,
      abandonably: work => work(),
      showAbandonably: work => work(),
      atExit: () => () => undefined,
    }
    const code = await main(argv, surroundings, commands)
    return {argv, code, stdout: stdout.text(), stderr: stderr.text(), screen: Buffer.concat(both).toString()}
  }

  /** Ends the servers with Ctrl-C. Gives how they ended. */
  endServers(): Promise<readonly Ended[]> {
    return this.#end([...this.#servers])
  }

  /** A server runs until another of its kind is started, as they use the same port. */
  async #serve(words: CommandLine): Promise<readonly Ended[]> {
    const before = this.#servers.filter(({kind}) => kind === kindOf(words))
    const ended = await this.#end(before)
    this.#servers.push(await startServer(this, words))
    return ended
  }

  /** Starts an endpoint that the examples bring, in place of the one that stands for the user's. */
  async #serveOwn(program: string, port: string): Promise<readonly Ended[]> {
    const child = spawn(process.execPath, [program, '--port', port], {stdio: ['ignore', 'pipe', 'inherit']})
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const call = {argv: ['node', program], code: 0, stdout: '', stderr: '', screen: said.toString()}
    const end = async (): Promise<Ended> => {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return call
    }
    this.#servers.push({kind: OWN_KIND, end})
    return [call]
  }

  async #openOwnEndpoint(): Promise<void> {
    const kind = OWN_KIND
    if (this.#servers.some(server => server.kind === kind)) return
    const {port} = new URL(await this.#withOwnPorts(OWN_ENDPOINT))
    const words = ['webhook', 'serve', '--no-record', '--port', port]
    this.#servers.push({...(await startServer(this, words)), kind})
  }

  async #end(servers: readonly RunningServer[]): Promise<readonly Ended[]> {
    for (const server of servers) this.#servers.splice(this.#servers.indexOf(server), 1)
    const ended = await Promise.all(servers.map(server => server.end()))
    return ended.map(one => ({...one, code: one.code === STOPPED ? 0 : one.code}))
  }

  async #withOwnPorts(line: string): Promise<string> {
    for (const [port] of line.matchAll(PORTS)) {
      if (!this.#ports.has(port)) this.#ports.set(port, await freePort())
    }
    return line.replaceAll(PORTS, port => String(this.#ports.get(port)))
  }
}

/** Whether a line is one call of cardctl, without anything that only a shell knows. */
function isPlain(line: string): boolean {
  const bare = line.replaceAll(/'[^']*'|"[^"$`\\]*"/g, 'text').replace(/\s#.*$/, '')
  return /^(npx )?cardctl /.test(bare) && !/[|&;<>$`(){}*?~\\"']/.test(bare)
}

function collector(
  isScreen: boolean | undefined,
  written: (chunk: Buffer) => void,
): {stream: Output; text(): string} {
  const stream: Output = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    written(chunk)
  })
  if (isScreen === true) Object.assign(stream, {isTTY: true, columns: 80, rows: 1000})
  return {stream, text: () => Buffer.concat(chunks).toString('utf8')}
}
