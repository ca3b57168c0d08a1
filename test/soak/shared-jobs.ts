// Three workers of one shared job of 5,000 rows, each killed 20 times: with honoured keys each row has its effect once;
// without them no row is sent twice, and each unknown one is named.
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {startCluster} from '../helpers/postgres.ts'
import {seeded} from '../helpers/random.ts'
import {type SharedJobReport, sharedJobScene} from '../helpers/shared-job-scene.ts'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'

const ROWS = Number(process.env.ROWS ?? 5000)
const KILLS = Number(process.env.KILLS ?? 20)
const SEED = Number(process.env.KILL_SEED ?? 20_261_122)

const numbers = Array.from({length: ROWS}, (_, at) => at)

function check(isTrue: boolean, fault: string): void {
  if (isTrue) return
  process.stdout.write(`  FAULT: ${fault}\n`)
  process.exitCode = 1
}

function tell(what: string, {kills, codes, results}: SharedJobReport): void {
  const states: Record<string, number> = {}
  for (const {state} of results) states[state] = (states[state] ?? 0) + 1
  process.stdout.write(`${what}, ${ROWS} rows, seed ${SEED}: ${JSON.stringify({kills, codes, states})}\n`)
  check(kills >= 3 * KILLS, `only ${kills} kills`)
  check(results.length === ROWS, `${results.length} rows`)
}

async function honoured(database: string): Promise<void> {
  let arrived = 0
  const passed = () => {
    arrived++
    return () => undefined
  }
  const world = await World.open({accounts: ROWS, nextFault: () => undefined, passed})
  try {
    const report = await sharedJobScene({
      database,
      folder: world.folder,
      url: world.proxy?.url ?? '',
      operation: 'accounts.patchCredit.v4',
      rows: `id,creditLimit\n${numbers.map(at => `${FIRST_ACCOUNT + at},${1000 + at}\n`).join('')}`,
      kills: KILLS,
      program: 'built',
      arrived: () => arrived,
      random: seeded(SEED),
    })
    tell('honoured keys', report)
    const effects = await world.effects()
    check(
      effects.every(count => count === 1),
      'an account was not changed exactly once',
    )
    check(
      report.results.every(({state}) => state === 'done'),
      'a row is not done',
    )
  } finally {
    await world.close()
  }
}

async function unprotected(database: string): Promise<void> {
  const arrivals = new Map<string, number>()
  let arrived = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const {code} = JSON.parse(text) as {code: string}
    arrivals.set(code, (arrivals.get(code) ?? 0) + 1)
    arrived++
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({description: 'Updated', id: request.url?.split('?')[0]?.split('/').at(-1)}),
      )
    }, 100)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-team-'))
  try {
    const report = await sharedJobScene({
      database,
      folder,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      operation: 'pricelists.patch.v1',
      rows: `id,code\n${numbers.map(at => `${5001 + at},${at + 1}\n`).join('')}`,
      kills: KILLS,
      program: 'built',
      arrived: () => arrived,
      random: seeded(SEED),
    })
    tell('keys not honoured', report)
    check(
      [...arrivals.values()].every(times => times === 1),
      'a row was sent twice',
    )
    const named = new Set(
      report.results.flatMap(({row, state}) => (state === 'unknown' ? [String(row)] : [])),
    )
    const done = new Set(report.results.flatMap(({row, state}) => (state === 'done' ? [String(row)] : [])))
    check(named.size + done.size === ROWS, 'a row is neither done nor unknown')
    check(
      [...arrivals.keys()].every(row => named.has(row) || done.has(row)),
      'a row that arrived is not named',
    )
    check(
      [...done].every(row => arrivals.get(row) === 1),
      'a row is done that never arrived',
    )
  } finally {
    server.closeAllConnections()
    server.close()
    await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
  }
}

const cluster = startCluster()
if (cluster === undefined) {
  process.stdout.write('skipped: PostgreSQL is not installed\n')
} else {
  try {
    await honoured(cluster.url)
    await unprotected(cluster.url)
  } finally {
    cluster.remove()
  }
}
