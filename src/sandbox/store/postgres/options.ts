import type {DatabaseOptions} from '../../../postgres/options.ts'

/** The database of a sandbox. */
export interface PostgresOptions extends DatabaseOptions {
  /** Name of the tenant whose data it is; `default` by default. */
  readonly tenant?: string
  /** Time limit of a statement, ms; 10,000 by default. */
  readonly statementMs?: number
  /** How long to wait for the lock of another process, ms; 5,000 by default. */
  readonly lockMs?: number
}
