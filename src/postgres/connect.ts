import type {Client, Pool, PoolClient, QueryResultRow} from 'pg'
import {Failure} from '../errors/failure.ts'
import {CONNECT_MS, Connector, configOf, readPlace, refuseReadOnly} from './connector.ts'
import type {SharedDatabase} from './options.ts'
import {ConnectionError, codeOf, whyUnusable} from './reasons.ts'

/** Connections to one database, and its name for messages. */
export interface Connections extends Pick<SharedDatabase, 'tellHeld'> {
  readonly pool: Pool
  /** A connection of the pool; `pool.connect()` would not look for another host, nor for a new password. */
  connect(): Promise<PoolClient>
  /** One statement on a connection of its own, for when statements hold those of the pool. */
  aside<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]>
  /** `host:5432/database`. */
  readonly shown: string
}

/**
 * Connects on first use.
 *
 * @param user what the server shows as the name of the program: `cardctl sandbox`.
 * @param answerMs how long to wait for the answer to a statement, ms; any time by default. The server limits statements
 * itself, but not if it is frozen or the network is cut. The connection is closed then.
 * @throws Failure INPUT_INVALID
 */
export async function connections(
  options: SharedDatabase,
  user: string,
  answerMs?: number,
): Promise<Connections> {
  const reading = await readPlace(options)
  const [host] = reading.place.hosts
  if (host === undefined) throw new Error('the URL of a database names no host')
  // Loaded on first use: only what is shared needs the driver.
  const {default: pg} = await import('pg')
  const pool: Pool = new pg.Pool({
    ...configOf(reading, host),
    max: options.connections ?? 4,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: user,
    keepAlive: true,
    pipeline: true,
    onConnect: refuseReadOnly(() => connector.isWritable),
    ...(answerMs === undefined ? {} : {query_timeout: answerMs}),
  })
  const connector = new Connector(pool, options, reading)
  // A statement reports that its connection broke; the next one gets a new connection.
  pool.on('connect', client => void client.on('error', () => undefined))
  pool.on('error', () => undefined)
  const aside: Connections['aside'] = async (text, values) => {
    const client = new pg.Client({
      ...pool.options,
      password: pool.options.password,
      query_timeout: CONNECT_MS,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const {rows} = await client.query(text, [...values])
      return rows
    } finally {
      await client.end()
    }
  }
  // The driver would wait for the statements that are under way, and so for a lock or a server that is frozen.
  const connect = async (): Promise<PoolClient> => {
    const client = await connector.connect().catch((error: unknown) => {
      throw error instanceof Failure
        ? error
        : new ConnectionError(codeOf(error), whyUnusable(error), error, options.kept)
    })
    const {release} = client
    client.release = close => {
      if (close) (client as unknown as Pick<Client, 'connection'>).connection.stream.destroy()
      release(close)
    }
    return client
  }
  const {tellHeld} = options
  const {shown} = reading.place
  return {pool, connect, aside, shown, ...(tellHeld && {tellHeld})}
}
