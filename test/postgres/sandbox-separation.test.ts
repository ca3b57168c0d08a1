// Row-level security separates the tenants even where the code forgets to ask for one.
import pg from 'pg'
import {expect, inject, onTestFinished, test} from 'vitest'
import {checkStore, migrateStore, storeSize, weaknesses} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {newHome} from '../documented/scene.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'
import {openStore, storeOptions} from '../sandbox/helpers/store.ts'

const url = () => inject('postgres') ?? ''

async function client(): Promise<pg.Client> {
  const socket = new URL(url()).searchParams.get('host') ?? ''
  const opened = new pg.Client({host: socket, user: 'app', database: 'app'})
  await opened.connect()
  onTestFinished(() => opened.end())
  return opened
}

async function tenantOf(db: pg.Client, file: string): Promise<number> {
  const {postgres} = await storeOptions(file)
  const {rows} = await db.query('SELECT id FROM cardctl.tenants WHERE name = $1', [postgres?.tenant])
  return rows[0].id
}

test('a statement that names no tenant sees the rows of the own one alone, and can write no others', async () => {
  const files = ['separate-one', 'separate-two']
  const stores = await Promise.all(files.map(file => openStore(file)))
  for (const [at, store] of stores.entries()) {
    await store.transaction(tx => tx.priceLists.put({id: `list-${at}`, code: 'A'}))
    await store.close()
  }
  const db = await client()
  const [one, two] = await Promise.all(files.map(file => tenantOf(db, file)))
  const as = async (tenant: number | undefined, sql: string): Promise<unknown[]> => {
    await db.query('BEGIN')
    await db.query('SET LOCAL ROLE cardctl_sandbox')
    if (tenant !== undefined) await db.query(`SET LOCAL cardctl.tenant = ${tenant}`)
    try {
      return (await db.query(sql)).rows
    } finally {
      await db.query('ROLLBACK')
    }
  }
  const everything = 'SELECT id FROM cardctl.price_lists'
  expect(await as(one, everything)).toEqual([{id: 'list-0'}])
  expect(await as(two, everything)).toEqual([{id: 'list-1'}])
  expect(await as(undefined, everything)).toEqual([])
  expect(await as(one, 'UPDATE cardctl.price_lists SET code = code RETURNING id')).toEqual([{id: 'list-0'}])
  expect(await as(one, 'DELETE FROM cardctl.price_lists RETURNING id')).toEqual([{id: 'list-0'}])
  const write = `INSERT INTO cardctl.price_lists (tenant, id, row) VALUES (${two}, 'x', '{}')`
  await expect(as(one, write)).rejects.toThrow('row-level security')
  await expect(as(one, 'DROP TABLE cardctl.price_lists')).rejects.toThrow('must be owner')
  await expect(as(one, 'UPDATE cardctl.versions SET version = 9')).rejects.toThrow('permission denied')
  await expect(as(one, 'SELECT token_hash FROM cardctl.tenants')).rejects.toThrow('permission denied')
  // The owner of the tables has to name a tenant too.
  expect((await db.query(everything)).rows).toEqual([])
})

test('the check says what the database is', async () => {
  const options = {url: new Secret(url())}
  expect(await migrateStore(options)).toMatchObject({before: 2, now: 2})
  expect(await checkStore(options)).toMatchObject({user: 'app', encrypted: false, warnings: []})
  expect((await storeSize(options)).map(({table}) => table)).toContain('kept_replies')
})

