import {KEY_HEADER} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {isHeaderName, isOwnHeader} from '../network/header-names.ts'
import {checkUrl} from './addresses.ts'
import {
  checkedText,
  flag,
  type JsonSchema,
  objectSchema,
  oneOf,
  type Read,
  readFields,
  secret,
  setting,
  text,
  url,
  type ValueType,
} from './value-types.ts'

const credential = (doc: string) =>
  setting(secret, {
    required: true,
    doc,
    flag: flag(
      'secret',
      'secret',
      'Where to find the password, token or client secret. Use - to read it from stdin and store it in the keyring.',
      'env:NAME|file:PATH|cmd:COMMAND|-',
    ),
  })

/** A header that no other part of a request needs. */
export const headerName = checkedText(name => {
  if (!isHeaderName(name)) return {problem: 'is not the name of a header'}
  return isOwnHeader(name) || name.toLowerCase() === KEY_HEADER
    ? {problem: `may not be ${name}, which is set by the tool itself`}
    : {value: name}
})

const tokenUrl = url((value, allowInsecure) =>
  value.includes('#') ? {problem: 'has a fragment, which is never sent'} : checkUrl(value, allowInsecure),
)

/** The types of authentication, each with its settings. */
const ways = {
  none: {},
  basic: {
    // RFC 7617: the user name ends at the first colon.
    user: setting(text(/^[^:\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters without a colon'), {
      required: true,
      doc: 'the user name of `basic`',
      flag: flag('user', 'text', 'User name, with --auth basic.'),
    }),
    password: credential('the password of `basic`'),
  },
  bearer: {token: credential('the token of `bearer`')},
  oauth2: {
    tokenUrl: setting(tokenUrl, {
      required: true,
      doc: 'the address of the token endpoint of `oauth2`',
      flag: flag('token-url', 'text', 'URL of the token endpoint, with --auth oauth2.'),
    }),
    clientId: setting(text(/^[\x20-\x7e]{1,400}$/, 'must be 1 to 400 characters of printable ASCII'), {
      required: true,
      doc: 'the client id of `oauth2`',
      flag: flag('client-id', 'text', 'Client id, with --auth oauth2.'),
    }),
    clientSecret: credential('the client secret of `oauth2`'),
    // RFC 6749, appendix A: printable ASCII; words separated by single spaces.
    scope: setting(text(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'is not a scope'), {
      doc: 'the scope to ask for, with `oauth2`',
      flag: flag('scope', 'text', 'Scope to request, with --auth oauth2.'),
    }),
  },
  header: {
    name: setting(headerName, {
      required: true,
      doc: 'the name of the header that carries the credential of `header`',
      flag: flag('header-name', 'text', 'Name of the header, with --auth header.'),
    }),
    value: credential('the value of that header'),
  },
}

type Ways = typeof ways
export type AuthType = keyof Ways

export const authTypes = Object.keys(ways) as readonly AuthType[]

const members = {
  type: setting(oneOf(authTypes), {
    required: true,
    doc: 'how requests are authenticated: `none`, `basic`, `bearer`, `header`, or `oauth2` (client credentials)',
    flag: flag('auth', 'choice', 'How requests are authenticated.'),
  }),
  ...ways.basic,
  ...ways.bearer,
  ...ways.oauth2,
  ...ways.header,
}
export type AuthFields = typeof members

/** Authentication in its stored form: references in place of secrets. */
export type StoredAuth = {[T in AuthType]: {readonly type: T} & Read<Ways[T]>}[AuthType]

export const auth: ValueType<StoredAuth> = {
  schema: {
    ...objectSchema({type: members.type}),
    required: [],
    anyOf: [{maxProperties: 0}, ...authTypes.map(schemaOf)],
  },
  members,
  read(value, at) {
    if (!isObject(value)) return at.report('must be an object')
    if (Object.keys(value).length === 0) return {type: 'none'}
    const {type} = readFields({type: members.type}, value, at)
    if (type === undefined) return undefined
    // Refuse it: the secret of another type would be stored and never used.
    for (const other of authTypes) {
      const member = secretFieldOf(other)
      if (other === type || member === undefined || !Object.hasOwn(value, member)) continue
      at.inside(member).report(`belongs to auth ${other}, not to ${type}`)
    }
    return {type, ...readFields(ways[type], value, at)} as StoredAuth
  },
}

function schemaOf(type: AuthType): JsonSchema {
  const {properties, required} = objectSchema(ways[type])
  return {properties: {...properties, type: {const: type}}, required: ['type', ...required]}
}

/** The field that holds the secret of a type of authentication; undefined if it has none. */
export const secretFieldOf = (type: AuthType): string | undefined =>
  Object.entries(ways[type]).find(([, member]) => member.type === secret)?.[0]
