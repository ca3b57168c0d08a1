// Three workers of one shared job against a service that allows 50 requests a second and 3,000 a minute. Two of them are
// killed. No 429, and outside of the kills what is allowed is used.
import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as pause} from 'node:timers/promises'
import {startCluster} from '../helpers/postgres.ts'
import {ProcessHome} from '../helpers/process-home.ts'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'

const PER_SECOND = 50
/** How long three workers, two, and one work. */
const PHASE_S = Number(process.env.SECONDS ?? 60)
/** Not counted: the start of a phase, in which the lease of the killed worker runs out. */
const SKIPPED_S = 5
const LEASE = '2s'
const RATE = `${PER_SECOND}/s,${PER_SECOND * 60}/min`

async function run(database: string): Promise<void> {
  const world = await World.open({accounts: 1000, serve: ['--rate-limit', RATE]})
  const children: ChildProcess[] = []
  try {
    const times: number[] = []
    let refused = 0
    world.service.requests(({at, operation, status}) => {
      if (operation === 'accounts.patchCredit.v4') times.push(at)
      if (status === 429) refused++
    })
    const env = {CARDCTL_PROFILE: 'team', TEAM_URL: database, TEAM_KEY: Buffer.alloc(32, 9).toString('hex')}
    const machines = await Promise.all(
      [1, 2, 3].map(async number => {
        const home = join(world.folder, `machine-${number}`)
        await mkdir(home)
        const machine = new ProcessHome(home, {env})
        const flags = ['--kind', 'sandbox', '--base-url', world.service.url, '--auth', 'none']
        const team = ['--team-store', 'env:TEAM_URL', '--team-key', 'env:TEAM_KEY', '--rate', RATE]
        await machine.json(['profiles', 'add', 'team', ...flags, ...team, '--profile-audit-user', 'night'])
        return machine
      }),
    )
    const file = join(world.folder, 'rows.csv')
    const rows = PER_SECOND * (3 * PHASE_S + 60)
    const row = (_: unknown, at: number) => `${FIRST_ACCOUNT + (at % 1000)},${at}\n`
    await writeFile(file, `id,creditLimit\n${Array.from({length: rows}, row).join('')}`)
    const [first] = machines
    if (first === undefined) throw new Error('no machine')
    const start = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', file, '--shared', '--prepare']
    const {job} = await first.json<{job: string}>([...start, '--lease', LEASE])
    for (const machine of machines) children.push(machine.spawn(['bulk', 'work', job]))
    for (const child of children) for (const stream of [child.stdout, child.stderr]) stream?.resume()
    while (times.length === 0) await pause(50)
    for (const [killed, child] of children.entries()) {
      const from = Date.now() + SKIPPED_S * 1000
      const to = from + PHASE_S * 1000
      await pause(to - Date.now())
      const count = times.filter(at => at >= from && at < to).length
      const used = count / (PER_SECOND * PHASE_S)
      if (used < 0.98) process.exitCode = 1
      process.stdout.write(
        `${3 - killed} workers: ${(used * 100).toFixed(2)} % of the quota in ${PHASE_S} s\n`,
      )
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    process.stdout.write(`${times.length} requests, ${refused} times 429\n`)
    if (refused > 0) process.exitCode = 1
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await world.close()
  }
}

const cluster = startCluster()
if (cluster === undefined) {
  process.stdout.write('skipped: PostgreSQL is not installed\n')
} else {
  try {
    await run(cluster.url)
  } finally {
    cluster.remove()
  }
}
