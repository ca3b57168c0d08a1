import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {responseShapes} from '../contract/response-shapes.gen.ts'
import type {Shape} from '../contract/shape.ts'
import type {OperationId} from '../contract/types.ts'
import {type BodyDifference, responseDifferences} from '../contract/validate.ts'
import type {Read} from '../dialect/index.ts'
import {isObject} from '../errors/is-object.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {maskExceptSensitive} from '../sensitive/mask-by-shape.ts'
import {redact} from '../sensitive/redact.ts'
import type {WireResponse} from './attempt.ts'
import {
  bringsPart,
  HOLDS_ERROR,
  hasFailed,
  holdsError,
  holdsErrors,
  likelyEnvelope,
  otherResource,
  saysNo,
} from './envelope.ts'
import type {ReceivedBody, ReceivedFile} from './response-body.ts'
import type {BuiltRequest, ResponseCheck} from './send-types.ts'

/** A 2xx: its content, or why it proves nothing. */
export type ReadResponse =
  | {
      readonly proven: true
      readonly value: unknown
      /** The same before anything in it was masked. */
      readonly unmasked: unknown
      readonly differences: readonly BodyDifference[]
      readonly isForeign: boolean
      /** What it holds instead of text. */
      readonly file?: ReceivedFile
      /** Where its content seems to be, if not where the contract has it. */
      readonly likelyEnvelope?: string | undefined
    }
  | {
      readonly proven: false
      /** A clause about the body: "it is an HTML page, perhaps from a proxy or a login page". */
      readonly why: string
      /** The content, if it is JSON: it may hold an id that the user needs. */
      readonly value?: unknown
      readonly likelyEnvelope?: string | undefined
      /** It names another resource than the one that was asked for. */
      readonly isOther?: true
      /** The service's own words, which it would repeat to the same request. */
      readonly isFinal?: true
    }

/**
 * Reads a 2xx leniently: what a command needs must be there, everything else is taken as it is. Differences from the
 * contract are listed but not refused.
 *
 * @param pause is awaited between the steps, so that timers and signals act; if it throws, reading ends.
 */
export async function readResponse(
  {operation, asked, translated}: BuiltRequest,
  {status, headers}: WireResponse,
  body: ReceivedBody,
  check: ResponseCheck,
  pause: () => Promise<void>,
): Promise<ReadResponse> {
  const theirs = readValue(body, operation)
  if ('wrong' in theirs) return {proven: false, why: theirs.wrong}
  const read = translated ? ours(translated, theirs.value) : theirs
  if ('wrong' in read) return {proven: false, why: read.wrong, ...foreignValue(operation, theirs.value)}
  const shape = operation.form ? operation.form.responseShape : responseShape(operation)
  const isEmptyList =
    status === 204 && read.value === undefined && typeof shape === 'object' && 'items' in shape
  const value = isEmptyList ? [] : read.value
  const isProblem = /^\s*application\/problem\+/i.test(headers['content-type'] ?? '')
  const envelope = operation.form || translated ? undefined : likelyEnvelope(shape, value)
  const wrong = isProblem
    ? 'it describes a problem'
    : (unproven(operation, shape, value) ?? elsewhere(operation, envelope))
  const other = wrong === undefined && envelope === undefined ? otherResource(asked, value) : undefined
  const why = wrong ?? other
  await pause()
  const readable = readableResponse(operation, value)
  await pause()
  const held = value === undefined ? {} : {value: readable}
  if (why !== undefined) {
    return {
      proven: false,
      why,
      ...held,
      ...(other === undefined ? {} : {isOther: true}),
      ...(envelope === undefined ? {} : {likelyEnvelope: envelope}),
    }
  }
  const open = notCarriedOut(operation, status)
  if (open !== undefined) return {proven: false, why: open, isFinal: true, ...held}
  const found = await check(operation, status, value)
  const differences =
    'differences' in read
      ? [...read.differences, ...found.filter(one => isOfDialect(one, translated))]
      : found
  const file = body.kind === 'file' ? {file: body.file} : {}
  return {
    proven: true,
    value: readable,
    unmasked: value,
    differences,
    isForeign: envelope !== undefined || isForeign(shape, value),
    likelyEnvelope: envelope,
    ...file,
  }
}

