import {findMeant, irreversibleIn, memberNames, plainNames, plainWord} from '../contract/marked-values.ts'
import {findOperation, possibleOperations} from '../contract/match.ts'
import {
  type Effect,
  honoursKey,
  KEY_HEADER,
  keyHeaderOf,
  type Operation,
  stricterEffect,
} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {fieldSchemas, requestSchema} from '../contract/schema.ts'
import type {OperationId} from '../contract/types.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {BuiltRequest} from '../http/index.ts'
import type {Demand} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import {Secret} from '../sensitive/secret.ts'
import {actionOf} from './action-words.ts'
import type {Call} from './client/options.ts'
import {withoutSegments} from './hidden-segments.ts'

/**
 * The call as the operation that its path belongs to: `accounts patch --segment CREDIT` is the update of a credit
 * account. Then that operation's checks, key and journal entries apply.
 */
export function namedByPath<Given extends Call>(call: Given): Given {
  const {operation, input} = call
  if (operation.form !== undefined || !(operation.id in operations)) return call
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (braces, name: string) =>
    encodeURIComponent((input.path[name] ?? braces).toWellFormed()),
  )
  const found = findOperation(operation.method, path)
  if (found === undefined || found.operation.id === operation.id) return call
  return {...call, operation: found.operation, input: {...input, path: found.params}}
}

/** A request as the contracts see it, whichever command made it. */
export interface JudgedRequest {
  /** With the strictest marks of all operations that it may be: they decide about journal, masks and retries. */
  readonly built: BuiltRequest
  /** The operations that a service may take it for. Its own is left out where another asks for at least as much. */
  readonly calls: readonly Call[]
  /** A contract describes it. */
  readonly known: boolean
}

/**
 * Finds every operation that a service may take a request for, by what goes over the wire: its method and its path, with
 * base URL and prefix, however it is spelled.
 *
 * @param described operations of imported contracts that fit the request.
 */
export function judgeRequest(
  typed: BuiltRequest,
  target: Pick<Target, 'words' | 'idempotency' | 'dialect'>,
  described: readonly Operation[] = [],
): JudgedRequest {
  const {operation: own, input, method, path} = typed
  const possible = possibleOperations(method, path, target)
  const likely = possible.map(match => ({
    operation: match.operation,
    input: {path: match.params, query: input.query, body: input.body},
  }))
  const mapped = typed.translated ? [] : (target.dialect?.possible(method, path, input) ?? [])
  const built = withoutSegments(typed, [
    ...mapped.map(({hidden}) => hidden),
    ...described.map(one => ({template: one.path, names: one.hiddenPath ?? []})),
  ])
  for (const {operation, unread} of mapped) if (operation.effect !== 'read') refuseUnread(operation, unread)
  const others: readonly Call[] = [
    ...likely,
    ...mapped,
    ...described.map(operation => ({operation, input})),
  ].filter(other => other.operation.id !== own.id || hidesValue(built, other))
  const known =
    own.topic !== 'api' ||
    described.length > 0 ||
    mapped.length > 0 ||
    possible.some(one => !one.isOtherMethod)
  if (others.length === 0) return {built, calls: [built], known}
  const operation = withMarksOf(built.operation, others)
  const strictest = others.reduce<Effect>(
    (effect, one) => stricterEffect(effect, one.operation.effect),
    'read',
  )
  return {
    calls: known && stricterEffect(own.effect, strictest) === strictest ? others : [built, ...others],
    known,
    built: {
      ...built,
      operation,
      keyed: built.keyed && honoursKey(operation, target),
      irreversible:
        built.irreversible || others.some(one => irreversibleIn(one.operation, one.input).length > 0),
    },
  }
}

