import type {AnyInput, Operation} from '../contract/operation.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {Secret} from '../sensitive/secret.ts'
import {isSecretName} from '../sensitive/secret-names.ts'
import type {Credential} from './authenticate.ts'

/** What the service is told with one try and must not be shown back: the credential and the sensitive members. */
export function toldSecrets(
  credential: Credential | undefined,
  {sensitive}: Operation,
  {path, query, headers, cookies, body}: AnyInput,
): readonly string[] {
  const marked = sensitive.request.flatMap(pointer => valuesAt(body, pointer))
  const outside = [path, query, headers, cookies].flatMap(place => Object.values(place ?? {}))
  const members = [
    ...marked,
    ...underSecretNames(body),
    ...outside.filter(value => value instanceof Secret),
  ].map(opened)
  return [
    ...members.filter(member => typeof member === 'string'),
    ...(credential ? credentialParts(credential.value.open()) : []),
  ]
}

/** Members that no contract marks, but their names do. */
function underSecretNames(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof Secret) return []
  return Object.entries(value).flatMap(([name, item]) => [
    ...(isSecretName(name) ? [item] : []),
    ...underSecretNames(item),
  ])
}

function opened(value: unknown): unknown {
  const open: unknown = value instanceof Secret ? value.open() : value
  return Buffer.isBuffer(open) ? open.toString('utf8') : open
}

/** The value of an authentication header, the token in it, and of Basic the password. */
export function credentialParts(value: string): readonly string[] {
  const [scheme = '', token = ''] = value.split(' ', 2)
  const pair = scheme === 'Basic' ? Buffer.from(token, 'base64').toString('utf8') : ''
  return [value, token, pair.slice(pair.indexOf(':') + 1)]
}
