import type {PoolClient} from 'pg'
import type {Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {Connections} from './connect.ts'
import {codeOf} from './reasons.ts'

/** A step of a schema. */
export interface Migration {
  readonly sql: string
  /**
   * The oldest version of the schema that a program may know to work with a database after this step. During a rolling
   * upgrade, old and new programs share the database.
   */
  readonly worksSince: number
}

/** A schema that cardctl keeps in a database. */
export interface Schema {
  readonly name: string
  /** The schema, step by step; append only. The version of a database is the number of steps that it has. */
  readonly migrations: readonly Migration[]
  /** Does what the steps need, before each migration. @throws Failure */
  readonly before?: (client: PoolClient, shown: string) => Promise<void>
  /** Does what programs need, after each migration to the newest version. @throws Failure */
  readonly after?: (client: PoolClient, shown: string) => Promise<void>
  /** What to do if the tables are missing or old. */
  readonly hint: Hint
  /** What every error of the database becomes. A Failure is returned unchanged. */
  unusable(shown: string, error: unknown): Failure
}

/** The schema of a database, and of this program. */
export interface SchemaState {
  /** Number of steps that the database has; 0 if it is new. */
  readonly version: number
  /** Number of steps that this program knows. */
  readonly known: number
  /** The oldest version of the schema that a program may know to use the database. */
  readonly worksSince: number
}

/** Any number; all processes that migrate take the same lock. */
const LOCK = 0x63617264

const OLDEST_SERVER = 140_000

const DEADLOCK = '40P01'
const MOST_ATTEMPTS = 10

/**
 * Brings the schema up to this program's version, in one transaction. Processes that start at once take turns.
 *
 * @returns the state before.
 * @throws Failure
 */
export async function migrate(connections: Connections, schema: Schema): Promise<SchemaState> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(connections, schema)
    } catch (error) {
      // Programs at work may lock the tables in another order.
      const isDeadlock = error instanceof Failure && codeOf(error.details.cause) === DEADLOCK
      if (!isDeadlock || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

function migrateOnce(connections: Connections, schema: Schema): Promise<SchemaState> {
  return inTransaction(connections, schema, async client => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    await checkServer(client, connections.shown, schema)
    await schema.before?.(client, connections.shown)
    const before = await stateIn(client, schema)
    if (before.version > before.known) return before
    if (before.version === 0) await prepare(client, schema)
    for (const [at, {sql, worksSince}] of schema.migrations.entries()) {
      if (at < before.version) continue
      await client.query(sql)
      await client.query(`INSERT INTO ${schema.name}.versions (version, works_since) VALUES ($1, $2)`, [
        at + 1,
        worksSince,
      ])
    }
    await schema.after?.(client, connections.shown)
    return before
  })
}

/** An administrator may have created the schema, for a user that may not. */
async function prepare(client: PoolClient, {name}: Schema): Promise<void> {
  await client.query(`
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${name}') THEN
    CREATE SCHEMA ${name};
  END IF;
END $$;
CREATE TABLE ${name}.versions (
  version integer PRIMARY KEY,
  works_since integer NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);`)
}

async function checkServer(client: PoolClient, shown: string, schema: Schema): Promise<void> {
  const {rows} = await client.query<{server_version_num: string}>('SHOW server_version_num')
  if (Number(rows[0]?.server_version_num) >= OLDEST_SERVER) return
  throw schema.unusable(shown, undefined).with({
    message: `The database ${shown} is older than PostgreSQL 14.`,
    hint: 'Use PostgreSQL 14 or newer.',
  })
}

/** @throws Failure */
export const schemaState = (connections: Connections, schema: Schema): Promise<SchemaState> =>
  inTransaction(connections, schema, client => stateIn(client, schema))

export async function stateIn(client: PoolClient, {name, migrations}: Schema): Promise<SchemaState> {
  const known = migrations.length
  // to_regclass() may not know yet what another process created before the lock was free.
  const {rowCount} = await client.query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = '${name}' AND tablename = 'versions'`,
  )
  if (rowCount === 0) return {version: 0, known, worksSince: 0}
  const {rows} = await client.query<{version: number; works_since: number}>(
    `SELECT version, works_since FROM ${name}.versions ORDER BY version DESC LIMIT 1`,
  )
  const [last] = rows
  return {version: last?.version ?? 0, known, worksSince: last?.works_since ?? 0}
}

/** @throws Failure if this program is too old or too new for the database. */
export function checkUsable({version, known, worksSince}: SchemaState, shown: string, schema: Schema): void {
  if (version < known) {
    throw schema.unusable(shown, undefined).with({
      message: `The tables of the database ${shown} are ${version === 0 ? 'missing' : 'older than this cardctl'}.`,
      hint: schema.hint,
    })
  }
  if (worksSince > known) {
    throw schema.unusable(shown, undefined).with({
      message: `The tables of the database ${shown} were changed by a newer cardctl, which this one can't work beside.`,
      hint: 'Upgrade cardctl.',
    })
  }
}

/** @throws Failure */
export async function inTransaction<Result>(
  {connect, shown}: Connections,
  schema: Pick<Schema, 'unusable'>,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  let client: PoolClient | undefined
  try {
    client = await connect()
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Closing the connection rolls back.
    client?.release(true)
    throw schema.unusable(shown, error)
  }
}
