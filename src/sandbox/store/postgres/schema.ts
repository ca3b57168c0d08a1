import type {Migration} from '../../../postgres/migrate.ts'
import {indexedFields, type TableName, tableNames} from '../tables.ts'

/** Everything of the sandbox lies in this schema of the database. */
export const SCHEMA = 'cardctl'

/** The role that the sandbox switches to after connecting. It owns nothing, so row-level security applies to it. */
export const ROLE = 'cardctl_sandbox'

/** In the marks of a tenant, the tables without a mark of their own. */
export const OTHERS = '*'

/** The setting that row-level security compares with a row's tenant. */
export const TENANT_SETTING = 'cardctl.tenant'

/** Any number: with the id of a tenant, the lock of its calls. */
const CALLS_LOCK = 0x63616c6c

/** `priceLists` is `price_lists` here: PostgreSQL folds unquoted names to lower case. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const tableOf = (name: TableName): string => `${SCHEMA}.${snakeCase(name)}`

const COLUMN_TYPES = {TEXT: 'text', INTEGER: 'bigint'} as const

/** The columns of a table to look rows up by, with their types in PostgreSQL. */
export const columnsOf = (name: TableName): readonly {field: string; column: string; type: string}[] =>
  Object.entries(indexedFields[name]).map(([field, type]: [string, 'TEXT' | 'INTEGER']) => ({
    field,
    column: snakeCase(field),
    type: COLUMN_TYPES[type],
  }))

/** Tables whose rows belong to tenants. */
export const isolatedTables: readonly string[] = [...tableNames.map(snakeCase), 'stores', 'commits']

/** Tables that only the owner uses. */
export const otherTables: readonly string[] = ['tenants', 'tokens', 'versions', 'call_counts', 'call_leases']

/** The only function. */
export const TAKE_CALLS = 'take_calls'

/** Of the only policy of each table whose rows belong to tenants. */
export const POLICY = `tenant = nullif(current_setting('${TENANT_SETTING}', true), '')::integer`

/** Rows of one tenant are visible to that tenant alone, also for the owner of the table. */
const isolate = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON ${table}
  USING (${POLICY});`

/**
 * Each table stores whole rows as JSON, with a column for each indexed field. `seq` is the order in which rows were
 * first written.
 */
function createTable(name: TableName): string {
  const table = tableOf(name)
  const columns = columnsOf(name)
  const declared = columns.map(({column, type}) => `  ${column} ${type},\n`).join('')
  const indexes = columns.map(
    ({column}) => `CREATE INDEX ${snakeCase(name)}_${column} ON ${table} (tenant, ${column}, seq);`,
  )
  return `
CREATE TABLE ${table} (
  tenant integer NOT NULL REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
${declared}  row text NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX ${snakeCase(name)}_seq ON ${table} (tenant, seq);
${indexes.join('\n')}${isolate(table)}`
}

const grants = `
GRANT USAGE ON SCHEMA ${SCHEMA} TO ${ROLE};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${ROLE};
REVOKE INSERT, UPDATE, DELETE ON ${SCHEMA}.versions FROM ${ROLE};
REVOKE ALL ON ${SCHEMA}.tenants, ${SCHEMA}.call_counts, ${SCHEMA}.call_leases FROM ${ROLE};`

/**
 * The schema, step by step; append only. The version of a database is the number of steps that it has.
 *
 * Programs of the version before work beside a new step (`worksSince`), so it only adds: columns with a default, tables
 * (with `isolate` and the grants), indexes. What no program needs any more is removed a version later, with `worksSince`
 * of the first step that did without it.
 */
export const migrations: readonly Migration[] = [
  {
    worksSince: 1,
    sql: `
CREATE TABLE ${SCHEMA}.tenants (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- SHA-256 of the token. A tenant without one is reached by --auth alone.
  token_hash bytea UNIQUE,
  -- The tenant whose token and limits hold for this one: it was made for one run.
  parent integer REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  -- How long a tenant lives that is made for one run, ms; null if there are none.
  run_ms bigint,
  -- Windows of the rate limit, such as 50/s,3000/min.
  rate text,
  max_rows bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  -- The endpoint for authorisation calls, as JSON. Its password is encrypted with the key of the tenant's own store.
  webhook text
);
INSERT INTO ${SCHEMA}.tenants (name) VALUES ('default');

-- Locked while a process writes for the tenant.
CREATE TABLE ${SCHEMA}.stores (
  tenant integer PRIMARY KEY REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  -- The number of the tenant's rows, if the tenant has a limit.
  rows bigint,
  -- For each table, the random mark of the commit that last changed it; '${OTHERS}' stands for the tables without one. A mark
  -- can't come again when the database goes back (a standby takes over, a backup is restored), so a process knows by it
  -- what it may keep.
  marks jsonb NOT NULL DEFAULT jsonb_build_object('${OTHERS}', gen_random_uuid()::text)
);
INSERT INTO ${SCHEMA}.stores (tenant) SELECT id FROM ${SCHEMA}.tenants;
${isolate(`${SCHEMA}.stores`)}

-- The last commit of each process. A process whose connection broke during a commit finds out here whether it happened.
CREATE TABLE ${SCHEMA}.commits (
  tenant integer NOT NULL REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  process uuid NOT NULL,
  number bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, process)
);
${isolate(`${SCHEMA}.commits`)}
${tableNames.map(createTable).join('\n')}

