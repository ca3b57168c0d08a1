import type {Pause} from '../../journal/pace.ts'
import {connections} from '../../postgres/connect.ts'
import {schemaState} from '../../postgres/migrate.ts'
import type {DatabaseOptions} from '../../postgres/options.ts'
import {query} from '../../postgres/query.ts'
import {type AskPause, readPause} from './read-pause.ts'
import {PACE_SCHEMA} from './schema.ts'
import {paceSchema} from './shared-pace.ts'

/** How long to wait for a response of the database. */
const RESPONSE_MS = 5_000

export interface SharedPause {
  readonly now: Pause | undefined
  /** Ends it for all machines. */
  clear(): Promise<void>
}

/**
 * Looks at the pause that machines share by a database.
 *
 * @param now ms since 1970
 * @throws Failure INPUT_INVALID for the URL; CONNECTION_FAILED if the database can't be used
 */
export async function withSharedPause<T>(
  {database, service, now}: {database: DatabaseOptions; service: string; now(): number},
  use: (pause: SharedPause) => Promise<T>,
): Promise<T> {
  const opened = await connections({...database, connections: 1}, 'cardctl rate')
  const ask: AskPause = (text, values) => query(opened, text, values, RESPONSE_MS)
  try {
    const {version} = await schemaState(opened, paceSchema)
    return await use({
      now: version === 0 ? undefined : await readPause(ask, service, now),
      clear: async () => {
        await ask(
          `UPDATE ${PACE_SCHEMA}.services SET blocked_until = clock_timestamp() WHERE name = $1 AND blocked_until > clock_timestamp()`,
          [service],
        )
      },
    })
  } finally {
    await opened.pool.end()
  }
}
