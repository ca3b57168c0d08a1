import type {Secret} from '../sensitive/secret.ts'

/** How to reach a PostgreSQL database, 14 or newer. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:5432/database`; `host1:5432,host2:5432` for several, of which the first that takes
   * writes is used; `?host=/run/postgresql` for a socket; `?sslmode=disable`; `?sslrootcert=PEM`;
   * `?sslcert=PEM&sslkey=PEM` for a client certificate.
   */
  readonly url: Secret
  /** PEM text of the certificate authorities to trust; those of Node.js by default. */
  readonly ca?: string
  /** Maximum number of connections of this process; 4 by default. */
  readonly connections?: number
  /**
   * Reads the URL and the authorities again, after the server has refused them: passwords and certificates change. Without
   * it, only the files that the URL names are read again.
   */
  readonly reread?: () => Promise<Pick<DatabaseOptions, 'url' | 'ca'>>
  /**
   * Called with the reason, as a clause, once the server has refused user, password or certificate for a minute. Only a
   * process that is started again may get other ones.
   */
  readonly onRefused?: (why: string) => void
}

/** A database that commands share, whose statements are short. */
export interface SharedDatabase extends DatabaseOptions {
  /** Where the URL is set, which errors name: `env:TEAM_URL (teamStore of the profile prod)`. */
  readonly kept?: string
  /** Called when a statement gets no response, with who holds what it waits for. Call the result when it is over. */
  readonly tellHeld?: (why: string) => () => void
}
