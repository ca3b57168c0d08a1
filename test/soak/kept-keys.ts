// Four simulated days of keyed writes, on both stores: after the first day, the store stays as large as it was.
import {rmSync} from 'node:fs'
import process from 'node:process'
import {openPostgresStore} from '../../src/sandbox/store/postgres/open-postgres-store.ts'
import {openSqliteStore} from '../../src/sandbox/store/sqlite-store.ts'
import {migrateStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'
import {keyedDays} from '../sandbox/helpers/keyed-days.ts'

const [eachHour, hours] = [Number(process.env.EACH_HOUR ?? 1_000), 97]

async function report(name: string, sizes: readonly number[], bytes: () => string): Promise<void> {
  const after = sizes.slice(25)
  const [least, most] = [Math.min(...after), Math.max(...after)]
  process.stdout.write(
    `${name}: ${eachHour * hours} keyed writes, ${least} to ${most} keys after the first day${bytes()}\n`,
  )
  if (most > 24 * eachHour + 64 || least < 23 * eachHour) process.exitCode = 1
}

const file = `/tmp/cardctl-kept-keys-${process.pid}.db`
try {
  const sizes = await keyedDays({options: {file}, store: openSqliteStore(file), eachHour, hours})
  await report('SQLite', sizes, () => '')
} finally {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, {force: true})
}

const cluster = startCluster()
if (cluster === undefined) {
  process.stdout.write('skipped: PostgreSQL is not installed\n')
} else {
  try {
    const postgres = {url: new Secret(cluster.url)}
    await migrateStore(postgres)
    const sizes = await keyedDays({
      options: {postgres},
      store: await openPostgresStore(postgres),
      eachHour,
      hours,
    })
    const sql = "SELECT pg_size_pretty(pg_total_relation_size('cardctl.kept_replies'))"
    await report('PostgreSQL', sizes, () => `, ${cluster.run('psql', '-qAt', '-c', sql, 'app').trim()}`)
  } finally {
    cluster.remove()
  }
}