/** What somebody does to the database, and what the check says then. */
const CHANGES: readonly [sql: string, found: string][] = [
  ['ALTER TABLE cardctl.faults NO FORCE ROW LEVEL SECURITY', 'Row-level security is off for faults.'],
  ['ALTER TABLE cardctl.commits DISABLE ROW LEVEL SECURITY', 'Row-level security is off for commits.'],
  [
    'ALTER POLICY own_rows ON cardctl.cards USING (true)',
    'The policies differ from those of cardctl for cards.',
  ],
  [
    'ALTER POLICY own_rows ON cardctl.cards WITH CHECK (tenant > 0)',
    'The policies differ from those of cardctl for cards.',
  ],
  [
    'CREATE POLICY more ON cardctl.stores USING (true)',
    'The policies differ from those of cardctl for stores.',
  ],
  ['DROP POLICY own_rows ON cardctl.holds', 'The policies differ from those of cardctl for holds.'],
  ['ALTER POLICY own_rows ON cardctl.holds TO app', 'The policies differ from those of cardctl for holds.'],
  ['GRANT SELECT ON cardctl.cards TO public', 'The role public has SELECT on cards.'],
  ['GRANT SELECT (row) ON cardctl.cards TO public', 'The role public has SELECT on cards.row.'],
  ['GRANT USAGE ON SCHEMA cardctl TO public', 'The role public has USAGE on the schema cardctl.'],
  ['GRANT SELECT ON cardctl.tenants TO cardctl_sandbox', 'The role cardctl_sandbox has SELECT on tenants.'],
  ['GRANT TRUNCATE ON cardctl.cards TO cardctl_sandbox', 'The role cardctl_sandbox has TRUNCATE on cards.'],
  [
    'GRANT SELECT ON cardctl.cards TO cardctl_sandbox WITH GRANT OPTION',
    'The role cardctl_sandbox has SELECT, and may grant it, on cards.',
  ],
  ['ALTER TABLE cardctl.cards OWNER TO postgres', 'The role postgres owns cards.'],
  [
    'GRANT CREATE ON SCHEMA cardctl TO cardctl_sandbox; ALTER TABLE cardctl.cards OWNER TO cardctl_sandbox',
    'The role cardctl_sandbox owns cards.',
  ],
  ['ALTER ROLE cardctl_sandbox BYPASSRLS', 'The role cardctl_sandbox bypasses row-level security.'],
  ['ALTER ROLE cardctl_sandbox LOGIN', 'The role cardctl_sandbox may log in.'],
  [
    'CREATE ROLE eve; GRANT cardctl_sandbox TO eve',
    'The role eve may act as cardctl_sandbox, for any tenant.',
  ],
  [
    'GRANT pg_read_all_data TO cardctl_sandbox',
    'The role cardctl_sandbox has the rights of pg_read_all_data.',
  ],
  ['CREATE VIEW public.all_cards AS SELECT * FROM cardctl.cards', 'The view all_cards uses cards.'],
  [
    'CREATE MATERIALIZED VIEW public.joined AS SELECT c.id FROM cardctl.cards c JOIN cardctl.holds h ON true',
    'The view joined uses cards, holds.',
  ],
  [
    'CREATE FUNCTION public.all_rows() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER BEGIN ATOMIC SELECT row FROM cardctl.cards; END',
    'The function all_rows() uses cards.',
  ],
  [
    'CREATE TABLE public.copied (id text); CREATE RULE copying AS ON INSERT TO cardctl.cards DO ALSO INSERT INTO public.copied VALUES (new.id)',
    'The rule copying uses cards.',
  ],
  [
    "CREATE FUNCTION public.noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'; CREATE TRIGGER noting BEFORE INSERT ON cardctl.cards FOR EACH ROW EXECUTE FUNCTION public.noted()",
    'The trigger noting uses cards.',
  ],
  [
    'CREATE TABLE public.above (id text); ALTER TABLE cardctl.cards INHERIT public.above',
    'The parent table above uses cards.',
  ],
  ['CREATE TABLE public.below () INHERITS (cardctl.cards)', 'The child table below uses cards.'],
  [
    "CREATE FUNCTION public.peeks(id text) RETURNS boolean LANGUAGE sql AS 'SELECT true'; ALTER TABLE cardctl.cards ADD CONSTRAINT peeking CHECK (public.peeks(id))",
    'The constraint peeking uses cards.',
  ],
  [
    'CREATE TABLE public.probe (tenant integer, id text, FOREIGN KEY (tenant, id) REFERENCES cardctl.cards)',
    'The constraint probe_tenant_id_fkey uses cards.',
  ],
  [
    "CREATE FUNCTION public.peek() RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN (SELECT row FROM cardctl.cards LIMIT 1); END'",
    'The role cardctl_sandbox may call functions with the rights of somebody who reads all rows: peek().',
  ],
  [
    'ALTER DEFAULT PRIVILEGES FOR ROLE app IN SCHEMA cardctl GRANT SELECT ON TABLES TO public',
    'The role public has SELECT on tables that app creates.',
  ],
  [
    'ALTER DEFAULT PRIVILEGES FOR ROLE app GRANT UPDATE ON TABLES TO cardctl_sandbox',
    'The role cardctl_sandbox has UPDATE on tables that app creates.',
  ],
  ['ALTER ROLE app BYPASSRLS', 'The role app bypasses row-level security.'],
  ['ALTER ROLE app SUPERUSER', 'The role app bypasses row-level security.'],
  ['CREATE ROLE eve LOGIN IN ROLE app', 'The role eve may act as app, for any tenant.'],
  [
    'CREATE ROLE staff IN ROLE cardctl_sandbox; CREATE ROLE eve NOINHERIT IN ROLE staff',
    'The role eve may act as cardctl_sandbox, for any tenant.',
  ],
  [
    'ALTER ROLE app SET cardctl.tenant = 1',
    'Sessions begin with a setting that is not of cardctl: cardctl.tenant for app.',
  ],
  [
    'ALTER DATABASE app SET session_replication_role = replica',
    'Sessions begin with a setting that is not of cardctl: session_replication_role for every role.',
  ],
  [
    'ALTER ROLE app IN DATABASE app SET search_path = public, pg_catalog',
    'Sessions begin with a setting that is not of cardctl: search_path for app.',
  ],
  [
    'ALTER TABLE cardctl.cards ALTER tenant SET DEFAULT 1',
    'Other defaults than those of cardctl have cards.tenant.',
  ],
  [
    'ALTER TABLE cardctl.stores ALTER marks DROP DEFAULT; ALTER TABLE cardctl.commits ALTER at SET DEFAULT clock_timestamp()',
    'Other defaults than those of cardctl have commits.at, stores.marks.',
  ],
  ['ALTER FUNCTION cardctl.take_calls SECURITY DEFINER', 'these are not of cardctl: cardctl.take_calls'],
  ['CREATE TABLE cardctl.copies AS SELECT * FROM cardctl.cards', 'these are not of cardctl: copies.'],
]