-- The requests that processes have accepted, by time, and those that they may accept yet. Lost in a crash of the database.
CREATE UNLOGGED TABLE ${SCHEMA}.call_counts (
  tenant integer NOT NULL REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  at timestamptz NOT NULL,
  count integer NOT NULL
);
CREATE INDEX call_counts_by_time ON ${SCHEMA}.call_counts (tenant, at);
CREATE UNLOGGED TABLE ${SCHEMA}.call_leases (
  tenant integer NOT NULL REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  process uuid NOT NULL,
  held integer NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (tenant, process)
);

-- Reports what a process has accepted since it last asked, by age, and gives back what it held. Asks for so many more.
-- A process that doesn't come back counts as if it had used everything at the last moment.
CREATE FUNCTION ${SCHEMA}.take_calls(
  of_tenant integer, by_process uuid, limits integer[], windows interval[],
  ages interval[], counts integer[], wanted integer, lease interval,
  OUT granted integer, OUT wait_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  here timestamptz;
  used integer;
  free_at timestamptz;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(${CALLS_LOCK}, of_tenant);
  here := clock_timestamp();
  INSERT INTO ${SCHEMA}.call_counts SELECT of_tenant, here - age, used_then
    FROM unnest(ages, counts) AS reported (age, used_then);
  DELETE FROM ${SCHEMA}.call_leases l WHERE l.tenant = of_tenant
    AND (l.process = by_process OR l.until < here - (SELECT max(w) FROM unnest(windows) w));
  DELETE FROM ${SCHEMA}.call_counts c WHERE c.tenant = of_tenant
    AND c.at <= here - (SELECT max(w) FROM unnest(windows) w);
  granted := wanted;
  wait_ms := 0;
  FOR place IN 1 .. cardinality(limits) LOOP
    SELECT coalesce(sum(n), 0), min(until) INTO used, free_at FROM (
      SELECT c.count AS n, c.at + windows[place] AS until FROM ${SCHEMA}.call_counts c
        WHERE c.tenant = of_tenant AND c.at > here - windows[place]
      UNION ALL
      SELECT l.held, CASE WHEN l.until > here THEN l.until ELSE l.until + windows[place] END
        FROM ${SCHEMA}.call_leases l
        WHERE l.tenant = of_tenant AND l.held > 0 AND l.until > here - windows[place]
    ) AS counted;
    granted := least(granted, greatest(0, limits[place] - used));
    IF used >= limits[place] THEN
      wait_ms := greatest(wait_ms, extract(epoch FROM free_at - here) * 1000);
    END IF;
  END LOOP;
  IF granted > 0 THEN
    INSERT INTO ${SCHEMA}.call_leases VALUES (of_tenant, by_process, granted, here + lease);
  END IF;
END $$;
${grants}`,
  },
  {
    worksSince: 1,
    sql: `
-- The tokens of tenants, by their SHA-256. During a rotation, two have the same name. Programs of version 1 use the
-- token_hash of tenants, which has the first one.
CREATE TABLE ${SCHEMA}.tokens (
  tenant integer NOT NULL REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX tokens_by_name ON ${SCHEMA}.tokens (tenant, name);
INSERT INTO ${SCHEMA}.tokens (tenant, name, hash, created_at)
  SELECT id, 'default', token_hash, created_at FROM ${SCHEMA}.tenants WHERE token_hash IS NOT NULL;
REVOKE ALL ON ${SCHEMA}.tokens FROM ${ROLE};`,
  },
]
