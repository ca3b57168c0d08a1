import {irreversibleIn} from '../contract/marked-values.ts'
import {type AnyInput, honoursKey, type Operation} from '../contract/operation.ts'
import type {Dialect, TheirRequest} from '../dialect/index.ts'
import type {Target} from '../profiles/target.ts'
import {pointerTree} from '../sensitive/json-pointer.ts'
import {MASK, openSecrets, Secret} from '../sensitive/secret.ts'
import {askedId} from './envelope.ts'
import {type Base, bodyBytes, requestPath, requestQuery} from './request-parts.ts'
import {placeAuditUser, plainHeaders, seal} from './request-secrets.ts'
import type {BuiltRequest, Surroundings} from './send-types.ts'

interface TranslatedParts {
  readonly operation: Operation
  readonly input: AnyInput
  readonly key: string | undefined
  readonly dialect: Dialect
}

/**
 * A request as the dialect of the profile says.
 *
 * @throws Failure NOT_OFFERED, CONTRACT_VIOLATION for what the service can't do or has no place for.
 */
export function buildTranslated(
  {operation, input, key, dialect}: TranslatedParts,
  target: Target,
  base: Base,
  {version}: Pick<Surroundings, 'version'>,
): BuiltRequest {
  const body = seal(input.body, pointerTree(operation.sensitive.request))
  const translation = dialect.translate(operation, {...input, ...(body !== undefined && {body})}, key)
  // The contract's query has no place for it there.
  const {auditUser} = input.query
  const placed =
    target.auditUserIn === undefined
      ? {query: {}, headers: {}}
      : placeAuditUser({query: {auditUser}}, target, operation)
  const common = {
    operation,
    input,
    origin: base.origin,
    host: base.host,
    key,
    keyed: honoursKey(operation, target),
    irreversible: irreversibleIn(operation, input).length > 0,
    asked: askedId(operation, input, target.answerIds?.[operation.id]),
  }
  const built = (theirs: TheirRequest, carriesKey: boolean, first?: unknown): BuiltRequest => {
    const written = (params: TheirRequest['params'], query: TheirRequest['query']): string =>
      requestPath(theirs.path, texts(params), {}) + requestQuery({...query, ...placed.query})
    const path = base.path + written(opened(theirs.params), opened(theirs.query))
    const shownPath = base.path + written(theirs.params, masked(theirs.query))
    const secretHeaders = Object.keys(theirs.headers).filter(name => theirs.headers[name] instanceof Secret)
    const body = bodyBytes(theirs.body, {})
    const keyHeader = target.idempotencyHeader?.toLowerCase() ?? theirs.keyHeader
    return {
      ...common,
      method: theirs.method,
      url: base.origin + shownPath,
      path,
      title: `${theirs.method} ${requestPath(theirs.path, texts(theirs.params), {})}`,
      headers: {
        accept: 'application/json, application/problem+json',
        'accept-encoding': 'gzip, deflate, br',
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
        ...plainHeaders(target, base.host, operation),
        ...texts(opened(theirs.headers)),
        'user-agent': `cardctl/${version}`,
        ...placed.headers,
        ...(carriesKey && key !== undefined && keyHeader !== undefined ? {[keyHeader]: key} : {}),
      },
      body,
      keyHeader: keyHeader ?? '',
      envelope: undefined,
      shown: {path: shownPath, secretHeaders},
      translated: {
        dialect: dialect.label,
        body: theirs.body,
        read: content => translation.read(content, first),
        known: translation.known,
        content: translation.content,
        maps: translation.maps,
        abridges: translation.abridges,
        isOwnError: content => dialect.isOwnError(content),
      },
    }
  }
  const {first} = translation
  return {
    ...built(translation.request, true),
    ...(first && {
      before: {
        request: readBefore(built(first, false)),
        complete: (response: unknown) => built(translation.complete(response), true, response),
      },
    }),
  }
}

/** As text; a secret is its mask. */
const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

const opened = <Values extends object>(values: Values): Values => openSecrets(values) as Values

const masked = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value instanceof Secret ? MASK : value]),
  )

/** The read that a request needs first. Whatever it returns is looked at by the dialect alone. */
const readBefore = (built: BuiltRequest): BuiltRequest => ({
  ...built,
  operation: {...built.operation, effect: 'read', idempotent: false, needs: []},
  key: undefined,
  keyed: false,
  irreversible: false,
  asked: undefined,
  ...(built.translated && {translated: {...built.translated, read: value => ({value, differences: []})}}),
})
