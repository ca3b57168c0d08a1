import type {CallAuth, CallCredentials} from '../../network/call-credentials.ts'
import {Secret} from '../../sensitive/secret.ts'

/** What is wrong with the credentials of a call, to test an endpoint. */
export interface Forgery {
  readonly credentials?: 'missing' | 'wrong'
  readonly signature?: 'missing' | 'wrong' | 'too-old' | 'from-the-future'
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
      auth: auth && (credentials === 'wrong' ? wrong(auth) : credentials === 'missing' ? undefined : auth),
      signature: way === 'missing' ? undefined : way === 'wrong' ? other : signature,
    },
    now: way === 'too-old' ? now - far : way === 'from-the-future' ? now + far : now,
  }
}

function wrong(auth: CallAuth): CallAuth {
  if (auth.type === 'basic') return {...auth, password: another(auth.password)}
  return auth.type === 'bearer'
    ? {...auth, token: another(auth.token)}
    : {...auth, value: another(auth.value)}
}

const another = (secret: Secret): Secret => new Secret(`${secret.open()}x`)
