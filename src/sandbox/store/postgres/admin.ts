import type {PoolClient} from 'pg'
import type {Connections} from '../../../postgres/connect.ts'
import type {SchemaState} from '../../../postgres/migrate.ts'
import {connections, type PostgresOptions} from './connect.ts'
import {checkTables, inTransaction, migrate, schemaState, usableConnections} from './migrate.ts'
import {SCHEMA} from './schema.ts'
import {weaknesses} from './weaknesses.ts'

/** What a migration did. */
export interface Migrated {
  /** `host:5432/database`. */
  readonly database: string
  readonly before: number
  readonly now: number
}

/** A database and whether it can be used safely. */
export interface StoreCheck {
  readonly database: string
  /** Version of the server, such as 15.18. */
  readonly server: string
  readonly encrypted: boolean
  readonly schema: SchemaState
  /** The user that cardctl connects as. */
  readonly user: string
  /** What weakens the separation of tenants; empty if nothing does. */
  readonly warnings: readonly string[]
}

/** The size of one table. */
export interface TableSize {
  readonly table: string
  /** An estimate of PostgreSQL, over all tenants. */
  readonly rows: number
  /** With indexes. */
  readonly bytes: number
}

/** Creates or upgrades the tables. @throws Failure INPUT_INVALID, STORE_UNAVAILABLE */
export const migrateStore = (options: PostgresOptions): Promise<Migrated> =>
  using(connections(single(options)), async opened => {
    const {version, known} = await migrate(opened)
    // More steps than this program knows may be those of a build from before the first release.
    if (version > known) await checkTables(opened)
    return {database: opened.shown, before: version, now: Math.max(version, known)}
  })

/** @throws Failure INPUT_INVALID; STORE_UNAVAILABLE if this program can't use the database. */
export const checkStore = (options: PostgresOptions): Promise<StoreCheck> =>
  withStore(options, async opened => {
    const schema = await schemaState(opened)
    return inTransaction(opened, async client => {
      const server = await value(client, 'SHOW server_version')
      const encrypted = await value(client, 'SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      return {
        database: opened.shown,
        server: server.split(' ')[0] ?? server,
        encrypted: encrypted === 'true',
        schema,
        user: await value(client, 'SELECT current_user'),
        warnings: await weaknesses(client, schema.version > schema.known),
      }
    })
  })

/** @throws Failure INPUT_INVALID, STORE_UNAVAILABLE */
export const storeSize = (options: PostgresOptions): Promise<readonly TableSize[]> =>
  withStore(options, opened =>
    inTransaction(opened, async client => {
      const {rows} = await client.query<{table: string; rows: string; bytes: string}>(`
SELECT relname AS table, n_live_tup AS rows, pg_total_relation_size(relid) AS bytes
FROM pg_stat_user_tables WHERE schemaname = '${SCHEMA}' ORDER BY bytes DESC, relname`)
      return rows.map(({table, rows: count, bytes}) => ({table, rows: Number(count), bytes: Number(bytes)}))
    }),
  )

/** The only value of a query, as text; empty for null. */
async function value(client: PoolClient, sql: string): Promise<string> {
  const {rows} = await client.query<Record<string, unknown>>(sql)
  return String(Object.values(rows[0] ?? {})[0] ?? '')
}

const single = (options: PostgresOptions): PostgresOptions => ({...options, connections: 1})

async function using<Result>(
  opening: Promise<Connections>,
  work: (opened: Connections) => Promise<Result>,
): Promise<Result> {
  const opened = await opening
  try {
    return await work(opened)
  } finally {
    await opened.pool.end()
  }
}

/** Runs work on a database whose tables this program can use. @throws Failure INPUT_INVALID, STORE_UNAVAILABLE */
export const withStore = <Result>(
  options: PostgresOptions,
  work: (opened: Connections) => Promise<Result>,
): Promise<Result> => using(usableConnections(connections(single(options))), work)
