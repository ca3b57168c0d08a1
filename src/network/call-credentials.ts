import {createHash, timingSafeEqual} from 'node:crypto'
import {Secret} from '../sensitive/secret.ts'
import {type CallHeaders, type CallSignature, signatureHeaders} from './call-signature.ts'

/** A credential that each call carries in a header. */
export type CallAuth =
  | {readonly type: 'basic'; readonly user: string; readonly password: Secret}
  | {readonly type: 'bearer'; readonly token: Secret}
  /** A header of any name. */
  | {readonly type: 'header'; readonly name: string; readonly value: Secret}

/** How the caller of an endpoint proves who it is. Without any, nothing is proved. */
export interface CallCredentials {
  readonly auth?: CallAuth | undefined
  readonly signature?: CallSignature | undefined
}

/** The header of a credential; its name is in lower case. */
export function authHeader(auth: CallAuth): {readonly name: string; readonly value: Secret} {
  switch (auth.type) {
    case 'basic': {
      const pair = Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')
      return {name: 'authorization', value: new Secret(`Basic ${pair}`)}
    }
    case 'bearer':
      return {name: 'authorization', value: new Secret(`Bearer ${auth.token.open()}`)}
    case 'header':
      return {name: auth.name.toLowerCase(), value: auth.value}
  }
}

/**
 * The headers by which a call proves who sends it.
 *
 * @param now milliseconds since 1970.
 */
export function credentialHeaders(
  {auth, signature}: CallCredentials,
  body: Uint8Array,
  now: number,
): Readonly<Record<string, string>> {
  const own = auth && authHeader(auth)
  return {
    ...(own && {[own.name]: own.value.open()}),
    ...(signature && signatureHeaders(body, signature, now)),
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** What is wrong with the credential of a call; undefined if it is right. */
export function authFault(auth: CallAuth, headers: CallHeaders): 'missing' | 'wrong' | undefined {
  const {name, value} = authHeader(auth)
  const given = headers[name]
  if (typeof given !== 'string' || given === '') return 'missing'
  // Compares digests, so that the time doesn't reveal how many characters were right.
  return timingSafeEqual(digest(plain(auth, given)), digest(plain(auth, value.open()))) ? undefined : 'wrong'
}

/** The scheme before a credential may be in capitals or not, with several spaces after it (RFC 9110, 11.4). */
function plain({type}: CallAuth, header: string): string {
  const [, scheme, credential] = (type !== 'header' && /^(\S+) +(\S+)$/.exec(header)) || []
  return scheme === undefined ? header : `${scheme.toLowerCase()} ${credential}`
}
