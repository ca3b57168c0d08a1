import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Connections} from '../../../postgres/connect.ts'
import type {Store} from '../store.ts'
import {type PostgresOptions, STATEMENT_MS, servingConnections} from './connect.ts'
import {databaseHealth} from './database-health.ts'
import {usableConnections} from './migrate.ts'
import {PostgresStore} from './postgres-store.ts'
import {DEFAULT_TENANT, findTenant, type Tenant} from './tenants.ts'

const LOCK_MS = 5_000

/**
 * Opens the store in a PostgreSQL database whose tables exist.
 *
 * @throws Failure INPUT_INVALID for an unusable URL; STORE_UNAVAILABLE if the database can't be reached, or its tables
 * are missing, too old or too new. Messages name host, port and database.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const opened = await usableConnections(servingConnections(options))
  try {
    const name = options.tenant ?? DEFAULT_TENANT
    const tenant = await findTenant(opened, name)
    if (tenant === undefined) throw unknownTenant(name, opened.shown)
    const store = openPostgresTenant(opened, tenant, options)
    return {
      transaction: (work, likely) => store.transaction(work, likely),
      read: work => store.read(work),
      now: store.now,
      health: databaseHealth(opened),
      close: async () => {
        await store.close()
        await opened.pool.end()
      },
    }
  } catch (error) {
    await opened.pool.end()
    throw error
  }
}

/** The store of one tenant on connections that it shares with others. Closing it leaves them open. */
export function openPostgresTenant(
  opened: Connections,
  {id, maxRows}: Pick<Tenant, 'id' | 'maxRows'>,
  {statementMs = STATEMENT_MS, lockMs = LOCK_MS}: Pick<PostgresOptions, 'statementMs' | 'lockMs'>,
): PostgresStore {
  return new PostgresStore(opened, {tenant: id, maxRows, statementMs, lockMs})
}

const unknownTenant = (name: string, shown: string) =>
  new Failure('STORE_UNAVAILABLE', {
    message: `The database ${shown} has no tenant ${name}.`,
    hint: advice`List the tenants: ${cardctl('sandbox', 'tenants', 'list', '--store', {value: 'REF'})}`,
  })
