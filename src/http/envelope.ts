import type {AnswerMark, AnyInput, Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import type {Shape} from '../contract/shape.ts'
import {isObject} from '../errors/is-object.ts'
import type {Target} from '../profiles/target.ts'
import {pointerBelow, tokensOf, valuesAt} from '../sensitive/json-pointer.ts'
import {maskSaid} from '../sensitive/mask-encoded.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'

/** Where responses to an operation of the built-in contract have their content; undefined if they are the content. */
export const envelopeFor = ({id, group}: Operation, {service}: Target): string | undefined =>
  Object.hasOwn(operations, id) && group !== 'sandbox' ? service?.envelope : undefined

/**
 * What a body has at the pointer of its envelope: an object or a list. Undefined if it has none there, or if what is around
 * it reports an error.
 */
export function contentOf(body: unknown, envelope: string): unknown {
  let at = body
  for (const name of tokensOf(envelope)) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    const {[name]: inner, ...around} = at
    if (holdsError(around)) return undefined
    at = inner
  }
  return typeof at === 'object' && at !== null ? at : undefined
}

const DEEPEST = 2

/**
 * Where a response seems to have its content, if not where the contract has it: in the field that the contract doesn't know
 * and whose value has most of the described fields, unless those outside are as many.
 */
export function likelyEnvelope(shape: Shape | undefined, body: unknown): string | undefined {
  if (!isObject(body) || typeof shape !== 'object') return undefined
  const own = 'members' in shape ? shape.members : new Map<string, Shape>()
  if (bringsPart(body, own)) return undefined
  const outside = describedIn(shape, body)
  let best: {readonly at: string; readonly fields: number} | undefined
  const look = (holder: Readonly<Record<string, unknown>>, before: string, depth: number): void => {
    for (const [name, value] of Object.entries(holder)) {
      if (depth === 1 && own.has(name)) continue
      const at = pointerBelow(before, name)
      const fields = describedIn(shape, value)
      const isLike = fields > outside || ENVELOPE.test(name)
      if (isLike && fields > (best?.fields ?? 0)) best = {at, fields}
      if (depth < DEEPEST && isObject(value)) look(value, at, depth + 1)
    }
  }
  look(body, '', 1)
  return best?.at
}

const ENVELOPE = /^(?:data|results?|response|body|payload|content|items?|value)$/i

function describedIn(shape: Shape, value: unknown): number {
  if (typeof shape !== 'object') return 0
  if ('items' in shape) {
    return Array.isArray(value) ? Math.max(0, ...value.map(item => describedIn(shape.items, item))) : 0
  }
  if (!('members' in shape) || !isObject(value)) return 0
  return Object.keys(value).filter(name => shape.members.has(name)).length
}

type Members = ReadonlyMap<string, Shape>
type Body = Readonly<Record<string, unknown>>

const NONE: Members = new Map()

/** A clause about a response. */
export const HOLDS_ERROR = 'it holds an error'

/** Fields in which services and gateways report errors. */
const ERROR =
  /^(?:(?:is|has|sub)_?)?(?:errors?|faults?|exceptions?)(?:_?(?:code|message|description|details?|list|text|type))?$/i
/** States that say that something failed. */
const FAILED = /^(?:err|error|fail|failed|failure|ko|nok|rejected|denied|unauthori[sz]ed|forbidden)$/i
/** Fields that both successes and errors have. */
const ERROR_TOO = new Set(['id', 'status', 'description', 'type', 'title', 'detail', 'message', 'reason'])

/**
 * Whether the body of a 2xx reports an error instead of a result, judged alike for reads and writes. A field that the
 * contract describes is no report, whatever its name: a batch with the status FAILED is an answer.
 *
 * @param known the fields that the contract describes.
 */
export function holdsError(body: Body, known: Members = NONE): boolean {
  const own = unlisted(body, known)
  if (saysNo(body, known)) return true
  if (!bringsPart(body, known) && (isErrorBlock(own) || Object.entries(body).some(isFailedEnvelope)))
    return true
  if (Object.keys(body).some(name => ERROR.test(name) && isFilled(own(name)))) return true
  if (isFailure(own('status')) || isFailure(own('statusCode')) || isFailedWord(own('result'))) return true
  // RFC 9457, with or without its media type. The operation may have a field `status` itself.
  if (isRefusal(body.status) && [own('title'), own('detail')].some(isFilled)) return true
  if (own('title') !== undefined && own('type') !== undefined && own('status') !== undefined) return true
  return hasFailed(body, known) || (isFailure(body.status) && !bringsPart(body, known))
}

/** Whether every item of a list reports an error. */
export const holdsErrors = (list: readonly unknown[], items: Shape): boolean =>
  list.length > 0 &&
  list.every(
    item => isObject(item) && holdsError(item, membersOf(items)) && !bringsPart(item, membersOf(items)),
  )

/** Whether the body says plainly that the request was not carried out, whatever else it has. */
export const saysNo = (body: Body, known: Members = NONE): boolean =>
  Object.entries(body).some(
    ([name, value]) =>
      SUCCESS.test(name) &&
      !known.has(name) &&
      /^false$/i.test(typeof value === 'object' ? '' : String(value)),
  )

/** `success`, `isSuccess`, `ok` … */
const SUCCESS = /^(?:is_?|was_?)?(?:success(?:ful|fully)?|succeeded|ok)$/i