/** The content of a 2xx as the dialect reads it. It may report an error that no member of ours shows. */
function ours({read, known, content}: Translated, value: unknown): Read {
  const members = new Map<string, Shape>([...known].map(name => [name, 'unknown']))
  const isError = [value, content(value)].some(one => isObject(one) && holdsError(one, members))
  return isError ? {wrong: HOLDS_ERROR} : read(value)
}

type Translated = NonNullable<BuiltRequest['translated']>

/** What can be shown of theirs: of a disclosure nothing, because its marks are for the contract's names. */
const foreignValue = ({sensitive}: Operation, value: unknown) =>
  value === undefined || sensitive.reply.length > 0 ? {} : {value: redact(value, {sensitive: []})}

/** What the service doesn't have, and its status and ids, are its own; the dialect says what it has. */
const isOfDialect = ({pointer, problem}: BodyDifference, translated: Translated | undefined): boolean =>
  problem === 'is missing'
    ? translated?.maps(pointer) === true
    : translated?.abridges(pointer) !== true && pointer !== '' && !/(?:^|\/)id$|Id$/.test(pointer)

/** The value in the body of a 2xx, or what is wrong with it. */
function readValue(body: ReceivedBody, {id, form, success}: Operation): {value: unknown} | {wrong: string} {
  const isAny = success.length === 0
  switch (body.kind) {
    case 'empty':
      return {value: undefined}
    case 'json':
      return {value: body.value}
    case 'text':
      return isAny ? {value: body.text} : {wrong: 'it is not JSON'}
    case 'file':
      // A description of it: the bytes go to whoever asked for them.
      return isAny || (form === undefined && !Object.hasOwn(operations, id))
        ? {value: {type: body.file.type, size: body.file.bytes.length}}
        : {wrong: `it is ${body.file.type} and not JSON`}
    case 'html':
      return {wrong: 'it is an HTML page, perhaps from a proxy or a login page'}
    case 'unreadable':
      return {wrong: body.why}
  }
}

/** How a success differs from the contract; empty for an operation that the contract doesn't describe. */
export const contractCheck: ResponseCheck = async ({id, form}, status, body) => {
  if (form) return form.checkResponse(status, body)
  return Object.hasOwn(operations, id) ? responseDifferences(id as OperationId, status, body) : []
}

/** The contract's shape of a success, undefined if there is none. */
export function responseShape({id}: Operation): Shape | undefined {
  return Object.hasOwn(responseShapes, id) ? responseShapes[id] : undefined
}

/**
 * A response without card numbers and secrets in free text and in fields that the contract doesn't describe. Described
 * values stay unchanged. If the contract describes no response, names and appearance decide.
 */
function readableResponse(operation: Operation, body: unknown): unknown {
  const {form, sensitive, ids, personal} = operation
  if (form?.handsOut) return body
  if (form)
    return redact(body, {
      sensitive: sensitive.reply,
      plain: [...(ids?.reply ?? []), ...(personal?.reply ?? [])],
    })
  return maskExceptSensitive(responseShape(operation) ?? 'unknown', body)
}

/** What decides about a success: the operation's effect and the fields that its response must have. */
type Proven = Pick<Operation, 'effect' | 'needs'>

/**
 * Why a 2xx doesn't prove that the service carried out the request, as a clause about the response ("it holds an
 * error"); undefined if it does. A login page, a proxy or a gateway may also answer 200, so a success must look like
 * one: JSON of the right kind (object or list) with the fields that the operation needs. Everything else may differ.
 *
 * @param shape the contract's shape of the response; undefined if it describes none.
 * @param body the parsed JSON, undefined if there was no content.
 */
