import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {type PointerTree, pointerTree, valuesAt} from '../sensitive/json-pointer.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {openSecrets, Secret} from '../sensitive/secret.ts'
import {underSecretNames} from '../sensitive/secret-names.ts'
import {type Credential, guardHost} from './authenticate.ts'
import {credentialParts, headerValue} from './credential-header.ts'
import {renameFields, toServiceNames} from './request-parts.ts'
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

type Headers = Readonly<Record<string, string>>
type Group = Pick<Operation, 'group'>

/** The headers that the profile adds to a request. Controls of the sandbox get none. */
const added = ({headers = {}}: Target, {group}: Group) => (group === 'sandbox' ? [] : Object.entries(headers))

/**
 * Headers that the profile adds to every request to the service, without the secret ones.
 *
 * @throws Failure PROFILE_INVALID if they aren't meant for that host.
 */
export function plainHeaders(target: Target, host: string, operation: Group): Headers {
  const found = added(target, operation).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  if (found.length > 0) guardHost(target, host, 'The headers')
  return Object.fromEntries(found)
}

interface Built {
  readonly headers: Headers
  readonly operation: Group
  readonly host: string
}

/** The headers that the profile adds with secret values, but for those that the request has itself. */
const secretsFor = (target: Target, {headers, operation}: Omit<Built, 'host'>) =>
  added(target, operation).flatMap(([name, value]) =>
    typeof value === 'string' || Object.hasOwn(headers, name) ? [] : [{name, value}],
  )

export const secretNames = (target: Target, built: Omit<Built, 'host'>): readonly string[] =>
  secretsFor(target, built).map(({name}) => name)

/**
 * @param limitMs how long a command may take.
 * @throws Failure PROFILE_INVALID if they aren't meant for that host; SECRET_MISSING
 */
export async function readSecretHeaders(
  target: Target,
  built: Built,
  limitMs?: number,
): Promise<readonly Credential[]> {
  const found = secretsFor(target, built)
  if (found.length > 0) guardHost(target, built.host, 'The headers')
  return Promise.all(
    found.map(async ({name, value}) => ({
      name,
      value: headerValue(await value(limitMs), `The value of the header ${name}`),
    })),
  )
}

/** The parts of a request that name the audit user, where the profile says that they go. */
export function placeAuditUser(
  {query}: Pick<AnyInput, 'query'>,
  {auditUserIn, auditUser: usual}: Pick<Target, 'auditUserIn' | 'auditUser'>,
  {group}: Group,
): {readonly query: AnyInput['query']; readonly headers: Headers} {
  if (auditUserIn === undefined || group === 'sandbox') return {query, headers: {}}
  const {in: place, name} = auditUserIn
  const {auditUser = usual, ...others} = query
  if (place === 'none') return {query: others, headers: {}}
  // A place of its own has it in every request.
  const user = String(auditUser)
  if (place === 'query') return {query: {...others, [name]: user}, headers: {}}
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(user)) {
    throw new Failure('INPUT_INVALID', {
      message: `The audit user has characters that the header ${name} can't have.`,
      hint: 'Write it in ASCII: --audit-user NAME.',
      effect: 'none',
    })
  }
  return {query: others, headers: {[name.toLowerCase()]: user}}
}
