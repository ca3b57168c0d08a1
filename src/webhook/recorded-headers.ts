import {authHeader, type CallCredentials} from '../network/call-credentials.ts'
import {maskHeaders} from '../sensitive/mask-request.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'

/** Headers as they may be kept and shown. node:http has put their names in lower case. */
export type RecordedHeaders = Readonly<Record<string, string>>

/** Headers as node:http has them. */
type Received = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Headers whose value is kept. A credential may come under any name, so the value of every other header is masked.
 * Those of HTTP (RFC 9110, RFC 9111, RFC 9112, the Fetch standard), proxies, tracing and rate limits, and those that
 * cardctl sends.
 */
const KNOWN = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges age allow alt-svc alt-used cache-control
  cache-status cdn-cache-control clear-site-data connection content-disposition content-encoding content-language
  content-length content-location content-range content-security-policy content-type date dnt early-data etag expect
  expires forwarded host http2-settings if-match if-modified-since if-none-match if-range if-unmodified-since
  keep-alive last-modified link location max-forwards origin permissions-policy pragma priority proxy-connection
  proxy-status range ratelimit ratelimit-policy referer referrer-policy retry-after server server-timing
  strict-transport-security te trailer transfer-encoding upgrade upgrade-insecure-requests user-agent vary via warning
  www-authenticate x-content-type-options x-dns-prefetch-control x-forwarded-for x-forwarded-host x-forwarded-port
  x-forwarded-proto x-forwarded-scheme x-frame-options x-original-host x-permitted-cross-domain-policies x-powered-by
  x-real-ip x-request-start x-response-time x-runtime x-scheme x-ua-compatible x-xss-protection
  amazon-route53-health-check-id apigw-requestid b3 cf-ipcountry cf-ray cf-visitor fly-region grpc-trace-bin
  newrelic request-context request-id sentry-trace traceparent traceresponse tracestate uber-trace-id
  x-amz-cf-id x-amz-cf-pop x-amzn-requestid x-amzn-trace-id x-azure-ref x-cache x-cache-hits x-cloud-trace-context
  x-correlation-id x-ms-request-id x-request-id x-served-by x-timer x-vercel-id
  idempotency-key webhook-id webhook-timestamp x-idempotency-key x-signature-timestamp x-warmup`.split(/\s+/),
)
const KNOWN_FAMILY =
  /^(?:access-control-(?:allow|expose|max|request)-[a-z-]+|sec-(?:ch-ua|fetch)[a-z-]*|x-b3-[a-z]+|x-datadog-[a-z-]+|(?:x-)?rate-?limit-[a-z-]+|[a-z0-9-]+-(?:correlation|request|span|trace)-id)$/

/** Masks headers for the recording: all but the known ones, and those of these credentials and with one of the secrets. */
export function headerMasker({auth, signature}: CallCredentials): (headers: Received) => RecordedHeaders {
  const own = auth && authHeader(auth)
  const sensitive = [...(own ? [own.name] : []), ...(signature ? [signature.header] : [])]
  const names = new Set(sensitive.map(name => name.toLowerCase()))
  const secrets = own ? [own.value.open(), ...wordOf(auth)].filter(({length}) => length >= SHORTEST) : []
  return headers => {
    const masked = maskHeaders(headers)
    const shown: [string, string][] = []
    for (const [name, value] of Object.entries(masked)) {
      const lower = name.toLowerCase()
      const isKnown = KNOWN.has(lower) || KNOWN_FAMILY.test(lower)
      const isSecret = !isKnown || names.has(lower) || secrets.some(secret => value.includes(secret))
      // A name is text from outside, too.
      shown.push([maskText(name), isSecret ? MASK : value])
    }
    return Object.fromEntries(shown)
  }
}

/** A shorter text is in many headers. */
const SHORTEST = 4

/** The secret inside the header, if a caller may put it elsewhere on its own. */
function wordOf(auth: CallCredentials['auth']): readonly string[] {
  if (auth?.type === 'basic') return [auth.password.open()]
  return auth?.type === 'bearer' ? [auth.token.open()] : []
}