/** Finds a field that the contract doesn't describe, in any capital letters. */
function unlisted(body: Body, known: Members): (name: string) => unknown {
  const names = new Map<string, string>()
  for (const name of Object.keys(body).toReversed()) names.set(name.toLowerCase(), name)
  return name => {
    const found = names.get(name.toLowerCase())
    return found === undefined || known.has(found) ? undefined : body[found]
  }
}

/** `{"code": 500, "message": "internal"}`, or a result code of ISO 8583 or of a bank's own that is no success. */
function isErrorBlock(own: (name: string) => unknown): boolean {
  if (isRefusal(own('code')) && ['message', 'msg', 'description', 'detail'].some(name => isFilled(own(name))))
    return true
  return ['responseCode', 'resultCode', 'returnCode', 'response_code', 'result_code'].some(name => {
    const code = own(name)
    return (typeof code === 'string' || typeof code === 'number') && !DONE.test(String(code))
  })
}

const DONE = /^\s*(?:0*|20[0-4]|ok|done|success(?:ful)?|approved|accepted|completed)\s*$/i

/** An envelope whose content is an error: `{"data": {"success": false}}`. */
const isFailedEnvelope = ([name, value]: readonly [string, unknown]): boolean =>
  /^(?:data|result|response|body|payload|meta)$/i.test(name) &&
  isObject(value) &&
  (saysNo(value) || Object.entries(value).some(([inner, one]) => ERROR.test(inner) && isFilled(one)))

/** Whether the body has a state of failure that the contract doesn't list among the states. */
export const hasFailed = (body: Body, known: Members): boolean =>
  isFailure(body.status) && isForeign(body.status, known.get('status'))

/** Whether the body has any member of the resource that was asked for, apart from those that errors have as well. */
export const bringsPart = (body: Body, known: Members): boolean =>
  Object.keys(body).some(name => known.has(name) && !ERROR_TOO.has(name))

/** Whether the contract lists the values of a field, and this is none of them. */
function isForeign(value: unknown, shape: Shape | undefined): boolean {
  if (typeof shape !== 'object') return false
  if ('values' in shape) return !shape.values.includes(String(value))
  return 'fits' in shape && !shape.fits.test(String(value))
}

const membersOf = (shape: Shape): Members =>
  typeof shape === 'object' && 'members' in shape ? shape.members : NONE

const isRefusal = (status: unknown): boolean => Number(status) >= 400 && Number(status) < 600

const isFailedWord = (state: unknown): boolean => typeof state === 'string' && FAILED.test(state.trim())

const isFailure = (state: unknown): boolean => isRefusal(state) || isFailedWord(state)

/** What stands for "no error": `error: null`, `errors: []`, `errorCode: "0"`. */
const NOTHING = /^\s*(?:0*|ok|none|null|no[ _]?errors?|success(?:ful)?)\s*$/i

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false
  if (typeof value === 'string') return !NOTHING.test(value)
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** The id that a request asks for, and where a response to it names the resource. */
export interface AskedId extends Pick<AnswerMark, 'at' | 'isGuess'> {
  readonly id: string
}

/**
 * Which id a response to this request must repeat, if it has one there.
 *
 * @param chosen the profile's own pointer for the operation, or `none`.
 */
export function askedId(
  {answers, pathParams}: Pick<Operation, 'answers' | 'pathParams'>,
  {path}: Pick<AnyInput, 'path'>,
  chosen: string | undefined,
): AskedId | undefined {
  if (chosen === 'none') return undefined
  const mark = chosen === undefined ? answers : {param: answers?.param ?? pathParams.at(-1) ?? '', at: chosen}
  // A secret is no text.
  const id: unknown = mark && Object.hasOwn(path, mark.param) ? path[mark.param] : undefined
  return mark === undefined || typeof id !== 'string' ? undefined : {...mark, id}
}

/** How much of another id is quoted. */
const LONGEST = 64

/**
 * Says which other resource a response names, as a clause about the response; undefined if it names the one that was
 * asked for, or none at all. Ids are compared as text: 3001 is "3001", and "03001" is another one.
 */
export function otherResource(asked: AskedId | undefined, body: unknown): string | undefined {
  if (asked === undefined) return undefined
  const other = valuesAt(body, asked.at)
    .filter(value => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .map(String)
    .find(id => isOther(asked, id))
  if (other === undefined) return undefined
  const name = asked.at.split('/').findLast(step => step !== '*') ?? 'id'
  return `it belongs to something else: ${name} is ${quoted(other)}, not ${quoted(asked.id)}`
}

function isOther({id, isGuess}: AskedId, named: string): boolean {
  // What is hidden can't be compared.
  if (named === id || named.includes(MASK)) return false
  if (UUID.test(named) && UUID.test(id)) return named.toLowerCase() !== id.toLowerCase()
  // Where nobody promised which id comes back, a word such as `me` may stand for one, and a name for a number.
  return !isGuess || (PLAIN_NUMBER.test(named) && PLAIN_NUMBER.test(id))
}

/** RFC 9562: capitals mean the same. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PLAIN_NUMBER = /^[1-9]\d*$/

const quoted = (id: string): string => {
  const shown = maskWithin(maskSaid(id), LONGEST)
  return /^[\w.-]+$/.test(shown) ? shown : JSON.stringify(shown)
}
