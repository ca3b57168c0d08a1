// The conformance tests of the protocol's own project, against `cardctl mcp`. They speak HTTP, so a bridge stands between:
// a process for each session. What they need that a server may leave out, such as tools with their names, isn't asked.
import {type ChildProcess, spawn} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'

const PACKAGE = '@modelcontextprotocol/conformance@0.1.16'
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list']
const RUN = join(import.meta.dirname, '../../bin/run.js')

interface Message {
  readonly id?: string | number
  readonly method?: string
}

/** A server on standard input and output. */
class Session {
  readonly #child: ChildProcess
  readonly #waiting = new Map<string | number, (lines: readonly string[]) => void>()
  #before: string[] = []

  constructor(home: string) {
    const env = {PATH: process.env.PATH ?? '', HOME: home}
    this.#child = spawn(process.execPath, [RUN, 'mcp'], {env, stdio: ['pipe', 'pipe', 'inherit']})
    if (this.#child.stdout === null) throw new Error('no pipe')
    createInterface({input: this.#child.stdout}).on('line', line => {
      const {id, method} = JSON.parse(line) as Message
      this.#before.push(line)
      const done = id === undefined || method !== undefined ? undefined : this.#waiting.get(id)
      if (id === undefined || done === undefined) return
      this.#waiting.delete(id)
      done(this.#before)
      this.#before = []
    })
  }

  /** The response, after what was said meanwhile; nothing for what has none. */
  ask(message: Message): Promise<readonly string[]> {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`)
    const {id, method} = message
    if (id === undefined || method === undefined) return Promise.resolve([])
    return new Promise(resolve => this.#waiting.set(id, resolve))
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
  }
}

const home = mkdtempSync(join(tmpdir(), 'cardctl-mcp-'))
const sessions = new Map<string, Session>()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const message = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as Message
  const given = String(request.headers['mcp-session-id'] ?? '')
  const isNew = message.method === 'initialize'
  const session = isNew ? new Session(home) : sessions.get(given)
  if (session === undefined) return void response.writeHead(404).end()
  const id = isNew ? randomUUID() : given
  sessions.set(id, session)
  const lines = await session.ask(message)
  const headers = {'mcp-session-id': id}
  if (lines.length === 0) return void response.writeHead(202, headers).end()
  response.writeHead(200, {...headers, 'content-type': 'text/event-stream'})
  response.end(lines.map(line => `event: message\ndata: ${line}\n\n`).join(''))
}

const server = createServer((request, response) => {
  answer(request, response).catch(error => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
try {
  for (const scenario of SCENARIOS) {
    const argv = ['exec', '--yes', `--package=${PACKAGE}`, '--', 'conformance', 'server']
    const child = spawn('npm', [...argv, '--url', url, '--scenario', scenario], {cwd: home, stdio: 'inherit'})
    const [code] = await once(child, 'exit')
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  ${scenario}\n`)
    if (code !== 0) process.exitCode = 1
  }
} finally {
  await Promise.all([...sessions.values()].map(session => session.end()))
  server.close()
  rmSync(home, {recursive: true, force: true})
}