/** What the check says after a change by the superuser, which is taken back. */
async function faultsAfter(sql: string): Promise<readonly string[]> {
  const db = new pg.Client({
    host: new URL(url()).searchParams.get('host') ?? '',
    user: 'postgres',
    database: 'app',
  })
  await db.connect()
  onTestFinished(() => db.end())
  const check = () => weaknesses(db as unknown as pg.PoolClient, false)
  await db.query('BEGIN; SET LOCAL ROLE app')
  try {
    expect(await check()).toEqual([])
    await db.query(`SET LOCAL ROLE postgres; ${sql}; SET LOCAL ROLE app`)
    return await check()
  } finally {
    await db.query('ROLLBACK')
  }
}

test.each(CHANGES)('the check finds %s', async (sql, found) => {
  expect((await faultsAfter(sql)).join('\n')).toContain(found)
})

/** What an administrator may do. */
const HARMLESS = [
  'CREATE INDEX more ON cardctl.cards (id)',
  'CREATE ROLE backup LOGIN BYPASSRLS IN ROLE pg_read_all_data',
  'ALTER ROLE app SET search_path = public',
  'ALTER ROLE app SET statement_timeout = 1000',
  "CREATE FUNCTION public.hidden() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; REVOKE ALL ON FUNCTION public.hidden FROM public",
  "CREATE TABLE public.others (id text PRIMARY KEY CHECK (id <> ''), at timestamptz DEFAULT now())",
]

test.each(HARMLESS)('the check has nothing against %s', async sql => {
  expect(await faultsAfter(sql)).toEqual([])
})

test('a role that may make itself a member of another is found on servers that let it', async () => {
  const db = await client()
  const {rows} = await db.query("SELECT current_setting('server_version_num')::integer < 160000 AS lets")
  const found = 'The role eve may make itself a member of every role.'
  expect(await faultsAfter('CREATE ROLE eve CREATEROLE')).toEqual(rows[0].lets ? [found] : [])
})

test('a database with a weakness fails the check of the command line, after saying what it is', async () => {
  const home = await newHome()
  const cluster = await migratedCluster()
  const run = () =>
    home.run(['sandbox', 'store', 'check', '--store', 'env:URL', '--json'], {env: {URL: cluster.url}})
  expect(await run()).toMatchObject({code: 0})
  cluster.run('psql', '-q', '-c', 'GRANT SELECT ON cardctl.cards TO public', 'app')
  const {code, stdout, stderr} = await run()
  expect(code).toBe(11)
  expect(JSON.parse(stdout).warnings).toEqual(['The role public has SELECT on cards.'])
  expect(stderr).toContain('TENANTS_NOT_SEPARATED')
})
