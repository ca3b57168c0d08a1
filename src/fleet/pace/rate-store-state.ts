import {connections} from '../../postgres/connect.ts'
import {inTransaction, type SchemaState, schemaState} from '../../postgres/migrate.ts'
import type {DatabaseOptions} from '../../postgres/options.ts'
import {paceSchema} from './shared-pace.ts'

/** The database of a shared rate, as this machine sees it. */
export interface RateStoreState {
  /** `host:5432/database`. */
  readonly shown: string
  readonly schema: SchemaState
  /** Whether the user may create the tables. */
  readonly mayCreate: boolean
  /** The user, as statements name it. */
  readonly user: string
  /** How far its clock is ahead of this machine's, ms, to half a round trip. */
  readonly skewMs: number
  /** The fastest of a few round trips, ms. */
  readonly tripMs: number
}

const TRIPS = 5

/**
 * Looks at the database without changing it.
 *
 * @param now the clock of this machine, epoch ms.
 * @throws Failure INPUT_INVALID for the URL; CONNECTION_FAILED if the database can't be used
 */
export async function lookAtRateStore(database: DatabaseOptions, now: () => number): Promise<RateStoreState> {
  const opened = await connections({...database, connections: 1}, 'cardctl doctor')
  try {
    const schema = await schemaState(opened, paceSchema)
    return await inTransaction(opened, paceSchema, async client => {
      let tripMs = Number.POSITIVE_INFINITY
      let skewMs = 0
      for (let trip = 0; trip < TRIPS; trip++) {
        const [before, began] = [now(), performance.now()]
        const {rows} = await client.query<{at: number}>(
          'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
        )
        const took = performance.now() - began
        if (took >= tripMs) continue
        tripMs = took
        skewMs = Math.round((rows[0]?.at ?? before) - (before + took / 2))
      }
      const {rows} = await client.query<{may: boolean; user: string}>(
        `SELECT quote_ident(current_user) AS user, has_database_privilege(current_database(), 'CREATE') OR EXISTS (
           SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = '${paceSchema.name}'
           AND has_schema_privilege(n.oid, 'CREATE')) AS may`,
      )
      return {
        shown: opened.shown,
        schema,
        mayCreate: rows[0]?.may === true,
        user: rows[0]?.user ?? '',
        skewMs,
        tripMs,
      }
    })
  } finally {
    await opened.pool.end()
  }
}
