// Keyed writes and reads a second over HTTP with one to three processes, and what their sessions wait for, beside a bare loop of single-row transactions on the
// same database, in turns. All share the cores of this machine, so the processor times say more than the rates.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import pg from 'pg'
import {load, numbered, requestBytes} from '../../bench/http-load.ts'
import {median} from '../../bench/statistics.ts'
import {migrateStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Cluster, startCluster} from '../helpers/postgres.ts'
import {serveDatabase} from '../sandbox/helpers/shared-sandbox.ts'

/** A few clients, and a team with a hundred CI jobs. */
const CLIENTS = (process.env.CLIENTS ?? '32 100').split(' ').map(Number)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const FOR_MS = Number(process.env.SECONDS ?? 4) * 1000
/** Of the bare loop, with the most clients. A few of them leave the cores idle while a group waits for the disk. */
const WANTED = 0.5

/** µs of processor time that a process took, with `children` also those of its children that have ended. */
function timeOf(pid: number, children = false): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ').map(Number) ?? []
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11)
  return (user + system + (children ? childUser + childSystem : 0)) * 10_000
}

function timeOfServer(folder: string): number {
  const main = Number(readFileSync(`${folder}/data/postmaster.pid`, 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'latin1').trim().split(' ').map(Number)
  return children.reduce((sum, pid) => sum + timeOf(pid), timeOf(main, true))
}

/** What the sessions of the sandbox were seen to do, as `pg_stat_activity` has it: the number of looks, and of each. */
type Seen = Map<string, number>

/** Looks at the sessions until it is stopped. */
function watchSessions(client: pg.Client): () => Promise<Seen> {
  const seen: Seen = new Map([['looks', 0]])
  const add = (what: string, count: number) => seen.set(what, (seen.get(what) ?? 0) + count)
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const {rows} = await client.query<{what: string; n: number}>(
        `SELECT coalesce(wait_event_type || ' ' || wait_event, state) AS what, count(*)::integer AS n
         FROM pg_stat_activity WHERE application_name = 'cardctl sandbox' AND state <> 'idle' GROUP BY 1`,
      )
      add('looks', 1)
      for (const {what, n} of rows) add(what, n)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })()
  return async () => {
    isOver = true
    await watching
    return seen
  }
}

interface Measured {
  readonly perSecond: number
  /** µs for a write. */
  readonly client: number
  readonly sandbox: number
  readonly database: number
  readonly seen?: Seen
}

async function measure(
  folder: string,
  processes: readonly number[],
  run: (forMs: number) => Promise<number>,
): Promise<Measured> {
  await run(FOR_MS / 4)
  const times = () => ({
    client: process.cpuUsage(),
    sandbox: processes.reduce((sum, pid) => sum + timeOf(pid), 0),
    database: timeOfServer(folder),
  })
  const before = times()
  const began = performance.now()
  const count = await run(FOR_MS)
  const ms = performance.now() - began
  const after = times()
  const own = process.cpuUsage(before.client)
  return {
    perSecond: (count / ms) * 1000,
    client: (own.user + own.system) / count,
    sandbox: (after.sandbox - before.sandbox) / count,
    database: (after.database - before.database) / count,
  }
}

/** All clients read one card. */
async function readOverHttp(urls: readonly string[], clients: number, forMs: number): Promise<number> {
  const bytes = requestBytes('GET /v4/3001?auditUser=tester', {})
  const ports = Array.from({length: clients}, (_, at) => Number(new URL(urls[at % urls.length] ?? '').port))
  const loads = await Promise.all(ports.map(port => load(port, () => bytes, {connections: 1, forMs})))
  return loads.reduce((sum, {times}) => sum + times.length, 0)
}

const body = JSON.stringify({creditLimit: 5000})
let runs = 0

/** Each write has a key of its own. Clients of several processes are shared out evenly. */
async function writeOverHttp(urls: readonly string[], clients: number, forMs: number): Promise<number> {
  const digits = '000000000000'
  const headers = {'x-idempotency-key': `${++runs}-${digits}`}
  const next = numbered(requestBytes('PATCH /v4/CREDIT/2001?auditUser=tester', {headers, body}), digits)
  const ports = Array.from({length: clients}, (_, at) => Number(new URL(urls[at % urls.length] ?? '').port))
  const loads = await Promise.all(ports.map(port => load(port, next, {connections: 1, forMs})))
  return loads.reduce((sum, {times}) => sum + times.length, 0)
}

