import type {PoolClient} from 'pg'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Connections} from '../../../postgres/connect.ts'
import * as schemas from '../../../postgres/migrate.ts'
import {sharesSessions} from '../../../postgres/pooler.ts'
import {storeUnavailable} from './connect.ts'
import {grantRights, prepareRights, readAsTenant} from './rights.ts'
import {migrations, SCHEMA} from './schema.ts'
import {policyFaults} from './weaknesses.ts'

const schema: schemas.Schema = {
  name: SCHEMA,
  migrations,
  lockMs: 5_000,
  hint: advice`Run ${cardctl('sandbox', 'store', 'migrate', '--store', {value: 'REF'})}`,
  unusable: storeUnavailable,
  before: prepareRights,
  after: grantRights,
}

/**
 * Brings the schema of the sandbox up to this program's version. Processes that start at once take turns.
 *
 * @returns the state before.
 * @throws Failure STORE_UNAVAILABLE
 */
export const migrate = (opened: Connections): Promise<schemas.SchemaState> => schemas.migrate(opened, schema)

/** @throws Failure STORE_UNAVAILABLE */
export const schemaState = (opened: Connections): Promise<schemas.SchemaState> =>
  schemas.schemaState(opened, schema)

/**
 * Does what every request does: reads as a tenant.
 *
 * @returns whether requests of tenants can work.
 * @throws Failure STORE_UNAVAILABLE if the tables are missing, too old or too new for this program, or a right is missing
 */
export const checkTables = (opened: Connections): Promise<boolean> =>
  inTransaction(opened, async client => {
    schemas.checkUsable(await schemas.stateIn(client, schema), opened.shown, schema)
    // A table may be empty, so a read of it doesn't show what hides its rows.
    return (await readAsTenant(client, opened.shown)) && (await policyFaults(client)).length === 0
  })

/**
 * Newer programs may change the tables while this one runs.
 *
 * @param worksSince as in `SchemaState`.
 * @throws Failure STORE_UNAVAILABLE
 */
export function checkStillUsable(worksSince: number, shown: string): void {
  const known = migrations.length
  schemas.checkUsable({version: known, known, worksSince}, shown, schema)
}

/** @throws Failure STORE_UNAVAILABLE if a pooler in between can't be used. */
async function checkSessions(opened: Connections): Promise<void> {
  const isShared = await sharesSessions(opened).catch((error: unknown) => {
    throw storeUnavailable(opened.shown, error)
  })
  if (!isShared) return
  throw new Failure('STORE_UNAVAILABLE', {
    message: `Can't use the database ${opened.shown}: a pooler in between gives each transaction another session.`,
    hint: 'Let it pool sessions (pool_mode = session in PgBouncer), or connect to PostgreSQL itself.',
  })
}

/**
 * Connections to a database whose tables this program can use.
 *
 * @throws Failure INPUT_INVALID for an unusable URL; STORE_UNAVAILABLE if the database can't be reached or is behind a
 * pooler that shares sessions, or its tables are missing, too old or too new.
 */
export async function usableConnections(opening: Promise<Connections>): Promise<Connections> {
  const opened = await opening
  try {
    await checkSessions(opened)
    await checkTables(opened)
    return opened
  } catch (error) {
    await opened.pool.end()
    throw error
  }
}

/** @throws Failure STORE_UNAVAILABLE */
export const inTransaction = <Result>(
  opened: Connections,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> => schemas.inTransaction(opened, schema, work)
