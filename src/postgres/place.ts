import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../network/check-url.ts'
import type {DatabaseOptions} from './options.ts'

/** One server that a URL names. */
export interface Host {
  readonly host: string
  readonly port: number
  /** Whether the connection is encrypted, and its certificate checked. */
  readonly usesTls: boolean
  /** `host:5432`, or the folder of a socket. */
  readonly shown: string
}

/** What the URL of a database says. */
export interface Place {
  /** In the order in which they are tried. */
  readonly hosts: readonly Host[]
  readonly user: string
  readonly database: string
  readonly password: string
  /** Whether a server that only takes reads is passed over. */
  readonly isWritable: boolean
  /** Paths of PEM files, by the parameter of the URL that names them. */
  readonly files: Readonly<Record<string, string>>
  /** Without its secrets, for messages: `host:5432/database`. */
  readonly shown: string
}

const DEFAULT_PORT = 5432
const PARAMETERS = 'host, sslmode, sslrootcert, sslcert, sslkey and target_session_attrs'

/**
 * Reads the URL of a database. A server on another machine is reached by TLS with a checked certificate, unless the URL
 * says `sslmode=disable`.
 *
 * @throws Failure INPUT_INVALID; never quotes the URL.
 */
export function placeOf({url: secret, ca}: Pick<DatabaseOptions, 'url' | 'ca'>): Place {
  const urls = urlsOf(secret.open().trim())
  const [url] = urls
  const parameters = Object.fromEntries(url.searchParams)
  const {
    host: sockets,
    sslmode = 'verify-full',
    sslrootcert: _,
    sslcert,
    sslkey,
    target_session_attrs: wanted = urls.length > 1 || sockets?.includes(',') ? 'read-write' : 'any',
    ...others
  } = parameters
  const [unknown] = Object.keys(others)
  // It is not quoted: a password with a plain ? has its rest there.
  if (unknown !== undefined) {
    throw refused(`it has a parameter other than ${PARAMETERS}; in a password, write ? as %3F`)
  }
  if (!/^(disable|require|verify-ca|verify-full)$/.test(sslmode)) {
    throw refused(
      'sslmode takes disable, require, verify-ca or verify-full; all but disable check the certificate',
    )
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) throw refused('sslcert and sslkey need each other')
  if (!/^(any|read-write|primary)$/.test(wanted)) {
    throw refused('target_session_attrs takes any, read-write or primary; cardctl writes to the database')
  }
  const user = decoded(url.username)
  const database = decoded(url.pathname.slice(1)) || user
  if (user === '' || database === '') throw refused('it names no user or no database')
  const wantsTls = ca !== undefined || Object.keys(parameters).some(name => name.startsWith('ssl'))
  const hosts = hostsOf(urls, sockets).map(({host, port}) => {
    const isSocket = host.startsWith('/')
    const isLocal = isSocket || isLoopback(host)
    return {
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port,
      usesTls: sslmode !== 'disable' && (!isLocal || wantsTls),
      shown: `${host}${isSocket ? '' : `:${port}`}`,
    }
  })
  return {
    hosts,
    user,
    database,
    password: decoded(url.password),
    isWritable: wanted !== 'any',
    files: hosts.some(({usesTls}) => usesTls) ? parameters : {},
    shown: `${hosts.map(({shown}) => shown).join(',')}/${database}`,
  }
}

/** One URL for each host: `postgres://user@one:5432,two:5433/database`. They differ in host and port. */
function urlsOf(text: string): readonly [URL, ...URL[]] {
  const [, scheme = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? []
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const hosts = authority.slice(user.length).split(',')
  const [first, ...others] = hosts.map(host => URL.parse(`${scheme}${user}${host}${rest}`))
  if (scheme === '' || !first || others.some(url => !url?.hostname)) {
    throw refused('it is not a postgres:// URL with host, database and user')
  }
  return [first, ...others.filter(url => url !== null)]
}

/** @param sockets of the parameter `host`: folders of sockets, or hosts, with commas between them. */
function hostsOf(urls: readonly [URL, ...URL[]], sockets: string | undefined) {
  const portOf = ({port}: URL) => (port === '' ? DEFAULT_PORT : Number(port))
  if (sockets !== undefined) return sockets.split(',').map(host => ({host, port: portOf(urls[0])}))
  return urls.map(url => ({host: url.hostname === '' ? 'localhost' : url.hostname, port: portOf(url)}))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused('it has a % that begins no code such as %3F; write a % itself as %25')
  }
}

/** @param why as a clause, without anything of the URL. */
export const refused = (why: string): Failure =>
  new Failure('INPUT_INVALID', {message: `The URL of the database can't be used: ${why}.`})
