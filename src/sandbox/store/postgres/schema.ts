import type {Migration} from '../../../postgres/migrate.ts'
import {indexedFields, type TableName, tableNames} from '../tables.ts'

/** Everything of the sandbox lies in this schema of the database. */
export const SCHEMA = 'cardctl'

/** The role that the sandbox switches to after connecting. It owns nothing, so row-level security applies to it. */
export const ROLE = 'cardctl_sandbox'

/** The setting that row-level security compares with a row's tenant. */
export const TENANT_SETTING = 'cardctl.tenant'

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

/** Rows of one tenant are visible to that tenant alone, also for the owner of the table. */
const isolate = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON ${table}
  USING (tenant = nullif(current_setting('${TENANT_SETTING}', true), '')::integer);`

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
REVOKE ALL ON ${SCHEMA}.tenants FROM ${ROLE};`

/** The schema, step by step; append only. The version of a database is the number of steps that it has. */
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
  last_used_at timestamptz
);
INSERT INTO ${SCHEMA}.tenants (name) VALUES ('default');

-- Locked while a process writes for the tenant. The version changes with each write, and tells the others that what they
-- have cached is old.
CREATE TABLE ${SCHEMA}.stores (
  tenant integer PRIMARY KEY REFERENCES ${SCHEMA}.tenants ON DELETE CASCADE,
  version bigint NOT NULL DEFAULT 0
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
${grants}`,
  },
]
