import {type PointerTree, pointerTree, valuesAt} from '../sensitive/json-pointer.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {openSecrets, Secret} from '../sensitive/secret.ts'
import {underSecretNames} from '../sensitive/secret-fields.ts'
import type {Credential} from './authenticate.ts'
import {credentialParts} from './credential-header.ts'
import {renameFields, toServiceNames} from './neutral-names.ts'
import type {BuiltRequest, Preview} from './send-types.ts'

/** A placeholder for the credential; nothing is read. */
const UNREAD = new Secret('')

/**
 * A request as it may be shown: a `Secret` replaces the credential, every sensitive field and every text that quotes a
 * secret.
 *
 * @param secretHeaders lower-case names of the headers that are added when it is sent.
 */
export function previewOf(
  {operation, input, method, url, headers, shown, body, translated}: BuiltRequest,
  secretHeaders: readonly string[],
  words: Readonly<Record<string, string>>,
): Preview {
  const secret = shown?.secretHeaders ?? []
  const shownHeaders = Object.entries(headers).map(
    ([name, value]) => [name, secret.includes(name) ? new Secret(value) : value] as const,
  )
  return {
    method,
    url,
    headers: {
      ...Object.fromEntries(shownHeaders),
      ...Object.fromEntries(secretHeaders.map(name => [name, UNREAD])),
    },
    ...(body === undefined
      ? {}
      : {
          body: translated
            ? seal(translated.body, NOWHERE)
            : renameFields(seal(input.body, pointerTree(operation.sensitive.request)), toServiceNames(words)),
        }),
  }
}

const NOWHERE = pointerTree([])

/** A value with its secrets closed. */
export function seal(value: unknown, tree: PointerTree): unknown {
  if (value === undefined || value === null || value instanceof Secret) return value
  if (tree.ends) return new Secret(typeof value === 'string' ? value : JSON.stringify(value))
  if (typeof value === 'string') return holdsSecret(value) ? new Secret(value) : value
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    return value.map((item, at) => seal(item, tree.next.get('*') ?? tree.next.get(String(at)) ?? NOWHERE))
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, seal(item, tree.next.get(name) ?? NOWHERE)]),
  )
}

/**
 * A text with a card number or a credential in it. A text without spaces is a value: references look like card numbers.
 */
const holdsSecret = (text: string): boolean => /\s/.test(text) && maskText(text) !== text

/** The secrets of one attempt, which must stay hidden if the service repeats them. */
export function requestSecrets(
  credentials: readonly Credential[],
  {operation: {sensitive, ids}, input: {path, query, headers, cookies, body}, hidden = []}: BuiltRequest,
): readonly string[] {
  const marked = sensitive.request.flatMap(pointer => valuesAt(body, pointer))
  const outside = [path, query, headers, cookies].flatMap(place => Object.values(place ?? {}))
  const fields = [
    ...marked,
    ...underSecretNames(body, ids?.request ?? []),
    ...outside.filter(value => value instanceof Secret),
  ].map(openSecrets)
  return [
    ...fields.filter(field => typeof field === 'string'),
    ...hidden,
    ...credentials.flatMap(({value}) => credentialParts(value.open())),
  ]
}
