import type {Secret} from '../sensitive/secret.ts'
import {nodeCrypto} from './ids.ts'

/** What the sandbox asks of its callers. */
export type SandboxAuth =
  | {readonly type: 'basic'; readonly user: string; readonly password: Secret}
  | {readonly type: 'bearer'; readonly token: Secret}

const digest = (text: string) => nodeCrypto().createHash('sha256').update(text).digest()

/**
 * Whose request this is: a name that says nothing about the secret.
 * @returns undefined when credentials are asked for and are missing or wrong.
 */
export function authenticate(
  auth: SandboxAuth | undefined,
  authorization: string | undefined,
): string | undefined {
  if (auth === undefined) {
    // Nobody asks; yet two credentials are two callers to the idempotency keys.
    return authorization === undefined ? 'anyone' : digest(authorization).toString('base64url')
  }
  if (authorization === undefined) return undefined
  // Digests, so that the comparison takes as long for a wrong length as for a wrong character.
  return nodeCrypto().timingSafeEqual(digest(normalised(authorization)), digest(expected(auth)))
    ? nameOf(auth)
    : undefined
}

export function challenge(auth: SandboxAuth): string {
  return auth.type === 'basic' ? 'Basic realm="sandbox", charset="UTF-8"' : 'Bearer realm="sandbox"'
}

function expected(auth: SandboxAuth): string {
  if (auth.type === 'bearer') return `bearer ${auth.token.open()}`
  return `basic ${Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')}`
}

/** The scheme's name has no case (RFC 9110, 11.1). */
function normalised(authorization: string): string {
  const space = authorization.indexOf(' ')
  return space < 0 ? authorization : authorization.slice(0, space).toLowerCase() + authorization.slice(space)
}

const nameOf = (auth: SandboxAuth) => (auth.type === 'basic' ? `basic:${auth.user}` : 'bearer')
