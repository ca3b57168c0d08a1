// Every operation, from the command line to `sandbox serve`, through a validating proxy of somebody else.
import {type ChildProcess, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {operations} from '../../src/contract/operations.gen.ts'
import type {Home, RunOptions, RunResult} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {installPrism} from '../helpers/prism.ts'
import {soakLines} from './operation-lines.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BINARY = join(ROOT, 'bin/run.js')

const folder = await mkdtemp(join(tmpdir(), 'cardctl-soak-'))
const started: ChildProcess[] = []
let faults = 0

function complain(text: string): void {
  faults++
  process.stderr.write(`${text}\n`)
}

/** A server in a process of its own, with the lines it printed so far. */
function start(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, argv, {
    cwd: folder,
    env: {PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1', ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  const lines = () => text.split('\n').slice(0, -1)
  const shows = async (wanted: RegExp): Promise<string> => {
    for (let looks = 0; looks < 600; looks++) {
      const line = lines().find(each => wanted.test(each))
      if (line !== undefined) return line
      if (child.exitCode !== null) break
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    throw new Error(`${argv[0]} never printed ${wanted}, but:\n${text}`)
  }
  return {lines, shows}
}

/** The commands, as the built binary, in an empty home, at the address of the proxy. */
async function homeAt(url: string): Promise<Home> {
  const own = await mkdtemp(join(folder, 'home-'))
  const run = async (argv: readonly string[], {stdin = ''}: RunOptions = {}): Promise<RunResult> => {
    const child = spawn(process.execPath, [BINARY, ...argv], {
      cwd: own,
      env: {PATH: process.env.PATH ?? '', HOME: own, CARDCTL_PROFILE: 'sandbox', CARDCTL_BASE_URL: url},
    })
    const texts = {stdout: '', stderr: ''}
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        texts[name] += chunk
      })
    }
    child.stdin.end(stdin)
    const [code] = (await once(child, 'close')) as [number]
    return {code, ...texts}
  }
  return {
    folder: own,
    run,
    json: async <T>(argv: readonly string[], options?: RunOptions) => {
      const {code, stdout, stderr} = await run([...argv, '-o', 'json'], options)
      if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
    remove: () => rm(own, {recursive: true, force: true, maxRetries: 20, retryDelay: 50}),
  }
}

const violationsIn = (lines: readonly string[]) =>
  lines.filter(line => /Violation|UNKNOWN|NO_PATH|No route/i.test(line))

async function startProxy(prism: string, upstream: string) {
  const port = await freePort()
  // As it is handed out to other tools, of which this is one.
  const contract = join(folder, 'exported.json')
  const exported = spawnSync(process.execPath, [BINARY, 'contract', 'export', '-o', 'json'], {
    encoding: 'utf8',
  })
  await writeFile(contract, exported.stdout)
  const {lines, shows} = start([prism, 'proxy', contract, upstream, '--port', String(port)])
  await shows(/Prism is listening/)
  return {address: `http://127.0.0.1:${port}`, lines, shows}
}

/** A proxy that sees nothing finds nothing: a request and a reply that break the contract must be found. */
async function checkThatItSees(prism: string): Promise<void> {
  const liar = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"id": 1}')
  }).listen(0, '127.0.0.1')
  await once(liar, 'listening')
  const {port} = liar.address() as {port: number}
  const {address, shows} = await startProxy(prism, `http://127.0.0.1:${port}`)
  const headers = {'content-type': 'application/json'}
  await fetch(`${address}/v4/CREDIT/2001?auditUser=soak`, {method: 'PATCH', headers, body: '{"limit": 1}'})
  await fetch(`${address}/v4/3001?auditUser=soak`)
  await shows(/Violation: request/)
  await shows(/Violation: response/)
  liar.closeAllConnections()
  liar.close()
}

async function soak(): Promise<void> {
  const prism = installPrism(folder)
  const sandbox = start([BINARY, 'sandbox', 'serve', '--memory', '-o', 'ndjson'])
  const {url} = JSON.parse(await sandbox.shows(/"ready"/)) as {url: string}
  const proxy = await startProxy(prism, url)

  for (const [name, make] of soakLines) {
    await fetch(`${url}/_sandbox/reset`, {method: 'POST'})
    const home = await homeAt(proxy.address)
    const {argv, stdin, exit} = await make(home)
    const {code, stderr} = await home.run(argv, stdin === undefined ? {} : {stdin})
    await home.remove()
    if (code !== exit) complain(`${name}: ${argv.join(' ')} ended ${code}, not ${exit}: ${stderr}`)
  }

  const found = violationsIn(proxy.lines())
  for (const line of found) complain(line)
  const seen = new Set(sandbox.lines().map(line => (JSON.parse(line) as {operation?: string}).operation))
  const missing = Object.keys(operations).filter(id => !seen.has(id))
  if (missing.length > 0) complain(`No request came for ${missing.join(', ')}`)
  const passed = proxy.lines().filter(line => line.includes('Request received')).length
  await checkThatItSees(prism)
  process.stdout.write(
    `${soakLines.size} command lines, ${passed} requests through the proxy, ` +
      `${seen.size - 1} of ${Object.keys(operations).length} operations, ${found.length} violations\n`,
  )
}

try {
  await soak()
} catch (error) {
  complain(error instanceof Error ? error.message : String(error))
} finally {
  for (const child of started) {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
process.exitCode = faults > 0 ? 1 : 0
