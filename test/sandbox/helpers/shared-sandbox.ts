// Processes that serve the sandbox on one database, and load that must have each effect once.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {setTimeout as pause} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import type {Cluster} from '../../helpers/postgres.ts'

const BINARY = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))
const entry = new URL('../../../src/sandbox/index.ts', import.meta.url).href

/** Serves the sandbox on a free port and prints its URL, as `sandbox serve --idempotency all` does. */
const server = `
const {createSandbox, Secret} = await import(process.argv[1])
const sandbox = await createSandbox({postgres: {url: new Secret(process.argv[2])}, idempotency: 'all'})
console.log((await sandbox.serve()).url)
`

export interface SandboxProcess {
  readonly child: ChildProcess
  readonly url: string
}

export async function serveDatabase(database: string): Promise<SandboxProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', server, entry, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('no output')
  const [url] = (await once(createInterface({input: child.stdout}), 'line')) as [string]
  return {child, url}
}

/** The command itself. Its start takes longer. */
export async function serveByCommand(database: string): Promise<SandboxProcess> {
  const argv = 'sandbox serve --store env:DATABASE --idempotency all --port 0 -o ndjson'.split(' ')
  const child = spawn(process.execPath, [BINARY, ...argv], {
    env: {HOME: '/nonexistent', PATH: process.env.PATH ?? '', DATABASE: database},
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface({input: child.stdout})
  const [ready] = (await once(lines, 'line')) as [string]
  // Its log must not fill the pipe.
  lines.on('line', () => undefined)
  return {child, url: (JSON.parse(ready) as {url: string}).url}
}

/** Reads the state of the sandbox in a database. */
export async function stateOf(database: string) {
  const sandbox = await createSandbox({postgres: {url: new Secret(database)}})
  const read = async (kind: string, id: string) => {
    const reply = await sandbox.handle({method: 'GET', url: `/_sandbox/state/${kind}/${id}`})
    return JSON.parse(Buffer.from(reply.body).toString())
  }
  return {read, close: () => sandbox.close()}
}

interface Load {
  /** Number of transfers of EUR 1 from account 2006 to account 2007. */
  readonly transfers: number
  readonly clients: number
  /** Number of kills of a process and of crashes of the database, spread over the transfers. */
  readonly kills: number
  readonly crashes: number
  /** How a process is started. */
  readonly serve?: (database: string) => Promise<SandboxProcess>
}

/**
 * Sends transfers to three processes while they are killed and the database crashes. Each transfer is sent with its key
 * until it is answered.
 * @returns how often a transfer was sent again.
 */
export async function transfersUnderTrouble(
  cluster: Cluster,
  {transfers: amount, clients, kills, crashes, serve = serveDatabase}: Load,
): Promise<{repeats: number}> {
  const processes = await Promise.all([1, 2, 3].map(() => serve(cluster.url)))
  const every = Math.floor(amount / (kills + crashes + 1))
  const crashEvery = Math.ceil((kills + crashes) / crashes)
  let next = 0
  let repeats = 0
  let trouble = Promise.resolve()
  const kill = async (at: number): Promise<void> => {
    const child = processes[at]?.child
    const gone = child && once(child, 'exit')
    child?.kill('SIGKILL')
    await gone
    processes[at] = await serve(cluster.url)
  }
  const crash = (): void => {
    cluster.stop('immediate')
    cluster.start()
  }
  /** Every few transfers comes the next trouble, as soon as the last one is over, while others are on their way. */
  const troubleBefore = async (at: number): Promise<void> => {
    const round = at / every
    if (at % every !== 0 || round < 1 || round > kills + crashes) return
    const before = trouble
    trouble = before.then(() => (round % crashEvery === 0 ? crash() : kill(round % processes.length)))
    await before
  }
  const work = async (): Promise<void> => {
    for (let at = next++; at < amount; at = next++) {
      await troubleBefore(at)
      const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
      for (let tries = 0; ; tries++) {
        const {url} = processes[(at + tries) % processes.length] as SandboxProcess
        const response = await fetch(`${url}/v1/a2a/batches?auditUser=test`, {
          method: 'POST',
          headers: {'content-type': 'application/json', 'x-idempotency-key': `transfer-${at}`},
          body: JSON.stringify({transfers}),
        }).catch(() => undefined)
        await response?.text().catch(() => undefined)
        if (response?.status === 200) break
        repeats++
        await pause(20)
      }
    }
  }
  try {
    await Promise.all(Array.from({length: clients}, work))
    await trouble
  } finally {
    for (const {child} of processes) child.kill('SIGKILL')
  }
  return {repeats}
}
