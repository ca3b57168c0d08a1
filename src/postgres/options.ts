import type {Secret} from '../sensitive/secret.ts'

/** How to reach a PostgreSQL database, 14 or newer. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:5432/database`; `?host=/run/postgresql` for a socket; `?sslmode=disable`;
   * `?sslrootcert=PEM`; `?sslcert=PEM&sslkey=PEM` for a client certificate.
   */
  readonly url: Secret
  /** PEM text of the certificate authorities to trust; those of Node.js by default. */
  readonly ca?: string
  /** Maximum number of connections of this process; 4 by default. */
  readonly connections?: number
}
