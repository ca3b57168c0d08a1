import {X509Certificate} from 'node:crypto'
import {once} from 'node:events'
import {isIP} from 'node:net'
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  type DetailedPeerCertificate,
  type TLSSocket,
} from 'node:tls'
import {cardctl} from '../errors/suggested-command.ts'
import {broken, doubtful, type Finding, fine} from './finding.ts'
import {faultOf, type NetworkOptions, type NetworkPath, socketTo, within} from './network-path.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A warning this early leaves time to renew the certificate before its last weekend. */
const SOON_DAYS = 30

export interface TrustOptions extends NetworkOptions {
  /** The authorities that requests trust. Default: Node's own list. */
  readonly ca?: readonly string[] | undefined
  /** Whether the profile has its own authority. */
  readonly hasOwnCa: boolean
  /** For hints: the profile to add an authority to. */
  readonly profile: string
  /** The client certificate and key, in case the service asks for one. */
  readonly client?: (() => Promise<{readonly cert: string; readonly key: string}>) | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Examines the handshake and the server's certificate: protocol, names, chain, expiry. Sends nothing on the connection
 * and presents no client certificate, so that it can examine a server that isn't trusted.
 */
export async function certificateFinding(way: NetworkPath, options: TrustOptions): Promise<Finding> {
  const {host, hostname} = way.url
  if (way.url.protocol === 'http:') return fine('none: the address is http:', {facts: {host}})
  let socket: TLSSocket | undefined
  try {
    const name = hostname.replace(/^\[(.+)\]$/, '$1')
    socket = await handshake(way, name, options).catch(async (error: unknown) => {
      const {client} = options
      if (client === undefined || !wantsOurs(error)) throw error
      // Present the client certificate only to a server that proved its identity.
      return handshake(way, name, options, {...(await client()), rejectUnauthorized: true})
    })
    return judged(socket, way, options)
  } catch (error) {
    const {code, reason, advice: known} = faultOf(error, options)
    if (known !== undefined) return broken(code, `${host}: ${reason}`, known, {facts: {host}})
    const advice =
      code === 'TIMED_OUT'
        ? 'Something takes connections there and does not speak TLS; check the port.'
        : 'Check that the port is one for https:, and what proxies on the way do with TLS.'
    return broken(code === 'CONNECTION_FAILED' ? 'TLS_FAILED' : code, `${host}: ${reason}`, advice, {
      facts: {host},
    })
  } finally {
    socket?.destroy()
  }
}

/** Before TLS 1.3, a server that requires a client certificate ends the handshake if it gets none. */
const wantsOurs = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /ALERT/.test(String(error.code))

async function handshake(
  way: NetworkPath,
  host: string,
  options: TrustOptions,
  // The caller decides what to trust; no data is exchanged.
  more: ConnectionOptions = {rejectUnauthorized: false, checkServerIdentity: () => undefined},
): Promise<TLSSocket> {
  const {ca} = options
  const secured = connect({
    socket: await socketTo(way, options),
    ...(isIP(host) === 0 ? {servername: host} : {}),
    ...(ca === undefined ? {} : {ca: [...ca]}),
    ...more,
  })
  try {
    await within(options, once(secured, 'secureConnect'))
    return secured
  } catch (error) {
    secured.destroy()
    throw error
  }
}

function judged(socket: TLSSocket, {url}: NetworkPath, options: TrustOptions): Finding {
  const {now, hasOwnCa, profile} = options
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const certificate = socket.getPeerCertificate(true)
  const chain = chainOf(certificate)
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS)
  const isEarly = Date.parse(certificate.valid_from) > now
  const names = namesOf(certificate)
  const isOther = checkServerIdentity(host, certificate) !== undefined
  const untrusted = socket.authorized ? undefined : String(socket.authorizationError)
  const isUnknown = untrusted !== undefined && !/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(untrusted)
  const protocol = socket.getProtocol() ?? ''
  const facts = {
    host: url.host,
    protocol,
    names,
    chain,
    validFrom: isoOf(certificate.valid_from),
    validTo: isoOf(certificate.valid_to),
    expiresInDays: days,
    ownCa: hasOwnCa,
    ...(untrusted === undefined ? {} : {reason: untrusted}),
  }
  const faults = [
    ...(days < 0 ? [`the certificate expired ${counted(-days)} ago`] : []),
    ...(isEarly ? [`the certificate is valid from ${isoOf(certificate.valid_from).slice(0, 10)} only`] : []),
    ...(isOther ? [`the certificate is for ${shortList(names)}, not for ${host}`] : []),
    ...(isUnknown ? [unknownWords(untrusted, chain)] : []),
  ]
  if (faults.length > 0) {
    const advice = [
      ...(days < 0 || isEarly ? ['Compare the clock of this machine; else the service must renew it.'] : []),
      ...(isOther ? ['Check the host name of the profile, and whether a proxy responds in its place.'] : []),
      ...(isUnknown ? [caAdvice(hasOwnCa, profile)] : []),
    ]
    return broken('TLS_FAILED', faults.join('; '), advice.join(' '), {facts})
  }
  const by = hasOwnCa ? `${chain.at(-1)} (CA of the profile, or of the system)` : chain.at(-1)
  const words = `${protocol}, ${shortList(names)}, issued by ${by}, expires in ${counted(days)}`
  return days < SOON_DAYS
    ? doubtful(words, 'Ask the service when it renews its certificate.', {facts})
    : fine(words, {facts})
}