/** @throws Failure GATE_REFUSED: what the checks can't read, the service may. */
function refuseUnread(like: Operation, unread: string | undefined): void {
  if (unread === undefined) return
  const name = unread.replace(/^\/(?:body|query)\//, '').replaceAll('/', '.')
  throw new Failure('GATE_REFUSED', {
    message: `This may be "${like.summary}": ${name} can't be read as the dialect says.`,
    hint: 'Send it with its own command, or write the value as the dialect has it.',
    effect: 'none',
  })
}

/** `WRITE_OF%2546` in a path is WRITE_OFF to a service that decodes twice. */
const hidesValue = (built: Call, plain: Call): boolean =>
  irreversibleIn(plain.operation, plain.input).length > irreversibleIn(built.operation, built.input).length

function withMarksOf(own: Operation, others: readonly Call[]): Operation {
  const [first] = others
  const marks = others.map(({operation}) => operation)
  const sensitive = (side: 'request' | 'reply'): readonly string[] => [
    ...new Set([own, ...marks].flatMap(one => one.sensitive[side])),
  ]
  return {
    ...own,
    effect: marks.reduce<Effect>((effect, one) => stricterEffect(effect, one.effect), own.effect),
    idempotent: own.idempotent && marks.every(({idempotent}) => idempotent),
    sensitive: {request: sensitive('request'), reply: sensitive('reply')},
    ...(own.action !== undefined || first?.operation.action === undefined
      ? {}
      : {
          action: actionOf(first.operation, first.input),
          ...(first.operation.consequence === undefined ? {} : {consequence: first.operation.consequence}),
        }),
  }
}

/**
 * The rows of a job were confirmed as one operation, so each must be that one and no other.
 *
 * @throws Failure INPUT_INVALID
 */
export function refuseOtherOperation(
  built: BuiltRequest,
  target: Pick<Target, 'words' | 'idempotency' | 'dialect'>,
): void {
  const {operation, path, shown = {path}} = built
  const isImported = operation.form !== undefined
  if (operation.effect === 'read' && !isImported) return
  const {calls} = judgeRequest(built, target)
  // What a document calls a read may be a write of the built-in contract.
  const other = isImported
    ? calls.find(call => call.operation.id !== operation.id && call.operation.effect !== 'read')
    : calls[0]
  if (other === undefined || other.operation.id === operation.id) return
  throw new Failure('INPUT_INVALID', {
    message: `${operation.method} ${shown.path.split('?', 1)[0]} may be ${other.operation.id}, and this job is ${operation.id}.`,
    hint: advice`Send such rows in a job of their own: ${cardctl('bulk', 'run', {value: other.operation.id}, '--from', {value: 'FILE'})}`,
    effect: 'none',
  })
}

/**
 * What must be agreed to before a request is sent. A path that no contract describes is confirmed by its name.
 *
 * @param demands of all operations that it may be.
 * @throws Failure GATE_REFUSED
 */
export async function wireDemands(
  target: Target,
  {built, calls, known}: JudgedRequest,
  demands: readonly Demand[],
): Promise<readonly Demand[]> {
  const {operation} = built
  for (const each of calls) if (isWrite(each.operation)) await refuseUnreadable(built, each.operation)
  refuseOtherTransfers(target, operation, calls)
  // Other requests without an id are confirmed by the profile's name.
  const path = {name: operation.path, yes: target.kind !== 'live'}
  return distinctDemands(
    known ? demands : demands.map(demand => (demand.name === target.name ? path : demand)),
  )
}

/** The stricter of two demands for the same name. */
function distinctDemands(demands: readonly Demand[]): readonly Demand[] {
  const found = new Map<string, Demand>()
  for (const demand of demands) {
    const key = demand.name ?? demand.warning ?? ''
    const before = found.get(key)
    found.set(key, before === undefined ? demand : {...before, yes: before.yes && demand.yes})
  }
  return [...found.values()]
}

/** Such a request has checks of its own: count and totals, equal rows, what was sent before, from here or elsewhere. */
export const isTransferBatch = ({id}: Pick<Operation, 'id'>): boolean => id === operations['a2a.create.v1'].id

/** The journal finds transfers by their operation, so on a live profile, and in a dialect, they go out as no other. */
function refuseOtherTransfers({name, kind, dialect}: Target, {id}: Operation, calls: readonly Call[]): void {
  const isAny = kind !== 'live' && dialect === undefined
  if (isAny || isTransferBatch({id}) || !calls.some(one => isTransferBatch(one.operation))) return
  throw new Failure('GATE_REFUSED', {
    message: `${dialect === undefined ? `Profile ${name} is live, and this` : 'This'} request sends transfers past their checks.`,
    hint:
      dialect === undefined
        ? advice`Send them with ${cardctl('a2a', 'create', '--data', {value: '@FILE'})}`
        : advice`Send them with ${cardctl('a2a', 'create', '--from', {value: 'FILE'})}`,
    effect: 'none',
  })
}

const isWrite = ({id, effect}: Operation): boolean => id in operations && effect !== 'read'

/**
 * The built-in contract has JSON objects only, and their fields only there. In anything else its irreversible values,
 * amounts and transfers could hide.
 */
async function refuseUnreadable({input, body, path}: BuiltRequest, like: Operation): Promise<void> {
  const refused = (why: string): Failure =>
    new Failure('GATE_REFUSED', {message: `This may be "${like.summary}": ${why}`, effect: 'none'})
  // Of bytes that are given as such, no two parsers need read the same.
  const isRead = isObject(input.body) && !(input.body instanceof Secret) && body?.[0] === OPENING_BRACE
  if (body !== undefined && !isRead)
    throw refused('its body must be a JSON object, so that it can be checked.')
  const own = new Set(like.query.map(({name}) => name))
  const names = [...new URLSearchParams(path.split('?')[1]).keys()].filter(name => !own.has(name))
  if (names.length === 0) return
  const schema = await requestSchema(like.id as OperationId)
  const fields = new Set(Object.keys(schema === undefined ? {} : fieldSchemas(schema)).map(plainWord))
  const field = names.find(name => plainNames(name).some(one => fields.has(one)))
  if (field !== undefined) throw refused(`${field} is a field of its body, so it can't be in the query.`)
}

const OPENING_BRACE = 0x7b

const AUDIT_USER = /^X?AUDITUSER$/
/** Names by which some servers take a request for one of another method. */
const OTHER_METHOD = /^X?(?:HTTP|ORIGINAL)?METHOD(?:OVERRIDE)?$/
/** Headers by which some gateways take a request for one of another path. */
const OTHER_PATH = /^X(?:ORIGINAL|REWRITE|FORWARDED)(?:URL|URI|PATH|PREFIX)$/

/** Whether a service or gateway may take a request with this header for another one. */
export const namesOtherRequest = (header: string): boolean =>
  plainNames(header).some(plain => OTHER_METHOD.test(plain) || OTHER_PATH.test(plain))

/**
 * The audit user, the idempotency key and the method are set by cardctl, so that what it shows and records is what the
 * service gets.
 *
 * @throws Failure USAGE, which names the flag.
 */
export function refuseOwnNames(
  {operation, input}: Call,
  target: Pick<Target, 'auditUserIn' | 'idempotencyHeader'>,
): void {
  const {headers = {}, body} = input
  const [own, query] = [Object.keys(headers), memberNames(input.query)]
  const both = [...own, ...query]
  const keys = [keyHeaderOf(operation, target), KEY_HEADER].map(plainWord)
  const user = {meant: AUDIT_USER, hint: 'Pass --audit-user NAME.'}
  // Another service's document may have a parameter or field of a similar name.
  const all = operation.form === undefined ? [...both, ...memberNames(body)] : []
  const {in: place, name = ''} = target.auditUserIn ?? {}
  const taken = place === 'query' ? query : place === 'header' ? own : []
  const refused = findMeant([
    {...user, names: all},
    {
      names: all,
      meant: [...keys, 'IDEMPOTENCYKEY'],
      hint: 'Pass --idempotency-key KEY; --idempotency-header of the profile names the header of the service.',
    },
    {...user, names: query.filter(one => one.toLowerCase() === 'audituser')},
    {...user, names: own},
    {...user, names: taken, meant: [plainWord(name)]},
    {names: both, meant: keys, hint: 'Pass --idempotency-key KEY.'},
    {names: both, meant: OTHER_METHOD, hint: 'Send the request with its own method.'},
    {names: own, meant: OTHER_PATH, hint: 'Send the request to its own path.'},
  ])
  if (refused === undefined) return
  throw new Failure('USAGE', {
    message: `A request may not set ${refused.name} itself.`,
    hint: refused.hint,
    effect: 'none',
  })
}
