// What a team of each released version has in its database, this version opens and continues: see test/helpers/write-stores.ts.
import {globSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {describe, expect, onTestFinished, test} from 'vitest'
import {
  checkStore,
  createTenantSandbox,
  listTenants,
  migrateStore,
  withStore,
} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {openHome} from '../helpers/cli.ts'
import {TEAM, TEAM_PORT} from '../helpers/write-stores.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/stores')

describe.each(globSync('*', {cwd: FIXTURES}).map(path => basename(path)))('the database of %s', version => {
  /** On a server that has the roles already. */
  async function restored(): Promise<string> {
    const cluster = await migratedCluster()
    cluster.run('createdb', '-O', 'app', 'restored')
    const dump = join(cluster.data, '../dump.sql')
    writeFileSync(dump, gunzipSync(readFileSync(join(FIXTURES, version, 'team.sql.gz'))), {mode: 0o644})
    cluster.run('psql', '-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, 'restored')
    return cluster.url.replace('/app?', '/restored?')
  }

  test('has a sandbox with its tenants and their data', async () => {
    const postgres = {url: new Secret(await restored())}
    await migrateStore(postgres)
    expect((await checkStore(postgres)).warnings).toEqual([])
    const tenants = await withStore(postgres, listTenants)
    expect(tenants.map(({name}) => name)).toEqual(['cards', 'default'])
    const home = await openHome()
    onTestFinished(() => home.remove())
    const sandbox = await createTenantSandbox({postgres})
    const server = await sandbox.serve()
    onTestFinished(async () => {
      await server.close()
      await sandbox.close()
    })
    const store = {env: {STORE: postgres.url.open()}}
    const argv = ['sandbox', 'tokens', 'add', 'cards', 'later', '--store', 'env:STORE']
    const {token} = await home.json<{token: string}>(argv, store)
    const run = {env: {TOKEN: token}}
    const service = ['--base-url', `${server.url}/t/cards`, '--auth', 'bearer', '--secret', 'env:TOKEN']
    await home.json(['profiles', 'add', 'served', '--kind', 'sandbox', ...service], run)
    const show = ['sandbox', 'state', 'show', 'accounts', '2001', '-p', 'served']
    expect(await home.json(show, run)).toMatchObject({creditLimit: 5000})
    const limit = ['--type', 'credit', '-F', 'creditLimit=5500', '--yes']
    await home.json(['accounts', 'patch', '2001', ...limit, '-p', 'served'], run)
    expect(await home.json(show, run)).toMatchObject({creditLimit: 5500})
  })

  test('has a shared job that waits, and another that is done', async () => {
    const TEAM_URL = await restored()
    const home = await openHome()
    onTestFinished(() => home.remove())
    const run = {env: {...TEAM, TEAM_URL}}
    const flags = ['--team-store', 'env:TEAM_URL', '--team-key', 'env:TEAM_KEY', '--auth', 'none']
    await home.json(
      [
        'profiles',
        'add',
        'team',
        '--kind',
        'test',
        '--base-url',
        `http://127.0.0.1:${TEAM_PORT}/t/cards`,
        ...flags,
      ],
      run,
    )
    const jobs = () => home.json<{job: string}[]>(['bulk', 'list', '--shared', '-p', 'team'], run)
    const found = await jobs()
    expect(found).toMatchObject([
      {rows: 1, waiting: 1},
      {rows: 1, done: 1},
    ])
    await home.json(['bulk', 'cancel', `${found[0]?.job}`, '--yes', '-p', 'team'], run)
    expect(await jobs()).toMatchObject([{state: 'cancelled'}, {done: 1}])
  })
})
