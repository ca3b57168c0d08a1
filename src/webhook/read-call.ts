import type {IncomingMessage, ServerResponse} from 'node:http'
import type {WebhookCallCheck} from '../contract/validate.ts'
import type {Violation} from '../contract/violation.ts'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import {isObject} from '../errors/is-object.ts'
import {isDeeperThan, LIMITS} from '../limits/limits.ts'
import {type Masked, maskByShape} from '../sensitive/mask-by-shape.ts'
import {maskBroken} from '../sensitive/redact.ts'
import {amountFaults} from './amount-faults.ts'
import {BodyFault, readBody} from './read-body.ts'
import type {ReceivedCall} from './received-call.ts'
import {type Problem, unreadable} from './respond.ts'
import {countedViolations, type Translator} from './translator.ts'

/** How long to wait for a body, ms: bodies are small. */
const READ_MS = 1000

/** A longer list of differences doesn't help. */
const MOST = 10

/** Ends the handling of a call; its problem is the response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.title)
    this.problem = problem
  }
}

/** The bytes of a call's body. @throws Refusal for too many, too slow, or cut off. */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  deadlineMs: number,
): Promise<Buffer> {
  // A body that declares itself too large is refused without reading it.
  if (Number(request.headers['content-length']) > LIMITS.call.bytes)
    throw new Refusal(unreadable['too-large'])
  const {expect, 'content-encoding': encoding = 'identity'} = request.headers
  if (encoding !== 'identity') throw new Refusal(unreadable.encoding)
  // HTTP/1.0 has no interim responses (RFC 9110, 10.1.1).
  if (expect && request.httpVersion !== '1.0') {
    if (!/^100-continue(\s*,\s*100-continue)*$/i.test(expect)) throw new Refusal(unreadable.expectation)
    response.writeContinue()
  }
  try {
    return await readBody(request, {limit: LIMITS.call.bytes, withinMs: Math.min(READ_MS, deadlineMs)})
  } catch (error) {
    throw new Refusal(unreadable[error instanceof BodyFault ? error.reason : 'cut'])
  }
}

/** A body as it arrived, and as it may be shown. */
export interface Parsed extends Masked {
  /** Undefined for a warm-up without a body. */
  readonly body: ReceivedCall | undefined
  /** As it came, if the service has a form of its own. */
  readonly theirs?: unknown
  /** Where it differs from the contract: at most ten. */
  readonly differs: readonly Violation[]
}

/** The content of a body that is refused. */
export interface Refused {
  readonly masked: unknown
  readonly refusal: Refusal
}

/**
 * Reads a body and compares it with the contract. Accepts every JSON object, because services differ, and reports the
 * differences. In strict mode a body that differs is refused.
 */
export function parseCall(
  check: WebhookCallCheck,
  id: keyof typeof webhookShapes,
  {
    bytes,
    strict,
    translator,
  }: {readonly bytes: Buffer; readonly strict: boolean; readonly translator?: Translator | undefined},
): Parsed | Refused {
  const text = bytes.toString('utf8')
  if (id === 'webhook.warmUp' && translator)
    return {body: undefined, masked: undefined, unknown: [], differs: []}
  if (id === 'webhook.warmUp' && !strict && /^\s*$/.test(text)) {
    return {body: undefined, masked: undefined, unknown: [], differs: NO_BODY}
  }
  let body: unknown
  try {
    // Other bytes are no text (RFC 8259, 8.1). A byte order mark is left out.
    body = JSON.parse(UTF8.decode(bytes))
  } catch {
    return {masked: maskBroken(text), refusal: new Refusal(unreadable.json)}
  }
  const theirs = body
  if (!isObject(theirs)) return {masked: maskedAs(id, theirs).masked, refusal: new Refusal(unreadable.object)}
  if (translator && isDeeperThan(theirs, LIMITS.call.depth))
    return {masked: maskBroken(text), refusal: new Refusal(unreadable.deep)}
  const translated = translator?.readCall(theirs)
  // As text, because it is no call of ours that could be sent again.
  if (translated && translated.unreadable.length > 0)
    return {
      masked: JSON.stringify(maskedAs(id, theirs).masked),
      refusal: unfit(translated.unreadable.slice(0, MOST)),
    }
  body = translated ? translated.ours : theirs
  const {masked, unknown} = maskedAs(id, body)
  if (!isObject(body)) return {masked, refusal: new Refusal(unreadable.object)}
  const violations = [
    ...(translated?.differs ?? []),
    ...countedViolations(check(id, body), translator),
    ...amountFaults(body),
  ]
  // The contract is flat, so such nesting can't match it, and few programs could read the recording.
  if (unknown.length + violations.length > 0 && isDeeperThan(body, LIMITS.call.depth)) {
    return {masked: maskBroken(text), refusal: new Refusal(unreadable.deep)}
  }
  const read = {body, masked, unknown, ...(translator && {theirs})}
  if (violations.length === 0) return {...read, differs: violations}
  const differs = violations.slice(0, MOST).map(({pointer, message}) => ({pointer, message}))
  return strict ? {masked, refusal: unfit(differs)} : {...read, differs}
}

const UTF8 = new TextDecoder('utf-8', {fatal: true})

const maskedAs = (id: keyof typeof webhookShapes, body: unknown): Masked =>
  maskByShape(webhookShapes[id].request, body)

const NO_BODY: readonly Violation[] = [{pointer: '', message: 'the body is missing'}]

function unfit(differs: readonly Violation[]): Refusal {
  const errors = differs.map(({pointer, message}) => ({pointer, detail: message}))
  return new Refusal({...unreadable.contract, detail: errors[0]?.detail ?? '', errors})
}
