import {honoursKey, keyHeaderOf, takesKey} from '../contract/idempotency-key.ts'
import {irreversibleIn} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {openSecrets} from '../sensitive/secret.ts'
import {type Base, parseBase} from './base-url.ts'
import {envelopeFor} from './envelope.ts'
import {renameFields, toServiceNames} from './neutral-names.ts'
import {askedId} from './other-resource.ts'
import {placeAuditUser, plainHeaders} from './own-headers.ts'
import type {BuiltRequest, RequestParts, Surroundings} from './send-types.ts'

const isPlain = (value: unknown): value is string | number | boolean | bigint =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  typeof value === 'bigint'

function* members(name: string, value: unknown): Generator<[string, string]> {
  if (value === undefined || value === null) return
  if (isPlain(value)) {
    yield [name, String(value)]
  } else if (Array.isArray(value)) {
    for (const item of value) yield* members(name, item)
  } else if (typeof value === 'object') {
    // OpenAPI's `style: form, explode: true`: the fields of an object are in the query under their own names.
    for (const [member, item] of Object.entries(value)) yield* members(member, item)
  } else {
    throw new Failure('INPUT_INVALID', {
      message: `The query parameter ${name} must be text, a number, a list or an object.`,
      effect: 'none',
    })
  }
}

/**
 * A query with its `?`, or ''. Arrays repeat their name, objects are exploded into their fields, null and undefined are
 * left out. Everything outside RFC 3986's unreserved characters is percent-encoded.
 */
export function requestQuery(query: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(query)) {
    for (const [member, text] of members(name, value)) {
      parts.push(`${encodeURIComponent(member.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`)
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message, effect: 'none'})

/** One path segment, percent-encoded so that it can neither end the segment nor climb out of it. */
function encodeSegment(name: string, value: string): string {
  if (value === '') throw invalid(`The value for ${name} is empty, but the path needs it.`)
  // Servers and proxies resolve these even when encoded (RFC 3986, 5.2.4 and 6.2.2.3).
  if (value.split(/[/\\]/).some(part => part === '.' || part === '..')) {
    throw invalid(`The value for ${name} contains a . or .. segment, which would lead to another path.`)
  }
  if (!value.isWellFormed()) throw invalid(`The value for ${name} is not well-formed text.`)
  return encodeURIComponent(value)
}

/**
 * Fills a path of the contract, such as `/v4/{id}`. `words` replaces literal segments but never values of parameters,
 * which are percent-encoded whole.
 *
 * @throws Failure INPUT_INVALID if a value is missing, empty, has `.` or `..` as a segment, or is not well-formed.
 */
export function requestPath(
  template: string,
  params: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>>,
): string {
  const segments = template.split('/').map(segment => {
    const parameter = /^\{(.+)\}$/.exec(segment)?.[1]
    if (parameter === undefined) {
      const word = Object.hasOwn(words, segment) ? words[segment] : undefined
      return word === undefined ? segment : encodeSegment(`the word ${segment}`, word)
    }
    const value = Object.hasOwn(params, parameter) ? params[parameter] : undefined
    if (value === undefined) throw invalid(`The path needs a value for ${parameter}.`)
    // The type says text. A value from a file that escaped the check must not become text by accident.
    if (typeof value !== 'string') throw invalid(`The value for ${parameter} is not text.`)
    return encodeSegment(parameter, value)
  })
  return segments.join('/')
}

/** A prefix of a group as sent: '' or '/card'. @throws Failure PROFILE_INVALID if it isn't a plain path. */
export function groupPrefix(group: string, prefix: string | undefined): string {
  const path = (prefix ?? '').replace(/\/+$/, '')
  if (path === '') return ''
  const rooted = path.startsWith('/') ? path : `/${path}`
  if (!/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(rooted)) {
    throw new Failure('PROFILE_INVALID', {
      message: `The prefix of the group ${group} is not a plain path such as /card.`,
      effect: 'none',
    })
  }
  return rooted
}

/** Checks the URLs of a target before anything is sent, and finds the one of an operation. */
export function checkedAddresses(target: Target): (operation: Operation) => Base {
  const main = parseBase(target.baseUrl, 'The base URL', target.allowInsecure || target.embedded)
  const groups = new Map(
    Object.entries(target.groups).map(([group, address]) => {
      const own =
        address.baseUrl === undefined
          ? main
          : parseBase(address.baseUrl, `The base URL of the group ${group}`, target.allowInsecure)
      const prefix = target.embedded ? '' : groupPrefix(group, address.prefix)
      return [group, {...own, path: own.path + prefix}]
    }),
  )
  return operation => groups.get(operation.group) ?? main
}

