// Processes that serve the sandbox on one database, and load that must have each effect once.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {setTimeout as pause} from 'node:timers/promises'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import type {Cluster} from '../../helpers/postgres.ts'

const entry = new URL('../../../src/sandbox/index.ts', import.meta.url).href

/** Serves the sandbox on a free port and prints its URL. Keys are honoured everywhere. */
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
  /** Number of kills of a process and of crashes of the database; without them, as many as fit. */
  readonly kills?: number
  readonly crashes?: number
}

/**
 * Sends transfers to three processes while they are killed and the database crashes. Each transfer is sent with its key
 * until it is answered.
 * @returns the number of kills, of crashes, and how often a transfer was sent again.
 */
export async function transfersUnderTrouble(
  cluster: Cluster,
  {transfers: amount, clients, kills = Infinity, crashes = Infinity}: Load,
): Promise<{kills: number; crashes: number; repeats: number}> {
  const processes = await Promise.all([1, 2, 3].map(() => serveDatabase(cluster.url)))
  const done = {kills: 0, crashes: 0, repeats: 0}
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < amount; at = next++) {
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
        done.repeats++
        await pause(20)
      }
    }
  }
  const kill = async (at: number): Promise<void> => {
    const child = processes[at]?.child
    const gone = child && once(child, 'exit')
    child?.kill('SIGKILL')
    await gone
    processes[at] = await serveDatabase(cluster.url)
    done.kills++
  }
  const trouble = async (): Promise<void> => {
    // Spread over the whole run.
    const every = Math.max(1, Math.floor(amount / (Math.min(kills, amount) + Math.min(crashes, amount) + 1)))
    for (let round = 0; next < amount; round++) {
      await pause(100)
      if (kills !== Infinity && next < every * (done.kills + done.crashes + 1)) continue
      const isCrash = round % 3 === 2 ? done.crashes < crashes : done.kills >= kills && done.crashes < crashes
      if (isCrash) {
        cluster.stop('immediate')
        cluster.start()
        done.crashes++
      } else if (done.kills < kills) await kill(round % processes.length)
    }
  }
  try {
    await Promise.all([...Array.from({length: clients}, work), trouble()])
  } finally {
    for (const {child} of processes) child.kill('SIGKILL')
  }
  return done
}
