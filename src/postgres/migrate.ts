import {setTimeout as pause} from 'node:timers/promises'
import type {PoolClient} from 'pg'
import type {Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {Connections} from './connect.ts'
import {lockHolders} from './lock-holders.ts'
import {untilNotOvertaken, wasOvertaken} from './overtaken.ts'
import {codeOf, END_HOLDER} from './reasons.ts'

/** A step of a schema. */
export type Migration = {
  /**
   * The oldest version of the schema that a program may know to work with a database after this step. During a rolling
   * upgrade, old and new programs share the database.
   */
  readonly worksSince: number
} & (
  | {readonly sql: string}
  /** For tables that programs write to: built without locking them out, outside of the transaction. */
  | {readonly indexes: readonly Index[]}
)

/** An index of a table of the schema. */
export interface Index {
  readonly name: string
  /** Table and columns, such as `cards (tenant, note, seq)`. */
  readonly on: string
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
  /** How long a statement of `inTransaction` waits for a lock, ms; for any time by default. */
  readonly lockMs?: number
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
const LOOK_AGAIN_MS = 200

/** How long a statement waits for a table. Every program that uses the table is blocked for as long. */
const LOCK_MS = 1_000
/** How long to try again in all, and the pause in between, in which the others go on. */
const PATIENCE_MS = 60_000
const LONGEST_PAUSE_MS = 2_000

const LOCKED = '55P03'

/** What a step makes is there: a table, column, function, or another object. */
const TAKEN: ReadonlySet<string> = new Set(['42P07', '42701', '42723', '42710'])

const OLDEST_SERVER = 140_000

/**
 * Brings the schema up to this program's version. Processes that start at once take turns. A step that needs a table for
 * itself waits only briefly and is tried again, because other programs are blocked while it waits.
 *
 * @returns the state before.
 * @throws Failure
 */
export async function migrate(connections: Connections, schema: Schema): Promise<SchemaState> {
  const {connect, shown} = connections
  let client: PoolClient | undefined
  try {
    client = await connect()
    await takeTurn(client)
    return await migrateAll(client, schema, shown)
  } catch (error) {
    if (client && TAKEN.has(codeOf(error))) throw await notAsRecorded(client, schema, shown)
    throw schema.unusable(shown, error)
  } finally {
    // Closing the connection gives the lock back.
    client?.release(true)
  }
}

/** Who waited inside a statement would hold a snapshot, which the building of an index waits for. */
async function takeTurn(client: PoolClient): Promise<void> {
  for (;;) {
    const {rows} = await client.query<{taken: boolean}>(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`)
    if (rows[0]?.taken) return
    await pause(LOOK_AGAIN_MS)
  }
}

async function migrateAll(client: PoolClient, schema: Schema, shown: string): Promise<SchemaState> {
  let first: SchemaState | undefined
  for (;;) {
    const before = await withPatience(client, schema, shown, () => migrateOnce(client, schema, shown))
    first ??= before.state
    if (before.next === undefined) return first
    for (const index of before.next.indexes) await buildIndex(client, schema, index)
    await recordStep(client, schema, before.next)
  }
}

interface Step {
  readonly version: number
  readonly worksSince: number
  readonly indexes: readonly Index[]
}

/** Takes all steps up to the next one that builds indexes. @returns the state before, and that step. */
async function migrateOnce(
  client: PoolClient,
  schema: Schema,
  shown: string,
): Promise<{state: SchemaState; next?: Step}> {
  await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${LOCK_MS}`)
  await checkServer(client, shown, schema)
  await schema.before?.(client, shown)
  const state = await stateIn(client, schema)
  if (state.version > state.known) {
    await client.query('COMMIT')
    return {state}
  }
  const isNew = state.version === 0
  if (isNew) await prepare(client, schema, shown)
  for (const [at, migration] of schema.migrations.entries()) {
    if (at < state.version) continue
    const step = {version: at + 1, worksSince: migration.worksSince}
    if ('sql' in migration) await client.query(migration.sql)
    else if (isNew)
      for (const {name, on} of migration.indexes) await client.query(createIndex(schema, name, on))
    else {
      await client.query('COMMIT')
      return {state, next: {...step, indexes: migration.indexes}}
    }
    await recordStep(client, schema, step)
  }
  await schema.after?.(client, shown)
  await client.query('COMMIT')
  return {state}
}

const recordStep = (client: PoolClient, {name}: Schema, {version, worksSince}: Omit<Step, 'indexes'>) =>
  client.query(`INSERT INTO ${name}.versions (version, works_since) VALUES ($1, $2)`, [version, worksSince])

/** Tries again while programs at work hold the tables. @throws Failure that names who does; what `work` throws */
async function withPatience<Result>(
  client: PoolClient,
  schema: Schema,
  shown: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      const isLocked = codeOf(error instanceof Failure ? error.details.cause : error) === LOCKED
      if (!isLocked && !wasOvertaken(error)) throw error
      if (performance.now() - began > PATIENCE_MS)
        throw isLocked ? await heldBy(client, schema, shown) : error
      await pause(Math.min(LONGEST_PAUSE_MS, 100 * attempt))
    }
  }
}

async function heldBy(client: PoolClient, schema: Schema, shown: string): Promise<Failure> {
  const who = await lockHolders(client, schema.name, {against: 'all'})
  return schema.unusable(shown, undefined).with({
    message: `The tables of the database ${shown} were in use for a minute: ${who ?? 'somebody did not end a transaction'}. Nothing was changed.`,
    hint: END_HOLDER,
  })
}

/** A restore without the record of the steps, or tables of somebody else. */
async function notAsRecorded(client: PoolClient, {name, unusable}: Schema, shown: string): Promise<Failure> {
  const {rows} = await client.query<{tablename: string}>(
    'SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1 ORDER BY tablename',
    [name],
  )
  const names = rows.slice(0, MOST_NAMED).map(({tablename}) => tablename)
  const more = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : ''
  return unusable(shown, undefined).with({
    message: `The schema ${name} of the database ${shown} already has a part of what is to be created, but ${name}.versions does not record it. Its tables: ${names.join(', ')}${more}. Nothing was changed.`,
    hint: `Use another database. If a restore left them, restore the schema as a whole; if nobody needs them, let an administrator move them away: ALTER SCHEMA ${name} RENAME TO ${name}_old;`,
  })
}

const MOST_NAMED = 5

const createIndex = ({name: schema}: Schema, name: string, on: string, how = '') =>
  `CREATE INDEX ${how} ${name} ON ${schema}.${on}`

/** An index whose building was broken off is there, but not valid. */
async function buildIndex(client: PoolClient, schema: Schema, {name, on}: Index): Promise<void> {
  const {rows} = await client.query<{valid: boolean}>(
    `SELECT indisvalid AS valid FROM pg_index JOIN pg_class c ON c.oid = indexrelid
     WHERE c.relnamespace = $1::regnamespace AND relname = $2`,
    [schema.name, name],
  )
  const [found] = rows
  if (found?.valid) return
  if (found) await client.query(`DROP INDEX CONCURRENTLY ${schema.name}.${name}`)
  await untilNotOvertaken(() => client.query(createIndex(schema, name, on, 'CONCURRENTLY')))
}

/** An administrator may have created the schema, for a user that may not. */
async function prepare(client: PoolClient, schema: Schema, shown: string): Promise<void> {
  const {name} = schema
  const {rows} = await client.query<{user: string; exists: boolean; may: boolean}>(
    `SELECT quote_ident(current_user) AS user, to_regnamespace($1) IS NOT NULL AS exists,
       coalesce(has_schema_privilege(to_regnamespace($1), 'CREATE'),
         has_database_privilege(current_database(), 'CREATE')) AS may`,
    [name],
  )
  const [found] = rows
  if (found && !found.may) {
    const {user} = found
    const sql = found.exists
      ? `ALTER SCHEMA ${name} OWNER TO ${user};`
      : `CREATE SCHEMA ${name} AUTHORIZATION ${user};`
    throw schema.unusable(shown, undefined).with({
      message: `The user lacks permissions in the database ${shown}. Nothing was changed.`,
      hint: `Let an administrator run this in that database, then run the command again: ${sql}`,
      data: {statements: [sql]},
    })
  }
  // It takes the right to create schemas, even if there is one.
  if (!found?.exists) await client.query(`CREATE SCHEMA ${name}`)
  await client.query(`
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

/** Work may run several times: the database may take it back. @throws Failure */
export const inTransaction = <Result>(
  connections: Connections,
  schema: InTransaction,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> => untilNotOvertaken(() => inOneTransaction(connections, schema, work))

type InTransaction = Pick<Schema, 'name' | 'lockMs' | 'unusable'>

async function inOneTransaction<Result>(
  {connect, shown}: Connections,
  schema: InTransaction,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  let client: PoolClient | undefined
  try {
    client = await connect()
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${schema.lockMs ?? 0}`)
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    const who =
      client && codeOf(error) === LOCKED
        ? await client
            .query('ROLLBACK')
            .then(() => client && lockHolders(client, schema.name, {against: 'all'}))
            .catch(() => undefined)
        : undefined
    // Closing the connection rolls back.
    client?.release(true)
    const failure = schema.unusable(shown, error)
    throw who === undefined
      ? failure
      : failure.with({message: `Can't use the database ${shown}: ${who}.`, hint: END_HOLDER})
  }
}
