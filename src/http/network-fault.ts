import type {PeerCertificate} from 'node:tls'
import type {Blame} from '../errors/blame.ts'
import type {ErrorCode} from '../errors/registry.ts'

/** The time limit for all attempts together has passed. */
export class DeadlinePassed extends Error {
  readonly code = 'DEADLINE_PASSED'
}

/** A fault between cardctl and a proxy, or one that a proxy reported. */
export class ProxyFault extends Error {
  /** undici looks for it there. */
  readonly code: string
  /** Host, port and variable of the proxy. */
  readonly proxy: string
  /** Its URL has a user and a password. */
  readonly hasCredential: boolean

  constructor({words, hasCredential}: {words: string; hasCredential: boolean}, cause: Error) {
    super(cause.message, {cause})
    this.proxy = words
    this.hasCredential = hasCredential
    this.code = codeOf(cause)
  }
}

export interface NetworkFault {
  readonly code: ErrorCode
  readonly blame: Blame
  /** Completes "No connection to HOST: …". Quotes nothing that came over the network. */
  readonly reason: string
  /** May pass by itself within seconds. */
  readonly passing: boolean
  /**
   * The service certainly never read the request, even if bytes had left: the TLS handshake failed, or the proxy
   * refused it.
   */
  readonly unread: boolean
}

const TIMEOUTS = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'DEADLINE_PASSED',
])

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  EPIPE: 'the connection was closed (EPIPE)',
  ENOTFOUND: 'the host name is not known (ENOTFOUND)',
  EAI_AGAIN: 'the host name could not be looked up now (EAI_AGAIN)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ENETUNREACH: 'the network cannot be reached (ENETUNREACH)',
  ETIMEDOUT: 'no connection in time (ETIMEDOUT)',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_SOCKET: 'the other side closed the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response was cut off',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too large',
  UND_ERR_DESTROYED: 'the sender was closed',
  UND_ERR_CLOSED: 'the sender was closed',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  DEADLINE_PASSED: 'no response in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in an unknown CA (SELF_SIGNED_CERT_IN_CHAIN)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate was issued by an unknown CA (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate was issued by an unknown CA (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)',
  INVALID_PURPOSE: 'the certificate is not a server certificate (INVALID_PURPOSE)',
  CERT_HAS_EXPIRED: 'the certificate has expired (CERT_HAS_EXPIRED)',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet (CERT_NOT_YET_VALID)',
}

/** The codes that are told apart. */
export const networkCodes: readonly string[] = [...Object.keys(REASONS), 'ERR_TLS_CERT_ALTNAME_INVALID']

/** Retrying won't help: a wrong name or setting. */
const LASTING = new Set([
  'ENOTFOUND',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  'DEADLINE_PASSED',
  'UND_ERR_INVALID_ARG',
  'ERR_INVALID_ARG_VALUE',
])

const CERTIFICATE =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UND_ERR_PRX_TLS$|EPROTO$|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)|SELF_SIGNED|UNABLE_TO_/

/**
 * Alerts with which a server ends the handshake because of the client certificate. In TLS 1.3 the client considers the
 * handshake done before the server has looked at the certificate, so these come after the request was written. A server
 * passes nothing to its application before its own side of the handshake is done (RFC 8446, 4.4.2.4 and 6.2).
 */
const HANDSHAKE_ALERT =
  /^ERR_SSL_(?:SSL\/TLS|SSLV3|TLSV1|TLSV13)_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REQUIRED|REVOKED|UNKNOWN)|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const {code, cause, errors} = error as {code?: unknown; cause?: unknown; errors?: unknown}
  if (typeof code === 'string' && code !== 'UND_ERR_PRX_CONN') return code
  // Several addresses were tried: the first error represents all.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return typeof code === 'string' ? code : codeOf(cause)
}

/** The proxy refused the CONNECT or a forwarded request. */
function proxyStatus(error: Error): string | undefined {
  return /^Proxy (?:response \((\d{3})\)|Authentication Required \((407)\))/
    .exec(error.message)
    ?.slice(1)
    .find(Boolean)
}

/** Whether a proxy refused, or closed its connection. */
export const isProxyRefusal = (error: Error): boolean =>
  !(error instanceof ProxyFault) && (proxyStatus(error) !== undefined || /^UND_ERR_PRX_/.test(codeOf(error)))

/** Finds the proxy fault inside an error: undici may have wrapped it. */
function proxyFault(error: unknown): ProxyFault | undefined {
  if (error instanceof ProxyFault) return error
  return error instanceof Error && error.cause !== undefined ? proxyFault(error.cause) : undefined
}