/**
 * The parts of a request that don't change between attempts.
 *
 * @throws Failure USAGE for the key, INPUT_INVALID for what can't be in a path or body.
 */
export function buildRequest(
  {operation, input, idempotencyKey}: RequestParts,
  target: Target,
  base: Base,
  surroundings: Pick<Surroundings, 'newKey' | 'version'>,
): BuiltRequest {
  if (operation.body === 'required' && input.body === undefined) {
    throw new Failure('CONTRACT_VIOLATION', {message: 'The request has no fields.', effect: 'none'})
  }
  const {form} = operation
  const {query, headers: userHeaders} = placeAuditUser(input, target, operation)
  const written = form?.write({...input, query}, target.service?.arrays)
  const json = written || operation.body === 'none' ? undefined : bodyBytes(input.body, target.words)
  const body = written ? written.body : json && {bytes: json, type: 'application/json'}
  const key = chooseKey(operation, idempotencyKey, surroundings.newKey)
  const keyHeader = keyHeaderOf(operation, target)
  const path =
    base.path +
    (written?.target ?? requestPath(operation.path, input.path, target.words) + requestQuery(query))
  const shown = written && {path: base.path + written.shownTarget, secretHeaders: written.secretHeaders}
  return {
    operation,
    input,
    method: operation.method,
    url: base.origin + (shown?.path ?? path),
    origin: base.origin,
    host: base.host,
    path,
    title: `${operation.method} ${form ? operation.path : requestPath(operation.path, input.path, {})}`,
    headers: {
      accept: form?.accept ?? 'application/json, application/problem+json',
      // Within this process compression saves nothing.
      ...(target.embedded ? {} : {'accept-encoding': 'gzip, deflate, br'}),
      ...(body === undefined ? {} : {'content-type': body.type}),
      ...plainHeaders(target, base.host, operation),
      ...written?.headers,
      'user-agent': `cardctl/${surroundings.version}`,
      ...(form ? {} : addedHeaders(input)),
      ...userHeaders,
      ...(key === undefined ? {} : {[keyHeader]: key}),
    },
    body: body?.bytes,
    key,
    keyHeader,
    keyed: honoursKey(operation, target),
    irreversible: irreversibleIn(operation, input).length > 0,
    envelope: envelopeFor(operation, target),
    asked: askedId(operation, input, target.answerIds?.[operation.id]),
    ...(shown && {shown}),
  }
}

/** Headers that the user added to a request of the built-in contract. They were checked when they were read. */
const addedHeaders = ({headers = {}}: AnyInput): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/**
 * The key for the operation: the given one, a new one, or none if the operation takes none.
 *
 * @throws Failure USAGE if the key can't be sent, or is given although the operation takes none (it would have no
 * effect).
 */
function chooseKey(
  operation: Pick<Operation, 'effect' | 'method'>,
  given: string | undefined,
  newKey: () => string,
): string | undefined {
  if (!takesKey(operation)) {
    if (given === undefined) return undefined
    throw new Failure('USAGE', {
      message: 'This operation takes no idempotency key.',
      hint: 'Leave out --idempotency-key.',
      effect: 'none',
    })
  }
  const key = given ?? newKey()
  // Spaces at the ends are removed on the way, so the service would see another key.
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/.test(key)) {
    throw new Failure('USAGE', {
      message: `An idempotency key has 1 to 64 printable ASCII characters and no leading or trailing space; this one ${key === '' ? 'is empty' : `has ${key.length}${key.length > 64 ? '' : ', some of another kind'}`}.`,
      hint: 'Pass another --idempotency-key, or leave it out to use a generated one.',
      effect: 'none',
    })
  }
  return key
}

/**
 * The bytes of a body, made once: every attempt sends the same.
 *
 * @throws Failure INPUT_INVALID if the value can't be written as JSON.
 */
export function bodyBytes(body: unknown, words: Readonly<Record<string, string>>): Buffer | undefined {
  if (body === undefined) return undefined
  try {
    return Buffer.from(JSON.stringify(openSecrets(renameFields(body, toServiceNames(words)))), 'utf8')
  } catch {
    throw new Failure('INPUT_INVALID', {
      message:
        "The body can't be written as JSON: it is nested too deeply, or contains a value that JSON does not have.",
      effect: 'none',
    })
  }
}
