import {checkUrl} from './addresses.ts'
import type {MemberReader} from './read-member.ts'
import type {SecretReference} from './reference.ts'
import {type AuthType, type StoredAuth, secretMembers} from './stored-profile.ts'

const types = Object.keys(secretMembers) as readonly AuthType[]

/** Headers that the HTTP core itself sets; a credential in one of them would break the request. */
const reserved = new Set(
  (
    'accept accept-encoding connection content-encoding content-length content-type cookie expect host keep-alive te ' +
    'trailer transfer-encoding upgrade user-agent x-idempotency-key'
  ).split(' '),
)

/** Reads the `auth` member of a profile; absent means none. */
export function readAuth(reader: MemberReader, allowInsecure: boolean): StoredAuth {
  const type = reader.optionalChoice('type', types)
  if (type === undefined) {
    if (reader.names().length > 0 && !reader.has('type'))
      reader.report('type', `is missing: one of ${types.join(', ')}`)
    return {type: 'none'}
  }
  refuseOthersSecrets(reader, type)
  switch (type) {
    case 'none':
      return {type}
    case 'basic':
      // RFC 7617: the first colon ends the user.
      return {
        type,
        user: reader.required('user', /^[^:\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters without a colon'),
        password: secret(reader, 'password'),
      }
    case 'bearer':
      return {type, token: secret(reader, 'token')}
    case 'header': {
      const name = reader.required(
        'name',
        /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/,
        'is not the name of a header',
      )
      if (reserved.has(name.toLowerCase()))
        reader.report('name', `may not be ${name}, which is set by the tool itself`)
      return {type, name, value: secret(reader, 'value')}
    }
    case 'oauth2': {
      // RFC 6749, appendix A: printable ASCII; a scope is words between single blanks.
      const scope = reader.text(
        'scope',
        /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
        'is not a scope',
      )
      return {
        type,
        tokenUrl: tokenUrl(reader, allowInsecure),
        clientId: reader.required('clientId', /^[\x20-\x7e]{1,400}$/, 'must be printable ASCII'),
        clientSecret: secret(reader, 'clientSecret'),
        ...(scope === undefined ? {} : {scope}),
      }
    }
  }
}

function tokenUrl(reader: MemberReader, allowInsecure: boolean): string {
  const text = reader.required('tokenUrl')
  if (text === '') return ''
  const checked = checkUrl(text, allowInsecure)
  if ('problem' in checked) reader.report('tokenUrl', checked.problem)
  else if (text.includes('#')) reader.report('tokenUrl', 'has a fragment, which is never sent')
  return 'url' in checked ? checked.url : ''
}

function secret(reader: MemberReader, member: string): SecretReference {
  const absent = {source: 'env', locator: ''} as const
  if (!reader.has(member)) {
    reader.report(
      member,
      'is missing: give it on stdin or at the prompt, or as env:NAME, file:PATH or cmd:COMMAND',
    )
    return absent
  }
  return reader.reference(member) ?? absent
}

/** A secret that belongs to another way to authenticate would lie around unused. */
function refuseOthersSecrets(reader: MemberReader, type: AuthType): void {
  for (const [other, member] of Object.entries(secretMembers)) {
    if (member !== undefined && other !== type && member !== secretMembers[type] && reader.has(member)) {
      reader.report(member, `belongs to auth ${other}, not to ${type}`)
    }
  }
}