const unknownWords = (reason: string, chain: readonly string[]): string =>
  chain.length < 2
    ? `the certificate is self-signed (${reason})`
    : `its issuer ${chain.at(-1)} is not trusted (${reason})`

const caAdvice = (hasOwnCa: boolean, profile: string): string =>
  hasOwnCa
    ? 'The CA of the profile did not sign it: ask the service for the right one.'
    : `If it is the service's own CA, get its certificate by a safe way: ${cardctl('profiles', 'edit', {value: profile}, '--ca', {value: 'FILE'})}`

/** The names in the certificate chain, from the server to the authority. */
function chainOf(certificate: DetailedPeerCertificate): readonly string[] {
  const seen = new Set<string>()
  const names: string[] = []
  for (let at = certificate; at?.fingerprint256 && !seen.has(at.fingerprint256); at = at.issuerCertificate) {
    seen.add(at.fingerprint256)
    names.push(nameOf(at.subject))
    if (at.issuerCertificate === undefined) names.push(nameOf(at.issuer))
  }
  return names
}

function nameOf(subject: DetailedPeerCertificate['subject'] | undefined): string {
  const name = subject?.CN ?? subject?.O ?? subject?.OU
  return [name ?? 'no name'].flat().join(', ')
}

const namesOf = ({subjectaltname, subject}: DetailedPeerCertificate): readonly string[] => {
  const names = (subjectaltname ?? '').split(', ').map(name => name.replace(/^(?:DNS|IP Address):/, ''))
  return names.some(name => name !== '') ? names : [nameOf(subject)]
}

const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} …`

const counted = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

const isoOf = (date: string): string => {
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : new Date(time).toISOString()
}

/** When the certificates of a profile's PEM text expire. @param what `client certificate`, `CA` */
export function ownCertificates(what: string, pem: string, now: number): Finding {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const ends = blocks.map(block => Date.parse(new X509Certificate(block).validTo))
  const first = Math.min(...ends)
  const days = Math.floor((first - now) / DAY_MS)
  const facts = {count: ends.length, validTo: new Date(first).toISOString(), expiresInDays: days}
  const advice = `Replace the file of the ${what}.`
  if (days < 0) return broken('TLS_FAILED', `the ${what} expired ${-days} days ago`, advice, {facts})
  const words = `the ${what} expires in ${days} days`
  return days < SOON_DAYS ? doubtful(words, advice, {facts}) : fine(words, {facts})
}