/** What a network error means for a person and for the request. */
export function networkFault(error: Error): NetworkFault {
  const proxy = proxyFault(error)
  return proxy === undefined ? faultOf(error) : faultOf(innermost(proxy), proxy)
}

/** @param proxy whose fault it is. */
function faultOf(error: Error, proxy?: ProxyFault): NetworkFault {
  const named = proxy === undefined ? 'the proxy' : `the proxy ${proxy.proxy}`
  const refusal = proxyStatus(error)
  if (refusal === '407') return wrongCredential(named, proxy?.hasCredential === true)
  if (refusal !== undefined) {
    const reason = `${named} refused the connection (${refusal})`
    return {code: 'CONNECTION_FAILED', blame: 'proxy', reason, passing: false, unread: false}
  }
  const code = codeOf(error)
  const blamed = (reason: string): string => {
    if (proxy === undefined) return reason
    // TLS names a server by its host name, never by an address (RFC 6066, 3).
    const isByNumber = code === 'ERR_INVALID_ARG_VALUE'
    return `${named} cannot be used: ${isByNumber ? 'an https: proxy must be named by its host name' : reason}`
  }
  const own = blameOf(code)
  const known = own === 'certificate name' ? otherName(error) : REASONS[code]
  const blame = proxy === undefined ? own : 'proxy'
  if (CERTIFICATE.test(code)) {
    const reason = blamed(known ?? `the TLS handshake failed (${code})`)
    return {code: 'TLS_FAILED', blame, reason, passing: false, unread: HANDSHAKE_ALERT.test(code)}
  }
  // The parser's codes (HPE_…) say what is wrong with the response; the message may quote it.
  const garbled = code.startsWith('HPE_') ? `the response is not HTTP (${code})` : undefined
  const reason =
    known ?? garbled ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`)
  return {
    code: TIMEOUTS.has(code) ? 'TIMED_OUT' : 'CONNECTION_FAILED',
    blame,
    reason: blamed(reason),
    passing: !LASTING.has(code),
    unread: false,
  }
}

/** What responds with 407 wants credentials, or does not accept those that it got. */
function wrongCredential(proxy: string, wasSent: boolean): NetworkFault {
  return {
    code: 'CONNECTION_FAILED',
    blame: 'proxy credential',
    reason: wasSent
      ? `${proxy} does not accept the user and password that its URL has (407)`
      : `${proxy} requires a user and password (407): write USER:PASSWORD@ before its host`,
    passing: false,
    unread: true,
  }
}

function blameOf(code: string): Blame {
  if (code === 'ENOTFOUND') return 'name'
  if (code === 'EAI_AGAIN') return 'name server'
  if (code === OTHER_NAME || code === 'HOSTNAME_MISMATCH') return 'certificate name'
  if (HANDSHAKE_ALERT.test(code)) return 'client certificate'
  if (/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) return 'certificate time'
  if (/SELF_SIGNED|UNABLE_TO_|^CERT_|^INVALID_CA$/.test(code)) return 'CA'
  if (CERTIFICATE.test(code)) return 'tls'
  return TIMEOUTS.has(code) ? 'slow' : 'network'
}

const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

/** The names of a certificate that are told. */
const MOST_NAMES = 3

/** Which names the certificate has instead. They come from the network: only what can be a host name is shown. */
function otherName(error: unknown): string {
  const cert = certificateIn(error)
  const names = (cert?.subjectaltname ?? '')
    .split(', ')
    .map(name => name.replace(/^(?:DNS|IP Address):/, ''))
    .filter(name => /^[\w*.:-]{1,100}$/.test(name))
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  const its = names.length === 0 ? '' : `, it has ${names.slice(0, MOST_NAMES).join(', ')}${more}`
  return `the certificate belongs to another host name${its} (${OTHER_NAME})`
}

function certificateIn(error: unknown): Partial<PeerCertificate> | undefined {
  if (!(error instanceof Error)) return undefined
  const {cert, cause, errors} = error as Error & {
    cert?: Partial<PeerCertificate>
    errors?: readonly unknown[]
  }
  return cert ?? certificateIn(errors?.[0] ?? cause)
}

/** Unwraps the error inside a proxy fault. */
function innermost({cause}: ProxyFault): Error {
  if (cause instanceof ProxyFault) return innermost(cause)
  const isWrapper = cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_PRX_TLS'
  if (isWrapper && cause.cause instanceof ProxyFault) return innermost(cause.cause)
  if (isWrapper && cause.cause instanceof Error) return cause.cause
  return cause instanceof Error ? cause : new Error('The proxy failed')
}
