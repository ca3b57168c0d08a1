import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Connection} from './attempt.ts'
import {basicCredentials, headerName, headerValue} from './credential-header.ts'
import type {FetchLimits} from './fetch-with-retry.ts'
import {createTokenSource} from './oauth-token.ts'
import {parseEndpoint} from './request-parts.ts'
import type {BuiltRequest, Surroundings} from './send-types.ts'

export interface Credential {
  readonly name: string
  readonly value: Secret
  /** Tells the source that the service refused it (401). Only for sources that can fetch another. */
  readonly refuse?: () => void
}

/** Adds the profile's credentials to requests. */
export interface Authenticator {
  /** Lower-case name of the header that it sets, or undefined. */
  readonly header: string | undefined
  /**
   * The header for a request to `host`. The limits are for what is fetched for it.
   *
   * @throws Failure PROFILE_INVALID if the credentials aren't meant for that host; SECRET_MISSING; for OAuth 2.0 also
   * the failures of the token endpoint.
   */
  credential(host: string, limits: FetchLimits): Promise<Credential | undefined>
}

type Connect = (origin: string) => Promise<Connection>

export function createAuthenticator(
  target: Target,
  connect: Connect,
  surroundings: Surroundings,
): Authenticator {
  const {auth} = target
  type Read = (limitMs: number | undefined) => Promise<Secret>
  const fixed = (name: string, read: Read): Authenticator => ({
    header: name,
    async credential(host, {timeoutMs}) {
      guardHost(target, host)
      return {name, value: await read(timeoutMs)}
    },
  })
  switch (auth.type) {
    case 'none':
      return {header: undefined, credential: async () => undefined}
    case 'basic':
      return fixed('authorization', async limitMs =>
        basicCredentials(auth.user, (await auth.password(limitMs)).open()),
      )
    case 'bearer':
      return fixed('authorization', async limitMs => {
        const token = headerValue(await auth.token(limitMs), 'The bearer token')
        return new Secret(`Bearer ${token.open()}`)
      })
    case 'header': {
      const name = headerName(auth.name)
      return fixed(name, async limitMs =>
        headerValue(await auth.value(limitMs), `The value of the header ${name}`),
      )
    }
    case 'oauth2': {
      const endpoint = parseEndpoint(auth.tokenUrl, 'The token URL', target.allowInsecure)
      const tokens = createTokenSource(auth, endpoint, () => connect(endpoint.origin), surroundings)
      return {
        header: 'authorization',
        async credential(host, limits) {
          guardHost(target, host)
          const token = await tokens.token(limits)
          return {
            name: 'authorization',
            value: new Secret(`Bearer ${token.open()}`),
            refuse: () => tokens.refused(token),
          }
        },
      }
    }
  }
}

/**
 * Refuses before a credential would go to a host that it is not meant for, for example after only the base URL was
 * overridden.
 *
 * @throws Failure PROFILE_INVALID
 */
export function guardHost(
  target: Pick<Target, 'name' | 'hosts'>,
  host: string,
  what: 'The credentials' | 'The headers' = 'The credentials',
): void {
  if (target.hosts.includes(host.toLowerCase())) return
  throw new Failure('PROFILE_INVALID', {
    message: `${what} of the profile ${target.name} are not meant for ${host}; nothing was sent.`,
    hint: 'Use a separate profile for that host.',
    effect: 'none',
  })
}

/** The request as it is sent: with the credential in its header, or where the operation's own document wants it. */
export function withCredential(
  {headers, path, operation}: Pick<BuiltRequest, 'headers' | 'path' | 'operation'>,
  credential: Credential | undefined,
): {headers: Readonly<Record<string, string>>; path: string} {
  if (credential === undefined) return {headers, path}
  const value = credential.value.open()
  const places = operation.form?.credentials ?? {}
  const place = Object.hasOwn(places, credential.name) ? places[credential.name] : undefined
  if (place === undefined) return {headers: {...headers, [credential.name]: value}, path}
  const pair = `${encodeURIComponent(place.name)}=${encodeURIComponent(value)}`
  if (place.in === 'query') return {headers, path: `${path}${path.includes('?') ? '&' : '?'}${pair}`}
  const others = headers.cookie === undefined ? '' : `${headers.cookie}; `
  return {headers: {...headers, cookie: `${others}${pair}`}, path}
}
