// 24 simulated hours of `sandbox serve --store` on PostgreSQL, after 24 hours of keyed writes: a nightly job and a desk go on
// while password, certificates and token are rotated, disks are full, a standby takes over and a dump is restored. They follow
// nothing but the last lines of their logs. At the end each transfer and each change has had its effect once, balances are
// exact, and the store has not grown.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as pause} from 'node:timers/promises'
import {migrateStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {homeAt} from '../helpers/cli.ts'
import {DayOfOperation, lastLines} from '../helpers/day-of-operation.ts'
import {freePort} from '../helpers/free-port.ts'
import {certificates} from '../helpers/made-certificates.ts'
import {startCluster} from '../helpers/postgres.ts'
import {mountSmallDisk} from '../helpers/small-disk.ts'

const HOURS = Number(process.env.HOURS ?? 24)
const LOGS = process.env.LOGS

const began = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'cardctl-day-'))
const at = (name: string) => join(folder, name)
const [disk, small] = [mountSmallDisk(700), mountSmallDisk(24)]
const [old, next] = [certificates(at, 'old'), certificates(at, 'next')]
const port = await freePort()
const files = {'server.pem': old.server.cert, 'server.key': old.server.key, 'ca.pem': old.ca}
const cluster = disk && startCluster({tlsPort: port, files, within: disk.folder})
if (disk === undefined || small === undefined || cluster === undefined) {
  process.stdout.write('skipped: it needs PostgreSQL, and root to mount a disk that can be full\n')
} else {
  try {
    await run(disk, small, cluster)
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
  } finally {
    cluster.remove()
    disk.remove()
    small.remove()
    rmSync(folder, {recursive: true, force: true})
  }
}

async function run(
  {fill, free}: NonNullable<typeof disk>,
  own: NonNullable<typeof small>,
  server: NonNullable<typeof cluster>,
): Promise<void> {
  await migrateStore({url: new Secret(server.url)})
  let data = server.data
  const ask = (sql: string) => server.run('psql', '-qAt', '-c', sql, 'app')
  const access = () => {
    const hba = join(data, 'pg_hba.conf')
    writeFileSync(
      hba,
      `hostssl all app 127.0.0.1/32 scram-sha-256 clientcert=verify-full\n${readFileSync(hba, 'utf8')}`,
    )
    ask('SELECT pg_reload_conf()')
  }
  const cut = () => ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'")
  const keep = (name: string, text: string) => writeFileSync(at(name), text, {mode: 0o600})
  const keepUrl = (password: string) =>
    keep(
      'url',
      `postgres://app:${password}@localhost:${port}/app?sslrootcert=${at('ca')}&sslcert=${at('cert')}&sslkey=${at('key')}`,
    )
  const keepCertificates = (of: typeof old) => {
    keep('ca', of.ca)
    keep('cert', of.client.cert)
    keep('key', of.client.key)
  }
  access()
  keepCertificates(old)
  ask("ALTER ROLE app PASSWORD 'first-1'")
  keepUrl('first-1')
  const day = new DayOfOperation(homeAt(own.folder), {
    store: `file:${at('url')}`,
    token: at('token'),
    folder,
    truth: ask,
  })
  const isUp = () => {
    try {
      return ask('SELECT 1').trim() === '1'
    } catch {
      return false
    }
  }
  const trouble: Readonly<Record<number, readonly [what: string, act: () => Promise<unknown>]>> = {
    2: [
      'the password is rotated',
      async () => {
        ask("ALTER ROLE app PASSWORD 'second-2'")
        cut()
        await pause(1500)
        keepUrl('second-2')
      },
    ],
    5: [
      'the certificates are rotated',
      async () => {
        for (const [name, text] of Object.entries({
          'server.pem': next.server.cert,
          'server.key': next.server.key,
          'ca.pem': next.ca,
        }))
          writeFileSync(join(data, name), text)
        ask('SELECT pg_reload_conf()')
        cut()
        await pause(1500)
        keepCertificates(next)
      },
    ],
    8: ['the token is rotated, with an overlap', () => day.rotateToken()],
    11: [
      'the disk of the database is full',
      async () => {
        fill()
        // Of the space that it holds already it can write a while.
        for (let tries = 0; tries < 40 && (await day.write()) === 200; tries++) await pause(50)
        await pause(2000)
        free()
        await pause(500)
        if (!isUp()) server.start()
      },
    ],
    13: [
      'the disk of the journal is full',
      async () => {
        own.fill()
        await pause(1500)
        own.free()
      },
    ],
    16: [
      'a standby takes over',
      async () => {
        const standby = server.standby()
        // Nothing of this process runs in between, so the standby has all that was told as done.
        standby.cutOff()
        server.stop('immediate')
        await pause(1500)
        standby.takeOver()
        data = join(data, '../standby')
      },
    ],
    20: [
      'a dump is restored',
      async () => {
        const dump = join(disk?.folder ?? '', 'dump.sql')
        const text = server.run('pg_dump', 'app')
        server.run('dropdb', '--force', 'app')
        writeFileSync(dump, text, {mode: 0o644})
        await pause(1500)
        server.run('createdb', '-O', 'app', 'app')
        server.run('psql', '-q', '-1', '-v', 'ON_ERROR_STOP=1', '-f', dump, 'app')
        rmSync(dump)
      },
    ],
  }
  const operate = async () => {
    await day.open()
    for (let hour = 0; hour < 24; hour++) await day.fillHour()
    const full = day.size()
    for (let hour = 0; hour < HOURS; hour++) {
      const [what, act] = trouble[hour] ?? []
      const said = await day.hour(hour, act)
      if (what === undefined) continue
      process.stdout.write(`${String(hour).padStart(2, '0')}:00 ${what}: ${said.join('; ')}\n`)
      if (LOGS) writeFileSync(join(LOGS, `${hour}.log`), lastLines(day.logs))
    }
    const faults = await day.faults()
    const size = day.size()
    process.stdout.write(
      `${HOURS} simulated hours in ${((Date.now() - began) / 1000).toFixed(0)} s: ${day.numbers()}; keys ${full.keys} before and ${size.keys} after, database ${full.mebibytes} and ${size.mebibytes} MiB\n`,
    )
    // Each hour writes as many keys as expire.
    if (size.keys > full.keys * 1.1) faults.push(`the keys grew from ${full.keys} to ${size.keys}`)
    for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
    if (faults.length > 0 || day.counts.troubled === 0) process.exitCode = 1
  }
  try {
    await operate()
  } finally {
    await day.close()
  }
}