export function unproven(
  {effect, needs = []}: Proven,
  shape: Shape | undefined,
  body: unknown,
): string | undefined {
  if (typeof shape !== 'object') return isObject(body) && holdsError(body) ? HOLDS_ERROR : undefined
  if (body === undefined) {
    if (effect === 'read') return 'it is empty'
    return needs.length === 0 ? undefined : `it is empty, and ${namesOf(needs)} is due`
  }
  if ('items' in shape) {
    if (!Array.isArray(body)) return isObject(body) && holdsError(body) ? HOLDS_ERROR : 'it is no list'
    return holdsErrors(body, shape.items) ? HOLDS_ERROR : undefined
  }
  if (!('members' in shape)) return undefined
  if (!isObject(body)) return Array.isArray(body) ? 'it is a list' : 'it is neither an object nor a list'
  const isError = holdsError(body, shape.members)
  const missing = needs.filter(pointer => !valuesAt(body, pointer).some(value => fits(shape, pointer, value)))
  if (missing.length > 0) return isError ? HOLDS_ERROR : `it has no ${namesOf(missing)}`
  if (!isError) return undefined
  // With what was asked for, it is a result that also reports something.
  const isResult =
    effect === 'read'
      ? needs.length > 0 || bringsPart(body, shape.members)
      : needs.length > 0 && !hasFailed(body, shape.members)
  return isResult && !saysNo(body, shape.members) ? undefined : HOLDS_ERROR
}

/** What proves a write lies in what seems to be an envelope: a field of the same name outside is another one. */
const elsewhere = ({effect, needs = []}: Proven, envelope: string | undefined): string | undefined =>
  envelope !== undefined && effect !== 'read' && needs.length > 0
    ? `its content is in ${pointerWords(envelope)}`
    : undefined

/** Whether a response has fields, but none of those that the contract describes. Of a list, whether no item has one. */
function isForeign(shape: Shape | undefined, value: unknown): boolean {
  if (typeof shape !== 'object') return false
  if ('items' in shape) {
    return Array.isArray(value) && value.length > 0 && value.every(item => isForeign(shape.items, item))
  }
  if (!('members' in shape) || !isObject(value)) return false
  const names = Object.keys(value)
  return names.length > 0 && !names.some(name => shape.members.has(name))
}

const namesOf = (pointers: readonly string[]): string => pointers.map(pointerWords).join(' and ')

const pointerWords = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

/** A list if the contract has a list; else text or a number, because services write ids either way. */
function fits(shape: Shape, pointer: string, value: unknown): boolean {
  const wanted = shapeAt(shape, pointer)
  if (typeof wanted === 'object' && 'items' in wanted) return Array.isArray(value)
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
}

function shapeAt(shape: Shape, pointer: string): Shape | undefined {
  let at: Shape | undefined = shape
  for (const name of pointer.split('/').slice(1)) {
    at = typeof at === 'object' && 'members' in at ? at.members.get(name) : undefined
  }
  return at
}

/** Statuses with which a service says that it has carried out a request (RFC 9110, 15.3). */
const CARRIED_OUT = new Set([200, 201, 203, 204])

/**
 * Why a 2xx doesn't say that a write was carried out, as a clause about the response; undefined if it does. 202 says
 * only that the request was received, and the others speak of parts of it or of something else, unless the contract
 * lists them. A read or a disclosure shows what it got, so its status doesn't matter.
 */
export function notCarriedOut(
  {effect, success, form}: Pick<Operation, 'effect' | 'success' | 'form'>,
  status: number,
): string | undefined {
  if (effect === 'read' || effect === 'disclose' || CARRIED_OUT.has(status)) return undefined
  const isListed = form === undefined ? success.includes(status) : form.lists(status)
  if (isListed) return undefined
  return status === 202
    ? 'it says only that the request was received, and the contract does not list 202'
    : `the contract does not list ${status}`
}
