// Who may do what in the database: a first set-up without rights, a restore on a server that never saw the sandbox, and what
// readiness says when a right is missing.
import {spawnSync} from 'node:child_process'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox, Secret} from '../../src/sandbox/index.ts'
import {addTenant, checkStore, createTenantSandbox, migrateStore, withStore} from '../../src/sandbox/team.ts'
import {newHome} from '../documented/scene.ts'
import {type Cluster, programs, startCluster, unprivileged} from '../helpers/postgres.ts'
import {part} from '../helpers/whole.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'

const BACKUP = fileURLToPath(new URL('../../examples/operations/backup.sh', import.meta.url))

function emptyCluster(): Cluster {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  return cluster
}

const ask = (cluster: Cluster, sql: string, database = 'app') =>
  cluster.run('psql', '-qAt', '-v', 'ON_ERROR_STOP=1', '-c', sql, database)

async function serve(url: string) {
  const sandbox = await createTenantSandbox({postgres: {url: new Secret(url)}})
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  return {
    isReady: async () => (await fetch(`${server.url}/readyz`)).status,
    read: async (token: string) =>
      (await fetch(`${server.url}/v4/3001?auditUser=test`, {headers: {authorization: `Bearer ${token}`}}))
        .status,
  }
}

test('a user without rights gets the statements that an administrator must run, and they are enough', async () => {
  const cluster = emptyCluster()
  ask(cluster, 'CREATE ROLE "Plain user" LOGIN; ALTER ROLE app NOCREATEROLE')
  cluster.run('createdb', 'plain')
  const url = cluster.url.replace('app@', 'Plain%20user@').replace('/app?', '/plain?')
  const home = await newHome()
  const migrate = () =>
    home.run(['sandbox', 'store', 'migrate', '--store', 'env:URL', '--json'], {env: {URL: url}})
  const first = await migrate()
  expect(first.code).toBe(3)
  const {statements} = JSON.parse(first.stderr).error.data as {statements: string[]}
  expect(statements).toEqual([
    'CREATE ROLE cardctl_sandbox NOLOGIN;',
    'GRANT cardctl_sandbox TO "Plain user";',
    'CREATE SCHEMA cardctl AUTHORIZATION "Plain user";',
  ])
  for (const sql of statements) expect(JSON.parse(first.stderr).error.hint).toContain(sql)
  ask(cluster, statements.join(' '), 'plain')
  expect(await migrate()).toMatchObject({code: 0})
  const options = {url: new Secret(url)}
  expect((await checkStore(options)).warnings).toEqual([])
  const token = await withStore(options, opened => addTenant(opened, 'team'))
  expect(await (await serve(url)).read(token.open())).toBe(200)
})

