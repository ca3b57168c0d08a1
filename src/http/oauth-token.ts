import {advice} from '../errors/advice.ts'
import {wordsFor} from '../errors/blame.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Auth} from '../profiles/target.ts'
import {hideKnown} from '../sensitive/hide-known.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Connection, WireRequest, WireResponse} from './attempt.ts'
import {basicCredentials, credentialParts} from './credential-header.ts'
import {errorText} from './error-text.ts'
import {type FetchLimits, fetchWithRetry} from './fetch-with-retry.ts'
import {networkFault} from './network-fault.ts'
import type {Base} from './request-parts.ts'
import {type ReceivedBody, readBody, withoutSecrets} from './response-body.ts'
import {retryAfter} from './retry-rules.ts'
import type {Surroundings} from './send-types.ts'

type ClientCredentials = Extract<Auth, {type: 'oauth2'}>

/** A token counts as expired this long before its time, but at most a tenth of its life earlier. */
const EARLY_MS = 30_000

/**
 * Access tokens of one sender: kept in memory only, and fetched once for all callers that wait, within the limits of the
 * first.
 */
export interface TokenSource {
  /**
   * @throws Failure UNAUTHENTICATED if the endpoint issues no token, otherwise the failure of the request to it.
   * Nothing was sent to the service.
   */
  token(limits: FetchLimits): Promise<Secret>
  /** The service refused this token. The next `token()` fetches another, unless that has already happened. */
  refused(token: Secret): void
}

interface Held {
  readonly token: Secret
  /** When it was fetched, ms since 1970. */
  readonly since: number
  /** Milliseconds since 1970, or undefined if the endpoint doesn't say. */
  readonly until: number | undefined
}

/** Not if the clock was set back meanwhile: how old the token is isn't known then. */
const isFresh = ({since, until}: Held, now: number): boolean =>
  until === undefined || (now >= since && now < until)

/** RFC 6749, 2.3.1: both parts are form-encoded before they go into Basic. */
const formEncode = (text: string): string => new URLSearchParams({'': text}).toString().slice(1)

const noToken = (message: string, status: number): Failure =>
  new Failure('UNAUTHENTICATED', {
    message,
    blame: 'token endpoint',
    hint: advice`Check token URL, client id, client secret and scope. To see them: ${cardctl('profiles', 'show', {value: 'NAME'})}`,
    effect: 'none',
    status,
  })

/** The endpoint does not do its work, whatever the credential. The service was not asked, so it has not failed. */
const noEndpoint = (message: string, status: number): Failure =>
  new Failure('CONNECTION_FAILED', {
    message: `${message} Nothing reached the service.`,
    status,
    effect: 'none',
    blame: 'token endpoint',
    hint: wordsFor('token endpoint').hint,
  })

function readToken({status}: WireResponse, body: ReceivedBody, host: string, now: number): Held {
  const value = (body.kind === 'json' ? body.value : undefined) as
    | {access_token?: unknown; token_type?: unknown; expires_in?: unknown}
    | null
    | undefined
  const {access_token: token, token_type: type, expires_in: seconds} = value ?? {}
  // RFC 6750, 2.1: the characters of a bearer token.
  if (typeof token !== 'string' || !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) {
    const what = body.kind === 'html' ? 'is a web page' : 'has no usable access token'
    throw noEndpoint(`The response of the token endpoint ${host} (${status}) ${what}.`, status)
  }
  if (type !== undefined && (typeof type !== 'string' || type.toLowerCase() !== 'bearer')) {
    throw noToken('The token endpoint returned a token that is not of type Bearer.', status)
  }
  // The standard says a number; some endpoints send text.
  const life = Number(seconds ?? Number.NaN) * 1000
  const until = Number.isFinite(life) && life > 0 ? now + life - Math.min(EARLY_MS, life / 10) : undefined
  return {token: new Secret(token), since: now, until}
}

/** Why a response of the endpoint other than 2xx has no token. */
function refusal({status, headers}: WireResponse, body: ReceivedBody, host: string, now: number): Failure {
  if (status < 400) {
    const to = URL.canParse(headers.location ?? '') ? new URL(headers.location ?? '').host : 'another path'
    return noEndpoint(
      `The token endpoint ${host} redirects to ${to} (${status}); redirects are not followed.`,
      status,
    )
  }
  const {words, problem} = errorText(body, [])
  const named = typeof problem?.error === 'string' && problem.error !== words ? `${problem.error}: ` : ''
  const message = `The token endpoint ${host} returned no token (${status})${words === undefined ? '.' : `: ${named}${words}`}`
  const waitMs = retryAfter(headers, now)
  const more = {
    blame: 'token endpoint' as const,
    ...(problem === undefined ? {} : {problem}),
    ...(waitMs === undefined ? {} : {retryAfter: Math.ceil(waitMs / 1000)}),
  }
  if (status === 429) return new Failure('RATE_LIMITED', {message, status, effect: 'none', ...more})
  if (status >= 500) return noEndpoint(`${message.replace(/\.$/, '')}.`, status).with(more)
  return noToken(message, status).with(more)
}

/** OAuth 2.0 client credentials (RFC 6749, 4.4) with Basic authentication of the client. */
export function createTokenSource(
  auth: ClientCredentials,
  endpoint: Base,
  connect: () => Promise<Connection>,
  surroundings: Surroundings,
): TokenSource {
  let held: Held | undefined
  let fetching: Promise<Held> | undefined

  async function request({timeoutMs}: FetchLimits): Promise<WireRequest> {
    const secret = await auth.clientSecret(timeoutMs)
    const form = new URLSearchParams({grant_type: 'client_credentials'})
    if (auth.scope !== undefined) form.set('scope', auth.scope)
    return {
      origin: endpoint.origin,
      path: endpoint.path,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        authorization: basicCredentials(formEncode(auth.clientId), formEncode(secret.open())).open(),
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': `cardctl/${surroundings.version}`,
      },
      body: Buffer.from(form.toString()),
    }
  }

  async function fetchToken(limits: FetchLimits): Promise<Held> {
    const wire = await request(limits)
    const result = await fetchWithRetry(await connect(), wire, limits, surroundings)
    if (result.kind === 'failed') {
      const fault = networkFault(result.error)
      const blame = fault.blame.startsWith('proxy') ? fault.blame : 'token endpoint'
      throw new Failure(fault.code, {
        message: `No response from the token endpoint ${endpoint.host}: ${fault.reason}. Nothing reached the service.`,
        blame,
        hint: wordsFor(blame).hint,
        effect: 'none',
      })
    }
    const {response: reply} = result
    const body = await readBody(reply)
    if (reply.status < 200 || reply.status >= 300) {
      const secret = (await auth.clientSecret()).open()
      const hide = hideKnown([secret, ...credentialParts(wire.headers.authorization ?? '')])
      throw refusal(reply, withoutSecrets(body, hide), endpoint.host, surroundings.now())
    }
    return readToken(reply, body, endpoint.host, surroundings.now())
  }

  return {
    async token(limits) {
      if (held && isFresh(held, surroundings.now())) return held.token
      fetching ??= fetchToken(limits).finally(() => {
        fetching = undefined
      })
      held = await fetching
      return held.token
    },
    refused(token) {
      if (held?.token === token) held = undefined
    },
  }
}
