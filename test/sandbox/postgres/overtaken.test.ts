// The database takes work back because others were first (serialization failure, deadlock): it is done again, once.
import pg from 'pg'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {addTenant, listTenants, withStore} from '../../../src/sandbox/team.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'

test('what is taken back is done again, once', async () => {
  const cluster = await migratedCluster()
  const ask = (sql: string) => cluster.run('psql', '-qAt', '-v', 'ON_ERROR_STOP=1', '-c', sql, 'app')
  const postgres = {url: new Secret(cluster.url)}
  const sandbox = await createSandbox({postgres})
  onTestFinished(() => sandbox.close())
  const write = async () => {
    const {status} = await sandbox.handle({
      method: 'PATCH',
      url: '/v4/DEBIT/2002?auditUser=test',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({name: 'x'}),
    })
    return status
  }
  const effects = async () => {
    const {body} = await sandbox.handle({method: 'GET', url: '/_sandbox/state/account/2002'})
    return (JSON.parse(Buffer.from(body).toString()) as {effects: number}).effects
  }
  expect(await write()).toBe(200)
  // A trigger fails twice, as the database does: in the middle of a transaction, and at its end.
  ask(`CREATE SEQUENCE tries; GRANT USAGE ON SEQUENCE tries TO PUBLIC;
    CREATE FUNCTION overtaken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('public.tries') <= 2 THEN RAISE EXCEPTION USING ERRCODE = TG_ARGV[0]; END IF;
      RETURN NULL;
    END $$`)
  const failing = async (code: string, table: string, isLate: boolean, work: () => Promise<void>) => {
    const [kind, when] = isLate ? ['CONSTRAINT', 'DEFERRABLE INITIALLY DEFERRED'] : ['', '']
    ask(`ALTER SEQUENCE tries RESTART; CREATE ${kind} TRIGGER overtaken AFTER INSERT OR UPDATE ON cardctl.${table}
      ${when} FOR EACH ROW EXECUTE FUNCTION overtaken('${code}')`)
    await work()
    expect(Number(ask('SELECT last_value FROM tries'))).toBeGreaterThan(2)
    ask(`DROP TRIGGER overtaken ON cardctl.${table}`)
  }
  for (const [code, table, isLate] of [
    ['40001', 'accounts', false],
    ['40001', 'commits', true],
    ['40P01', 'accounts', true],
  ] as const) {
    await failing(code, table, isLate, async () => {
      const before = await effects()
      expect(await Promise.all([write(), write(), write()])).toEqual([200, 200, 200])
      expect(await effects()).toBe(before + 3)
    })
  }
  await failing('40001', 'tenants', true, async () => {
    await withStore(postgres, opened => addTenant(opened, 'team'))
  })
  const names = await withStore(postgres, listTenants)
  expect(names.map(({name}) => name)).toEqual(['default', 'team'])
})

test('a deadlock with another program takes the write back, which is done again, once', async () => {
  const cluster = await migratedCluster()
  const sandbox = await createSandbox({postgres: {url: new Secret(cluster.url)}})
  onTestFinished(() => sandbox.close())
  const other = new pg.Client({connectionString: cluster.url.replace('app@', 'postgres@')})
  await other.connect()
  onTestFinished(() => other.end())
  const patch = (name: string) =>
    sandbox.handle({
      method: 'PATCH',
      url: '/v4/DEBIT/2002?auditUser=test',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({name}),
    })
  const deadlocks = async () => {
    await other.query('SELECT pg_stat_force_next_flush()').catch(() => undefined)
    const {rows} = await other.query("SELECT deadlocks FROM pg_stat_database WHERE datname = 'app'")
    return Number(rows[0].deadlocks)
  }
  expect((await patch('before')).status).toBe(200)
  const before = await deadlocks()
  // The sandbox looks for a deadlock first.
  await other.query("BEGIN; SET LOCAL deadlock_timeout = '30s'")
  // What the write needs, in the other order.
  await other.query("UPDATE cardctl.accounts SET id = id WHERE id = '2002'")
  const written = patch('during')
  for (let isWaiting = false; !isWaiting; ) {
    const {rows} = await other.query('SELECT FROM pg_locks WHERE NOT granted')
    isWaiting = rows.length > 0
  }
  await other.query('SELECT FROM cardctl.stores FOR UPDATE')
  await other.query('COMMIT')
  expect((await written).status).toBe(200)
  await expect.poll(deadlocks).toBe(before + 1)
})
