import {irreversibleIn} from '../contract/marked-values.ts'
import {type AnyInput, honoursKey, keyHeaderOf, type Operation, takesKey} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {buildTranslated} from './build-translated.ts'
import {askedId, envelopeFor} from './envelope.ts'
import {type Base, bodyBytes, parseBase, requestPath, requestQuery} from './request-parts.ts'
import {placeAuditUser, plainHeaders} from './request-secrets.ts'
import type {BuiltRequest, RequestParts, Surroundings} from './send-types.ts'

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
  const keyHeader = keyHeaderOf(operation, target)
  const keyed = honoursKey(operation, target)
  const irreversible = irreversibleIn(operation, input).length > 0
  const key = chooseKey(takesKey(operation), idempotencyKey, surroundings.newKey)
  if (target.dialect !== undefined && form === undefined && operation.topic !== 'api')
    return buildTranslated({operation, input, key, dialect: target.dialect}, target, base, surroundings)
  const {query, headers: userHeaders} = placeAuditUser(input, ofDialect(target), operation)
  const written = form?.write({...input, query}, target.service?.arrays)
  const json = written || operation.body === 'none' ? undefined : bodyBytes(input.body, target.words)
  const body = written ? written.body : json && {bytes: json, type: 'application/json'}
  const path =
    base.path +
    (written?.target ??
      requestPath(operation.path, input.path, target.words) + requestQuery(sized(query, operation, target)))
  const shown = written && {path: base.path + written.shownTarget, secretHeaders: written.secretHeaders}
  return {
    operation,
    input,
    method: operation.method,
    url: base.origin + (shown?.path ?? path),
    origin: base.origin,
    host: base.host,
    path,
    title: `${operation.method} ${written?.shownTarget.replace(/\?.*/s, '') ?? requestPath(operation.path, input.path, {})}`,
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
    keyed,
    irreversible,
    envelope: envelopeFor(operation, target),
    asked: askedId(operation, input, target.answerIds?.[operation.id]),
    ...(shown && {shown}),
  }
}

/** The size of a page, as the profile says that the service calls it. */
function sized(
  query: Readonly<Record<string, unknown>>,
  {id}: Pick<Operation, 'id'>,
  {service}: Pick<Target, 'service'>,
): Readonly<Record<string, unknown>> {
  const [, name] = /(?:^|,)size=([^,]+)/.exec(service?.paging?.[id] ?? '') ?? []
  if (name === undefined || query.size === undefined) return query
  const {size, ...others} = query
  return {...others, [name]: size}
}

/** In another service's paths the contract's query has no place, unless the profile says so. */
const ofDialect = (target: Target): Pick<Target, 'auditUser' | 'auditUserIn'> =>
  target.dialect === undefined || target.auditUserIn !== undefined
    ? target
    : {auditUser: target.auditUser, auditUserIn: {in: 'none', name: ''}}

/** Headers that the user added to a request of the built-in contract. They were checked when they were read. */
const addedHeaders = ({headers = {}}: AnyInput): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/**
 * The key for the operation: the given one, a new one, or none if the operation takes none.
 *
 * @throws Failure USAGE if the key can't be sent, or is given although the operation takes none (it would have no
 * effect).
 */
function chooseKey(isTaken: boolean, given: string | undefined, newKey: () => string): string | undefined {
  if (!isTaken) {
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
