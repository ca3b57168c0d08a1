import {readFile} from 'node:fs/promises'
import type {ConnectionOptions} from 'node:tls'
import type {Pool, PoolConfig} from 'pg'
import {Failure} from '../errors/failure.ts'
import {reasonOf} from '../errors/system-reason.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import type {DatabaseOptions} from './options.ts'

export type {DatabaseOptions}

/** Options of TLS, and the parameters of the URL that name their PEM files. */
const TLS_FILES = [
  ['ca', 'sslrootcert'],
  ['cert', 'sslcert'],
  ['key', 'sslkey'],
] as const

/** A place without its secrets, for messages: `host:5432/database`. */
interface Place {
  readonly config: Omit<PoolConfig, 'ssl'> & {readonly ssl: false | ConnectionOptions}
  /** Paths of PEM files, by the parameter of the URL that names them. */
  readonly files: Readonly<Record<string, string>>
  readonly shown: string
}

const DEFAULT_PORT = 5432
const CONNECT_MS = 5_000

/**
 * Reads the URL of a database. A server on another machine is reached by TLS with a checked certificate, unless the URL
 * says `sslmode=disable`.
 *
 * @throws Failure INPUT_INVALID; never quotes the URL.
 */
export function placeOf({url: secret, ca}: Pick<DatabaseOptions, 'url' | 'ca'>): Place {
  const url = URL.parse(secret.open().trim())
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw refused('it is not a postgres:// URL with host, database and user')
  }
  const parameters = Object.fromEntries(url.searchParams)
  const {host: socket, sslmode = 'verify-full', sslrootcert: _, sslcert, sslkey, ...others} = parameters
  const [unknown] = Object.keys(others)
  // It is not quoted: a password with a plain ? has its rest there.
  if (unknown !== undefined) {
    throw refused(
      'it has a parameter other than host, sslmode, sslrootcert, sslcert and sslkey; in a password, write ? as %3F',
    )
  }
  if (!/^(disable|require|verify-ca|verify-full)$/.test(sslmode)) {
    throw refused(
      'sslmode takes disable, require, verify-ca or verify-full; all but disable check the certificate',
    )
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) throw refused('sslcert and sslkey need each other')
  const host = socket ?? (url.hostname === '' ? 'localhost' : url.hostname)
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  const user = decoded(url.username)
  const database = decoded(url.pathname.slice(1)) || user
  if (user === '' || database === '') throw refused('it names no user or no database')
  const isLocal = host.startsWith('/') || isLoopback(host)
  const wantsTls = ca !== undefined || Object.keys(parameters).some(name => name.startsWith('ssl'))
  const usesTls = sslmode !== 'disable' && (!isLocal || wantsTls)
  return {
    config: {
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port,
      user,
      database,
      password: decoded(url.password),
      ssl: usesTls && {rejectUnauthorized: true, ...(ca === undefined ? {} : {ca})},
    },
    files: usesTls ? parameters : {},
    shown: `${host}${host.startsWith('/') ? '' : `:${port}`}/${database}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused('it has a % that begins no code such as %3F; write a % itself as %25')
  }
}

const refused = (why: string) =>
  new Failure('INPUT_INVALID', {message: `The URL of the database can't be used: ${why}.`})

/** Reads the files of TLS that a URL names. @throws Failure INPUT_INVALID */
async function readTlsFiles({files}: Place): Promise<ConnectionOptions> {
  const read: ConnectionOptions = {}
  for (const [option, parameter] of TLS_FILES) {
    const path = files[parameter]
    try {
      if (path !== undefined) read[option] = await readFile(path, 'utf8')
    } catch (error) {
      throw refused(`the file of its ${parameter} cannot be read: ${reasonOf(error)}`)
    }
  }
  return read
}

/** Connections to one database, and its name for messages. */
export interface Connections {
  readonly pool: Pool
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
  options: DatabaseOptions,
  user: string,
  answerMs?: number,
): Promise<Connections> {
  const place = placeOf(options)
  const {config, shown} = place
  const tls = await readTlsFiles(place)
  // Loaded on first use: only what is shared needs the driver.
  const {default: pg} = await import('pg')
  const pool = new pg.Pool({
    ...config,
    ssl: config.ssl && {...tls, ...config.ssl},
    max: options.connections ?? 4,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: user,
    keepAlive: true,
    pipeline: true,
    ...(answerMs === undefined ? {} : {query_timeout: answerMs}),
  })
  // A statement reports that its connection broke; the next one gets a new connection.
  pool.on('connect', client => void client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return {pool, shown}
}

const UNKNOWN_AUTHORITY = 'its certificate is from an unknown authority'

/** Reasons by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) or the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'unknown host',
  ENOENT: 'there is no such socket',
  ETIMEDOUT: 'it does not answer',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  '25006': 'it only takes reads, as a standby does',
  // A pooler began to share sessions while connections were open.
  '26000': 'a pooler in between gives each transaction another session',
  '42P05': 'a pooler in between gives each transaction another session',
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '42501': 'the user lacks a permission',
  '42P01': 'its tables are missing',
  '3F000': 'its tables are missing',
  '53100': 'its disk is full',
  '53300': 'it has too many connections',
  '55P03': 'another process holds the lock',
  '57014': 'a statement took too long',
  '57P01': 'it is shutting down',
  '57P03': 'it is starting up or shutting down',
}

/** The SQLSTATE or the system's code; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Whether the database itself said no. Otherwise, the connection broke and nobody knows what it did. */
export const isAnswered = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) && !/^(57P0[1-3]|08)/.test(codeOf(error))

/** Why a database can't be used, in a few words without anything of the statement. */
export function whyUnusable(error: unknown): string {
  const code = codeOf(error)
  if (code !== '') return REASONS[code] ?? code
  // The driver has no codes for these.
  const message = error instanceof Error ? error.message : ''
  if (/timeout/.test(message)) return 'it does not answer'
  return /does not support SSL/.test(message) ? 'it has no TLS' : 'the connection broke'
}

/**
 * For `Schema.unusable`: what an error of a database becomes, without anything of the statement. Returns
 * CONNECTION_FAILED, or a Failure as it is.
 *
 * @param of what the database has, such as `shared jobs`.
 * @param consequence what follows from that, as a sentence.
 */
export const cannotUse =
  ({of, consequence, hint}: {readonly of: string; readonly consequence: string; readonly hint: string}) =>
  (shown: string, error: unknown): Failure =>
    error instanceof Failure
      ? error
      : new Failure('CONNECTION_FAILED', {
          message: `Can't use the database of ${of}, ${shown}: ${whyUnusable(error)}. ${consequence}`,
          hint,
          effect: 'none',
          cause: error,
        })
