import {authHeader, type CallCredentials} from '../network/call-credentials.ts'
import {maskHeaders} from '../sensitive/mask-request.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'

/** Headers as they may be kept and shown: masked, with names in lower case. */
export type RecordedHeaders = Readonly<Record<string, string>>

/** Headers as node:http has them. */
type Received = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Masks headers for the recording: those of the common names and of these credentials, whatever their names are, and
 * every header that repeats one of the secrets.
 *
 * @param more names of further headers that hold a secret.
 */
export function headerMasker(
  {auth, signature}: CallCredentials,
  more: readonly string[] = [],
): (headers: Received) => RecordedHeaders {
  const own = auth && authHeader(auth)
  const sensitive = [...(own ? [own.name] : []), ...(signature ? [signature.header] : []), ...more]
  const names = new Set(sensitive.map(name => name.toLowerCase()))
  const secrets = own ? [own.value.open(), ...wordOf(auth)].filter(({length}) => length >= SHORTEST) : []
  return headers => {
    const masked = maskHeaders(headers)
    const shown: [string, string][] = []
    for (const [name, value] of Object.entries(masked)) {
      const isSecret = names.has(name) || secrets.some(secret => value.includes(secret))
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
