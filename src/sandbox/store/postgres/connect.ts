import {Failure} from '../../../errors/failure.ts'
import {type Connections, connections as open} from '../../../postgres/connect.ts'
import {codeOf, READ_ONLY, whyUnusable} from '../../../postgres/reasons.ts'
import type {PostgresOptions} from './options.ts'

export type {PostgresOptions}

export const STATEMENT_MS = 10_000
/** How much longer than a statement may take to wait for its answer. */
const LATE_MS = 5_000

/** Connects on first use. @throws Failure INPUT_INVALID */
export const connections = (options: PostgresOptions): Promise<Connections> =>
  open(options, 'cardctl sandbox')

/** The same for a server, which must not wait forever for a database that is frozen or cut off. */
export const servingConnections = (options: PostgresOptions): Promise<Connections> =>
  open(options, 'cardctl sandbox', (options.statementMs ?? STATEMENT_MS) + LATE_MS)

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Failure && codeOf(error.details.cause) === '55P03'

/** Whether a statement may have waited for a lock until it was cancelled. */
export const mayBeHeld = (error: unknown): boolean =>
  isLockTimeout(error) || (error instanceof Failure && codeOf(error.details.cause) === '57014')

/** @returns STORE_UNAVAILABLE, without anything of the statement: it may hold card data. */
export function storeUnavailable(shown: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const why = whyUnusable(error)
  const tables = why === 'its tables are missing' ? '; run sandbox store migrate' : ''
  return new Failure('STORE_UNAVAILABLE', {
    message: `Can't use the database ${shown}: ${why}${tables}.`,
    hint:
      codeOf(error) === READ_ONLY
        ? 'Name the server that takes writes in the URL of --store, or all of them: postgres://host1,host2/database'
        : 'Check the database server and the URL of --store.',
    blame: 'database',
    cause: error,
  })
}
