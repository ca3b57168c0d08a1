import {KEY_HEADER} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {isHeaderName, isOwnHeader} from '../network/header-names.ts'
import {Secret} from '../sensitive/secret.ts'

/**
 * The name of the profile's own authentication header, in lower case.
 *
 * @throws Failure PROFILE_INVALID if it is not a header name, or is one that cardctl sets.
 */
export function headerName(name: string): string {
  const lower = name.toLowerCase()
  if (isHeaderName(lower) && !isOwnHeader(lower) && lower !== KEY_HEADER) return lower
  throw new Failure('PROFILE_INVALID', {
    message: 'The authentication header of the profile has an invalid name.',
    effect: 'none',
  })
}

/**
 * A secret as the value of a header. What can't be in one is refused here, so that no other layer quotes it.
 *
 * @throws Failure SECRET_MISSING if it is empty or has control characters or characters beyond Latin-1.
 */
export function headerValue(secret: Secret, what: string): Secret {
  if (/^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(secret.open()))
    return secret
  throw new Failure('SECRET_MISSING', {
    message: `${what} cannot be sent in a header: it is empty, or contains line breaks or other characters that a header can't have.`,
    effect: 'none',
  })
}

/** RFC 7617, in UTF-8, without looking at the parts. */
export function basicCredentials(user: string, password: string): Secret {
  return new Secret(`Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`)
}

/** The value of an authentication header, the token in it, and the password of Basic. */
export function credentialParts(value: string): readonly string[] {
  const [scheme = '', token = ''] = value.split(' ', 2)
  const pair = scheme === 'Basic' ? Buffer.from(token, 'base64').toString('utf8') : ''
  return [value, token, pair.slice(pair.indexOf(':') + 1)]
}
