// 10,000 calls of one client, 2,000 fuzzed ones, and clients that die while a call is under way.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {Client} from '@modelcontextprotocol/client'
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio'
import fc from 'fast-check'
import {fuzzInputs} from '../commands/mcp/fuzz-inputs.ts'
import {openService} from '../helpers/service.ts'

const CALLS = 10_000
const DEATHS = 20
const RUN = join(import.meta.dirname, '../../bin/run.js')
let faults = 0
const complain = (text: string): void => {
  faults++
  process.stdout.write(`FAULT ${text}\n`)
}

const home = mkdtempSync(join(tmpdir(), 'cardctl-mcp-'))
const env = {PATH: process.env.PATH ?? '', HOME: home}
const service = await openService(async ({method}) => {
  if (method !== 'GET') await new Promise(resolve => setTimeout(resolve, 300))
  return undefined
})
try {
  await manyCalls()
  const added = ['profiles', 'add', 'slow', '--kind', 'test', '--base-url', service.url, '--auth', 'none']
  if ((await run(added)).code !== 0) complain('the profile was not stored')
  for (let at = 0; at < DEATHS; at++) await dyingClient(at)
} finally {
  await service.close()
  rmSync(home, {recursive: true, force: true})
}
process.exitCode = faults > 0 ? 1 : 0

async function manyCalls(): Promise<void> {
  const transport = new StdioClientTransport({command: process.execPath, args: [RUN, 'mcp'], env})
  const client = new Client({name: 'soak', version: '1'})
  await client.connect(transport)
  const began = performance.now()
  let memory = 0
  for (let at = 0; at < CALLS; at++) {
    const result = await client.callTool({
      name: 'cards_get',
      arguments: {id: at % 10 === 9 ? '9999' : '3001'},
    })
    if (Boolean(result.isError) !== (at % 10 === 9))
      complain(`call ${at}: ${JSON.stringify(result).slice(0, 300)}`)
    if (at === CALLS / 10) memory = residentKiB(transport.pid)
  }
  const grown = residentKiB(transport.pid) - memory
  const perCall = (performance.now() - began) / CALLS
  process.stdout.write(
    `${CALLS} calls, ${perCall.toFixed(1)} ms each, memory grew by ${grown} KiB after the first tenth\n`,
  )
  if (grown > 150_000) complain(`the memory of the server grew by ${grown} KiB`)
  const {tools} = await client.listTools()
  await fc.assert(
    fc.asyncProperty(fuzzInputs(tools), async ({name, input}) => {
      const answered = client.callTool({name, arguments: input})
      const result = await answered.catch((error: unknown) => String(error))
      const isRefused = typeof result === 'string' && /digits/.test(result)
      if (typeof result === 'string' && !isRefused) complain(`${name} ${JSON.stringify(input)}: ${result}`)
      if (JSON.stringify(result).includes('"INTERNAL"')) complain(`${name} ${JSON.stringify(input)}`)
    }),
    {numRuns: 2000},
  )
  await client.close()
}

/** KiB of memory that a process has, where the system says so. */
function residentKiB(pid: number | null): number {
  const [, size] =
    /VmRSS:\s+(\d+)/.exec(process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/status`, 'utf8')) ??
    []
  return Number(size)
}

/** The client is killed while a write is at the service. The server ends, and its journal has what happened. */
async function dyingClient(at: number): Promise<void> {
  const before = service.requests.length
  const child = spawn(process.execPath, [RUN, 'mcp', '-p', 'slow'], {env, stdio: ['pipe', 'pipe', 'inherit']})
  const ended = once(child, 'exit')
  const send = (message: object) => child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`)
  const clientInfo = {name: 'dying', version: '1'}
  send({id: 1, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo}})
  send({method: 'notifications/initialized'})
  const change = {id: '2001', type: 'credit', data: {creditLimit: 1000 + at}}
  send({id: 2, method: 'tools/call', params: {name: 'accounts_patch', arguments: change}})
  while (service.requests.length === before) await new Promise(resolve => setTimeout(resolve, 10))
  // As the system does with the pipes of a process that was killed.
  child.stdin.destroy()
  child.stdout.destroy()
  const [code, signal] = await ended
  if (code !== 0) complain(`death ${at}: the server ended with ${code ?? signal}`)
  const {stdout} = await run(['requests', 'list', '--limit', '1', '-p', 'slow', '-o', 'json'])
  const [newest] = JSON.parse(stdout) as {state: string; caller: string}[]
  if (newest?.state !== 'done' || newest.caller !== 'agent dying')
    complain(`death ${at}: the journal has ${JSON.stringify(newest)}`)
  if (service.requests.filter(({method}) => method === 'PATCH').length !== at + 1)
    complain(`death ${at}: sent twice`)
}

async function run(argv: readonly string[]): Promise<{code: number; stdout: string}> {
  const child = spawn(process.execPath, [RUN, ...argv], {env, stdio: ['ignore', 'pipe', 'inherit']})
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk))
  const [code] = await once(child, 'exit')
  return {code: Number(code), stdout}
}