async function writeBare(clients: readonly pg.Client[], forMs: number): Promise<number> {
  const text = 'INSERT INTO bare (key, row) VALUES ($1, $2)'
  const until = performance.now() + forMs
  const run = ++runs
  let count = 0
  const loop = async (client: pg.Client) => {
    while (performance.now() < until) {
      await client.query({name: 'write', text, values: [`${run}-${count++}`, body]})
    }
  }
  await Promise.all(clients.map(loop))
  return count
}

async function compare({url}: Cluster): Promise<void> {
  await migrateStore({url: new Secret(url)})
  const folder = new URL(url).searchParams.get('host') ?? ''
  const watcher = new pg.Client(url)
  await watcher.connect()
  const connections = Array.from({length: Math.max(...CLIENTS)}, () => new pg.Client(url))
  await Promise.all(connections.map(client => client.connect()))
  await connections[0]?.query('CREATE TABLE bare (key text PRIMARY KEY, row text NOT NULL)')
  const processes = await Promise.all([1, 2, 3].map(() => serveDatabase(url)))
  const urls = processes.map(each => each.url)
  const pids = processes.map(({child}) => child.pid ?? 0)
  try {
    for (const clients of CLIENTS) {
      const found: Record<string, Measured[]> = {}
      const add = (name: string, measured: Measured) => {
        found[name] = [...(found[name] ?? []), measured]
      }
      for (let round = 0; round < ROUNDS; round++) {
        const bare = connections.slice(0, clients)
        add('bare loop', await measure(folder, [], forMs => writeBare(bare, forMs)))
        for (const [what, send] of [
          ['writes', writeOverHttp],
          ['reads', readOverHttp],
        ] as const) {
          for (const count of [1, 2, 3]) {
            const stop = watchSessions(watcher)
            const measured = await measure(folder, pids, forMs => send(urls.slice(0, count), clients, forMs))
            add(`${what}, ${count} of ${pids.length} processes`, {...measured, seen: await stop()})
          }
        }
      }
      print(clients, found)
    }
  } finally {
    for (const {child} of processes) child.kill('SIGKILL')
    await Promise.all([watcher, ...connections].map(client => client.end()))
  }
}

function print(clients: number, found: Readonly<Record<string, readonly Measured[]>>): void {
  process.stdout.write(`${clients} clients\n`)
  const bare = found['bare loop'] ?? []
  const sum = ({client, sandbox, database}: Measured) => client + sandbox + database
  for (const [name, all] of Object.entries(found)) {
    const of = (value: (each: Measured, at: number) => number, digits = 0) =>
      median(all.map(value)).toFixed(digits)
    const rate = of((each, at) => each.perSecond / (bare[at]?.perSecond ?? 0), 2)
    const time = of((each, at) => sum(bare[at] ?? each) / sum(each), 2)
    process.stdout.write(
      `${name}: ${of(each => each.perSecond)} a second, µs: client ${of(each => each.client)}, sandbox ${of(each => each.sandbox)}, PostgreSQL ${of(each => each.database)}; of the bare loop ${rate} by rate, ${time} by processor time\n`,
    )
    process.stdout.write(sessions(all))
    if (name.startsWith('writes') && clients === Math.max(...CLIENTS) && Number(rate) < WANTED)
      process.exitCode = 1
  }
}

/** How many sessions were seen in each state on average, the most frequent first. */
function sessions(all: readonly Measured[]): string {
  const total: Seen = new Map()
  for (const {seen = new Map<string, number>()} of all) {
    for (const [what, count] of seen) total.set(what, (total.get(what) ?? 0) + count)
  }
  const {looks = 0, ...others} = Object.fromEntries(total)
  const most = Object.entries(others).sort(([, one], [, other]) => other - one)
  const texts = most.slice(0, 5).map(([what, count]) => `${what} ${(count / looks).toFixed(2)}`)
  return texts.length === 0 ? '' : `  sessions on average: ${texts.join(', ')}\n`
}

const cluster = startCluster()
if (cluster === undefined) {
  process.stdout.write('skipped: PostgreSQL is not installed\n')
} else {
  try {
    await compare(cluster)
  } finally {
    cluster.remove()
  }
}
