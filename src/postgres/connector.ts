import type {ClientBase, Pool, PoolClient} from 'pg'
import {Failure} from '../errors/failure.ts'
import type {DatabaseOptions} from './options.ts'
import {type Host, type Place, placeOf} from './place.ts'
import {ConnectionError, codeOf, isRefused, READ_ONLY, whyUnusable} from './reasons.ts'
import {readTlsFiles, type TlsTexts} from './tls-files.ts'

export const CONNECT_MS = 5_000

/** How long what was read is not read again, ms: a command for each request would be too much. */
const REREAD_MS = 1_000

/** What is refused for so long isn't a change that is going on, ms. */
const REFUSED_MS = 60_000

/** What was read of the options at one moment. */
export interface Reading extends Pick<DatabaseOptions, 'url' | 'ca'> {
  readonly place: Place
  readonly tls: TlsTexts
}

/** @throws Failure INPUT_INVALID */
export async function readPlace({url, ca}: Pick<DatabaseOptions, 'url' | 'ca'>): Promise<Reading> {
  const place = placeOf({url, ...(ca === undefined ? {} : {ca})})
  return {url, ...(ca === undefined ? {} : {ca}), place, tls: await readTlsFiles(place, ca)}
}

const isSame = (one: Reading, other: Reading): boolean =>
  one.url.open() === other.url.open() &&
  (['ca', 'cert', 'key'] as const).every(name => one.tls[name] === other.tls[name])

/** What a pool connects with. The pool looks at it for each new connection. */
export const configOf = ({place, tls}: Reading, {host, port, usesTls}: Host) => ({
  host,
  port,
  user: place.user,
  database: place.database,
  password: place.password,
  ssl: usesTls && {rejectUnauthorized: true, ...tls},
})

/** For the pool: a new connection to a server that only takes reads is closed. */
export const refuseReadOnly =
  (isWritable: () => boolean) =>
  async (client: ClientBase): Promise<void> => {
    if (!isWritable()) return
    const {rows} = await client.query<{transaction_read_only: string}>(SHOW_READ_ONLY)
    if (rows[0]?.transaction_read_only === 'on')
      throw Object.assign(new Error('read-only'), {code: READ_ONLY})
  }

const SHOW_READ_ONLY = {text: 'SHOW transaction_read_only', query_timeout: CONNECT_MS}

/** Gets connections of a pool: to the first host that can be used, and with the password and the files of now. */
export class Connector {
  readonly #pool: Pool
  readonly #options: DatabaseOptions
  #reading: Reading
  /** The host that was used last. */
  #at = 0
  #rereading: Promise<void> | undefined
  #readAt: number
  #refusedSince: number | undefined

  constructor(pool: Pool, options: DatabaseOptions, reading: Reading) {
    this.#pool = pool
    this.#options = options
    this.#reading = reading
    this.#readAt = performance.now()
  }

  get isWritable(): boolean {
    return this.#reading.place.isWritable
  }

  /** @throws the driver's error, or ConnectionError */
  async connect(): Promise<PoolClient> {
    const reading = this.#reading
    try {
      return await this.#connectTo(reading)
    } catch (error) {
      if (!isRefused(error)) throw error
      const why = await this.#rereadAfter(error, reading)
      if (this.#reading !== reading) return this.#connectTo(this.#reading).catch(this.#refuse)
      return this.#refuse(why)
    }
  }

  async #connectTo(reading: Reading): Promise<PoolClient> {
    const {hosts} = reading.place
    const errors: {readonly shown: string; readonly error: unknown}[] = []
    const first = this.#at % hosts.length
    for (let tries = 0; tries < hosts.length; tries++) {
      const at = (first + tries) % hosts.length
      const host = hosts[at]
      if (host === undefined) break
      if (hosts.length > 1) this.#use(reading, host)
      try {
        const client = await this.#pool.connect()
        this.#at = at
        this.#refusedSince = undefined
        return client
      } catch (error) {
        errors.push({shown: host.shown, error})
      }
    }
    throw combined(errors)
  }

  #use(reading: Reading, host: Host): void {
    Object.assign(this.#pool.options, configOf(reading, host))
  }

  /** Others may have read it since. @returns the error, with why it can't be read again. */
  async #rereadAfter(error: unknown, refused: Reading): Promise<unknown> {
    if (this.#reading !== refused) return error
    if (this.#rereading === undefined && performance.now() - this.#readAt < REREAD_MS) return error
    this.#rereading ??= this.#reread().finally(() => {
      this.#readAt = performance.now()
      this.#rereading = undefined
    })
    try {
      await this.#rereading
      return error
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure
      const why = failure.message.replace(/\.$/, '')
      return new ConnectionError(codeOf(error), `${whyUnusable(error)}, and ${why}`, error)
    }
  }

  async #reread(): Promise<void> {
    const {url, ca, reread} = this.#options
    const now = await readPlace(await (reread?.() ?? {url, ...(ca === undefined ? {} : {ca})}))
    if (isSame(now, this.#reading)) return
    this.#reading = now
    this.#at = 0
    const [host] = now.place.hosts
    if (host) this.#use(now, host)
  }

  readonly #refuse = (error: unknown): never => {
    if (isRefused(error)) {
      const now = performance.now()
      this.#refusedSince ??= now
      if (now - this.#refusedSince >= REFUSED_MS) this.#options.onRefused?.(whyUnusable(error))
    }
    throw error
  }
}

/** The error of the only host, or one that names them all. */
function combined(errors: readonly {readonly shown: string; readonly error: unknown}[]): unknown {
  const [first] = errors
  if (errors.length <= 1) return first?.error
  const codes = errors.map(({error}) => codeOf(error))
  const refused = errors.find(({error}) => isRefused(error))
  const code = new Set(codes).size === 1 ? (codes[0] ?? '') : codeOf(refused?.error)
  const why = errors.map(({shown, error}) => `${shown}: ${whyUnusable(error)}`).join('; ')
  return new ConnectionError(code, why, first?.error)
}
