import type {CallAuth, CallCredentials} from '../../network/call-credentials.ts'
import {Secret} from '../../sensitive/secret.ts'

/** What is wrong with the credentials of a call, to test an endpoint. */
export interface Forgery {
  readonly credentials?: 'missing' | 'wrong' | 'of another user'
  /** `cut` has only the first characters of the right one, and `empty` none. */
  readonly signature?: 'missing' | 'wrong' | 'too-old' | 'from-the-future' | 'cut' | 'empty'
  /** Of the client: another one that nobody signed, also one that has expired. */
  readonly certificate?: 'missing' | ForgedCertificate
}

export type ForgedCertificate = 'wrong' | 'expired'

/** By which calls prove who sends them, each in a header of its own. */
export const LOGINS = ['basic', 'bearer', 'header'] as const satisfies readonly CallAuth['type'][]

/** How calls prove who sends them. */
export type Proof = (typeof LOGINS)[number] | 'signature' | 'mtls'

/** Beyond every tolerance that an endpoint may have of its own. */
const FAR_MS = 86_400_000

/** Whether credentials have what a forgery changes. */
export function canForge(
  {auth, signature}: CallCredentials,
  {credentials, signature: way}: Forgery,
): boolean {
  const needsTime = way === 'too-old' || way === 'from-the-future'
  const hasTime = signature?.signed.includes('{timestamp}') === true
  return (
    (credentials === undefined || auth !== undefined) &&
    (way === undefined || signature !== undefined) &&
    (!needsTime || hasTime)
  )
}

/** Credentials that an endpoint must refuse, and the time to sign at, in milliseconds since 1970. */
export function forge(
  {auth, signature}: CallCredentials,
  {credentials, signature: way}: Forgery,
  now: number,
): {readonly credentials: CallCredentials; readonly now: number} {
  const far = FAR_MS + (signature?.toleranceMs ?? 0)
  // As text: in Base64, what follows the padding changes nothing.
  const other = signature && {
    ...signature,
    keyEncoding: 'text' as const,
    keys: signature.keys.slice(0, 1).map(another),
  }
  return {
    credentials: {
      auth: auth && forgedAuth(auth, credentials),
      signature: way === 'missing' ? undefined : way === 'wrong' ? other : signature,
    },
    now: way === 'too-old' ? now - far : way === 'from-the-future' ? now + far : now,
  }
}

/** How many characters of a signature are left of one that is cut: a byte in hexadecimal digits. */
const LEFT = 2

/** The headers with a signature of which only the first characters are there. */
export function shortened<Headers extends Readonly<Record<string, string>>>(
  headers: Headers,
  {signature}: CallCredentials,
  way: Forgery['signature'],
): Headers {
  if (!signature || (way !== 'cut' && way !== 'empty')) return headers
  const name = signature.header.toLowerCase()
  const end = signature.prefix.length + (way === 'cut' ? LEFT : 0)
  return {...headers, [name]: headers[name]?.slice(0, end)}
}

function forgedAuth(auth: CallAuth, way: Forgery['credentials']): CallAuth | undefined {
  if (way === 'missing') return undefined
  if (way === 'of another user') return auth.type === 'basic' ? {...auth, user: `${auth.user}x`} : wrong(auth)
  return way === 'wrong' ? wrong(auth) : auth
}

function wrong(auth: CallAuth): CallAuth {
  if (auth.type === 'basic') return {...auth, password: another(auth.password)}
  return auth.type === 'bearer'
    ? {...auth, token: another(auth.token)}
    : {...auth, value: another(auth.value)}
}

const another = (secret: Secret): Secret => new Secret(`${secret.open()}x`)
