// Snapshots of the sandbox: 1,000 calls after a load, to what was saved and to what was loaded, in memory, in a file and in
// PostgreSQL; processes that save, load and fork, under kill -9; and how long a server takes to start from one.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import type {Snapshot} from '../../src/sandbox/index.ts'
import {addTenant, migrateStore, withStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'
import {ProcessHome, serveSandbox} from '../helpers/process-home.ts'
import {seeded} from '../helpers/random.ts'
import {
  type KillReport,
  killedForks,
  killedLoads,
  killedSaves,
  largeState,
} from '../sandbox/helpers/snapshot-kills.ts'
import {snapshotModel} from '../sandbox/helpers/snapshot-model.ts'
import {killedServers, killedTenantForks} from '../sandbox/helpers/snapshot-team-kills.ts'

const SEED = Number(process.env.KILL_SEED ?? 20_261_128)
const CALLS = Number(process.env.CALLS ?? 1000)
const KILLS = Number(process.env.KILLS ?? 40)
const STARTS = Number(process.env.STARTS ?? 15)

const random = seeded(SEED)
const folder = await mkdtemp(join(tmpdir(), 'cardctl-snapshots-'))
const cluster = startCluster()
const home = new ProcessHome(folder)
try {
  if (cluster) await migrateStore({url: new Secret(cluster.url)})
  await models()
  const [one, two] = [await largeState(600, 1), await largeState(600, 2)]
  const options = {home, kills: KILLS, random}
  tell('save', await killedSaves(options, {one, two}))
  tell('load, embedded', await killedLoads(options, {one, two}))
  tell('fork, folder', await killedForks(options, {one, two}))
  if (cluster) {
    tell('load, a server of a tenant', await killedServers(options, {url: cluster.url, one, two}))
    tell('fork, tenant', await killedTenantForks(options, {url: cluster.url, one, two}))
  } else process.stdout.write('skipped: PostgreSQL is not installed\n')
  await starts({demo: await largeState(0, 1), large: one})
} finally {
  cluster?.remove()
  await rm(folder, {recursive: true, force: true})
}

async function models(): Promise<void> {
  const others = [
    ['memory', {}],
    ['file', {file: join(folder, 'model.db')}],
    ...(cluster ? ([['PostgreSQL', {postgres: await ofTenant(cluster.url)}]] as const) : []),
  ] as const
  for (const [at, [name, other]] of others.entries()) {
    const report = await snapshotModel({seed: SEED + at, past: CALLS, calls: CALLS, other})
    const {differences, ...numbers} = report
    process.stdout.write(
      `${name}: ${JSON.stringify(numbers)}, answered differently: ${differences.length}\n${differences.slice(0, 3).join('\n')}`,
    )
    if (differences.length > 0 || report.successes < CALLS / 5) process.exitCode = 1
  }
}

async function ofTenant(url: string) {
  const postgres = {url: new Secret(url), tenant: 'model'}
  await withStore(postgres, opened => addTenant(opened, 'model'))
  return postgres
}

function tell(what: string, report: KillReport): void {
  process.stdout.write(`${what}: ${JSON.stringify(report)}\n`)
  // A run without kills, or with all of them before the work, shows nothing.
  if (report.neither.length > 0 || report.killed === 0) process.exitCode = 1
}

/** By turns, so that the load of the machine is the same for all. */
async function starts(snapshots: Readonly<Record<'demo' | 'large', Snapshot>>): Promise<void> {
  const ways: {what: string; flags: readonly string[]; times: number[]}[] = [
    {what: 'with the demo data', flags: ['--memory', '--quiet'], times: []},
  ]
  for (const [name, snapshot] of Object.entries(snapshots)) {
    const fixture = join(folder, `${name}.json`)
    await writeFile(fixture, JSON.stringify(snapshot))
    ways.push({
      what: `from a snapshot of ${snapshot.rows} rows`,
      flags: ['--from', fixture, '--quiet'],
      times: [],
    })
  }
  for (let at = 0; at < STARTS; at++) {
    for (const {flags, times} of ways) {
      const began = performance.now()
      const served = await serveSandbox(home, '--port', '0', ...flags)
      times.push(performance.now() - began)
      await served.close()
    }
  }
  for (const {what, times} of ways) {
    const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
    process.stdout.write(`ready in ${Math.round(median)} ms ${what} (median of ${STARTS})\n`)
  }
}
