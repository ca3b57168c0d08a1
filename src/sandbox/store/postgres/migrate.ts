import type {PoolClient} from 'pg'
import {Failure} from '../../../errors/failure.ts'
import {type Connections, connections, type PostgresOptions, storeUnavailable} from './connect.ts'
import {migrations, ROLE, SCHEMA} from './schema.ts'

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

/**
 * Brings the schema up to this program's version, in one transaction. Processes that start at once take turns.
 *
 * @returns the state before.
 * @throws Failure STORE_UNAVAILABLE
 */
export async function migrate({pool, shown}: Connections): Promise<SchemaState> {
  return inTransaction({pool, shown}, async client => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    await checkServer(client, shown)
    const before = await stateIn(client)
    if (before.version >= before.known) return before
    if (before.version === 0) await prepare(client)
    for (const [at, {sql, worksSince}] of migrations.entries()) {
      if (at < before.version) continue
      await client.query(sql)
      await client.query(`INSERT INTO ${SCHEMA}.versions (version, works_since) VALUES ($1, $2)`, [
        at + 1,
        worksSince,
      ])
    }
    return before
  })
}

/** The schema, its list of versions, and the role that the sandbox works as. */
async function prepare(client: PoolClient): Promise<void> {
  await client.query(`
CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
CREATE TABLE ${SCHEMA}.versions (
  version integer PRIMARY KEY,
  works_since integer NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN
    CREATE ROLE ${ROLE} NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  -- Another database of this server created it at the same moment.
  NULL;
END $$;
DO $$ BEGIN
  IF NOT pg_has_role(current_user, '${ROLE}', 'MEMBER') THEN
    GRANT ${ROLE} TO CURRENT_USER;
  END IF;
END $$;`)
}

async function checkServer(client: PoolClient, shown: string): Promise<void> {
  const {rows} = await client.query<{server_version_num: string}>('SHOW server_version_num')
  if (Number(rows[0]?.server_version_num) >= OLDEST_SERVER) return
  throw new Failure('STORE_UNAVAILABLE', {
    message: `The database ${shown} is older than PostgreSQL 14.`,
    hint: 'Use PostgreSQL 14 or newer.',
  })
}

/** @throws Failure STORE_UNAVAILABLE */
export const schemaState = (opened: Connections): Promise<SchemaState> => inTransaction(opened, stateIn)

async function stateIn(client: PoolClient): Promise<SchemaState> {
  const known = migrations.length
  const {rows: found} = await client.query(`SELECT to_regclass('${SCHEMA}.versions') AS name`)
  if (found[0]?.name === null) return {version: 0, known, worksSince: 0}
  const {rows} = await client.query<{version: number; works_since: number}>(
    `SELECT version, works_since FROM ${SCHEMA}.versions ORDER BY version DESC LIMIT 1`,
  )
  const [last] = rows
  return {version: last?.version ?? 0, known, worksSince: last?.works_since ?? 0}
}

/**
 * Connections to a database whose tables this program can use.
 *
 * @throws Failure INPUT_INVALID for an unusable URL; STORE_UNAVAILABLE if the database can't be reached, or its tables
 * are missing, too old or too new.
 */
export async function usableConnections(options: PostgresOptions): Promise<Connections> {
  const opened = await connections(options)
  try {
    checkUsable(await schemaState(opened), opened.shown)
    return opened
  } catch (error) {
    await opened.pool.end()
    throw error
  }
}

function checkUsable({version, known, worksSince}: SchemaState, shown: string): void {
  if (version < known) {
    throw new Failure('STORE_UNAVAILABLE', {
      message: `The tables of the database ${shown} are ${version === 0 ? 'missing' : 'older than this cardctl'}.`,
      hint: 'Run cardctl sandbox store migrate with the same --store.',
    })
  }
  if (worksSince > known) {
    throw new Failure('STORE_UNAVAILABLE', {
      message: `The tables of the database ${shown} were changed by a newer cardctl, which this one can't work beside.`,
      hint: 'Upgrade cardctl.',
    })
  }
}

/** @throws Failure STORE_UNAVAILABLE */
export async function inTransaction<Result>(
  {pool, shown}: Connections,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  let client: PoolClient | undefined
  try {
    client = await pool.connect()
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Closing the connection rolls back.
    client?.release(true)
    throw storeUnavailable(shown, error)
  }
}