/** The commands of a block of a page, without comments. */
function documented(heading: string): readonly string[][] {
  const page = readFileSync(new URL('../../docs/team-sandbox.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split(`## ${heading}\n`)
  return [...(section.split('\n## ')[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map(line => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''))
}

test('a backup, also that of backup.sh, is restored by the commands of the page, on a server that has never seen the sandbox', async () => {
  const [from, to] = [await migratedCluster(), emptyCluster()]
  const token = (await withStore({url: new Secret(from.url)}, opened => addTenant(opened, 'team'))).open()
  expect(await (await serve(from.url)).read(token)).toBe(200)
  ask(from, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'app'", 'postgres')
  ask(from, 'ALTER DATABASE app RENAME TO sandbox', 'postgres')
  ask(to, 'DROP DATABASE app', 'postgres')
  ask(to, 'DROP ROLE app', 'postgres')
  const file = join(new URL(to.url).searchParams.get('host') ?? '', 'sandbox.sql')
  const home = await newHome()
  const url = to.url.replace('/app?', '/sandbox?')
  const commands = documented('Back up, restore, fail over')
  expect(commands.map(([program]) => program)).toEqual([
    'pg_dump',
    'psql',
    'psql',
    'createdb',
    'psql',
    'psql',
    'cardctl',
    'cardctl',
  ])
  for (const [program = '', ...argv] of commands) {
    const placed = argv.map(each => (each === 'sandbox.sql' ? file : each))
    if (program === 'cardctl') {
      const done = await home.run(argv, {env: {DATABASE_URL: url}})
      expect(done.code, done.stderr).toBe(0)
    } else if (program === 'pg_dump') {
      writeFileSync(file, from.run(program, 'sandbox'), {mode: 0o644})
    } else to.run(program, ...placed)
  }
  const restored = await serve(url)
  expect([await restored.isReady(), await restored.read(token)]).toEqual([200, 200])

  const folder = dirname(file)
  const saved = () => readdirSync(folder).filter(name => name.startsWith('sandbox-'))
  const backup = (url: string) =>
    spawnSync('sh', [BACKUP, folder], {
      ...unprivileged(),
      env: {PATH: `${programs()}:${process.env.PATH}`, DATABASE_URL: url},
    }).status
  expect([backup(url), saved()]).toEqual([1, []])
  expect(backup(url.replace('//app@', '//postgres@'))).toBe(0)
  const [dump = ''] = saved()
  to.run('dropdb', '--force', 'sandbox')
  to.run('createdb', '-O', 'app', 'sandbox')
  const [, line = ''] = /^# (pg_restore .*) FILE$/m.exec(readFileSync(BACKUP, 'utf8')) ?? []
  const [program = '', ...argv] = line.split(' ')
  to.run(program, ...argv, join(folder, dump))
  const again = await serve(url)
  expect([await again.isReady(), await again.read(token)]).toEqual([200, 200])
})

test('without a right of the role, no process is ready or starts, and migrate grants it again', async () => {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url)}
  const token = (await withStore(postgres, opened => addTenant(opened, 'team'))).open()
  const {isReady, read} = await serve(cluster.url)
  expect([await isReady(), await read(token)]).toEqual([200, 200])
  for (const sql of [
    'REVOKE INSERT ON cardctl.cards FROM cardctl_sandbox',
    'REVOKE ALL ON ALL TABLES IN SCHEMA cardctl FROM cardctl_sandbox',
    'REVOKE USAGE ON SCHEMA cardctl FROM cardctl_sandbox',
    'REVOKE cardctl_sandbox FROM app',
  ]) {
    ask(cluster, sql)
    expect(await isReady(), sql).toBe(503)
    for (const start of [
      () => createTenantSandbox({postgres}),
      () => createSandbox({postgres}),
      () => checkStore(postgres),
    ]) {
      await expect(start(), sql).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('lacks a permission'),
        hint: expect.stringContaining('sandbox store migrate'),
      })
    }
    expect(await migrateStore(postgres)).toMatchObject({before: 2, now: 2})
    expect([await isReady(), await read(token)], sql).toEqual([200, 200])
    expect((await checkStore(postgres)).warnings).toEqual([])
  }
})

test('tables that a restore has left to another user are named, with the statements that hand them over', async () => {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url)}
  ask(cluster, 'ALTER TABLE cardctl.cards OWNER TO postgres; ALTER TABLE cardctl.tenants OWNER TO postgres')
  const refused = await migrateStore(postgres).catch(
    (error: {details: {data: {statements: string[]}}}) => error,
  )
  const statements = 'details' in refused ? refused.details.data.statements : []
  expect(statements).toEqual([
    'ALTER TABLE cardctl.cards OWNER TO app;',
    'ALTER TABLE cardctl.tenants OWNER TO app;',
  ])
  ask(cluster, statements.join(' '))
  await migrateStore(postgres)
  expect((await checkStore(postgres)).warnings).toEqual([])
})

test('no process is ready while a policy is missing or hides rows, and the check says of which table', async () => {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url)}
  const {isReady} = await serve(cluster.url)
  expect(await isReady()).toBe(200)
  for (const table of part(['stores', 'cards'], 2)) {
    const restore = `SET client_min_messages = error; DROP POLICY IF EXISTS hiding ON cardctl.${table}; DROP POLICY IF EXISTS own_rows ON cardctl.${table};
      CREATE POLICY own_rows ON cardctl.${table} USING (tenant = nullif(current_setting('cardctl.tenant', true), '')::integer)`
    for (const sql of [
      `DROP POLICY own_rows ON cardctl.${table}`,
      `CREATE POLICY hiding ON cardctl.${table} AS RESTRICTIVE USING (false)`,
      `ALTER POLICY own_rows ON cardctl.${table} USING (true)`,
    ]) {
      ask(cluster, sql)
      expect(await isReady(), sql).toBe(503)
      expect((await checkStore(postgres)).warnings, sql).toEqual([
        `The policies differ from those of cardctl for ${table}.`,
      ])
      ask(cluster, restore)
      expect(await isReady(), sql).toBe(200)
    }
  }
  ask(cluster, 'DELETE FROM cardctl.stores')
  expect(await isReady()).toBe(503)
})

test('a database that only takes reads is not ready', async () => {
  const cluster = await migratedCluster()
  const {isReady} = await serve(cluster.url)
  expect(await isReady()).toBe(200)
  ask(cluster, 'ALTER DATABASE app SET default_transaction_read_only = on')
  cluster.stop()
  cluster.start()
  await expect.poll(isReady).toBe(503)
})
