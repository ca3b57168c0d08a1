import type {ServerResponse} from 'node:http'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import type {CallCredentials} from '../network/call-credentials.ts'
import {maskByShape} from '../sensitive/mask-by-shape.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {AuthAnswer, Outgoing} from './decide.ts'
import type {AuthEvent, Exchange} from './exchange.ts'
import {outcomeOf} from './response-codes.ts'

/** The fields of an event that describe an answer. */
export function outcomeOfAnswer(answer: Outgoing): Pick<AuthEvent, 'outcome' | 'code' | 'part'> {
  if (answer.kind === 'none') return {outcome: 'none'}
  if (answer.kind === 'raw') return {outcome: 'broken', code: String(answer.status)}
  const {authResponseCode, partialApprovalAmount} = answer.reply.transactionData
  const {code} = authResponseCode
  const outcome = outcomeOf(code)
  if (outcome !== 'partial' || !partialApprovalAmount) return {outcome, code}
  const {amount, currency} = partialApprovalAmount
  return {outcome, code, part: {amount, currency}}
}

/** The recorded part of an answer, masked. */
export function writtenAnswer(answer: Outgoing): Pick<Exchange, 'reply'> {
  if (answer.kind === 'none') return {}
  if (answer.kind === 'raw') {
    const {status, body} = answer
    return {reply: {status, ...(hasNoBody(status) ? {} : {headers: JSON_HEADERS}), body: maskText(body)}}
  }
  return {reply: {status: 200, headers: JSON_HEADERS, body: formsOf(answer.reply).masked}}
}

/** @param written the answer as the service reads it, if that is not ours. */
export function sendAnswer(
  response: ServerResponse,
  answer: Outgoing,
  written?: {readonly status: number; readonly body: unknown},
): void {
  if (answer.kind === 'none') response.destroy()
  else if (written) sendText(response, written.status, JSON.stringify(written.body))
  else if (answer.kind === 'raw') sendText(response, answer.status, answer.body)
  else sendText(response, 200, formsOf(answer.reply).text)
}

/** An answer as it is shown and as it is sent. */
interface Forms {
  readonly reply: AuthAnswer
  readonly masked: unknown
  readonly text: string
}

let newest: Forms | undefined

/** Most answers are the same as the one before. */
function formsOf(reply: AuthAnswer): Forms {
  if (newest?.reply !== reply) {
    const {masked} = maskByShape(webhookShapes['webhook.auth'].reply, reply)
    newest = {reply, masked, text: JSON.stringify(reply)}
  }
  return newest
}

/** RFC 9457. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The differences from the contract. */
  readonly errors?: readonly {readonly pointer: string; readonly detail: string}[]
}

const problem = (status: number, title: string, detail: string): Problem => ({
  type: 'about:blank',
  title,
  status,
  detail,
})

/** Answers to calls without a decision. None of them quotes the call. */
export const unreadable = {
  http: problem(400, 'Bad Request', 'the request is not HTTP'),
  headers: problem(431, 'Request Header Fields Too Large', 'the head of the request is too large'),
  host: problem(400, 'Bad Request', 'the Host header is missing'),
  expectation: problem(417, 'Expectation Failed', 'the only supported expectation is 100-continue'),
  credentials: problem(401, 'Unauthorized', 'the credentials are missing or wrong'),
  method: problem(405, 'Method Not Allowed', 'use POST'),
  json: problem(400, 'Bad Request', 'the body is not JSON'),
  object: problem(400, 'Bad Request', 'the body is not a JSON object'),
  deep: problem(400, 'Bad Request', 'the body is nested more than 60 deep'),
  contract: problem(400, 'Bad Request', 'the call does not match the contract'),
  conflict: problem(
    409,
    'Conflict',
    'another call had this id, and this one has no transactionData to decide',
  ),
  'too-large': problem(413, 'Content Too Large', 'the body is larger than 64 KiB'),
  'too-slow': problem(408, 'Request Timeout', 'the body did not come in time'),
  encoding: problem(415, 'Unsupported Media Type', 'the body is compressed'),
  origin: problem(403, 'Forbidden', 'calls from web pages are refused'),
  cut: problem(400, 'Bad Request', 'the caller closed the connection'),
  late: problem(503, 'Service Unavailable', 'no decision within the deadline'),
  coldLate: problem(503, 'Service Unavailable', 'no answer to the warm-up within the deadline'),
  undecided: problem(502, 'Bad Gateway', 'there is no usable decision'),
  fault: problem(500, 'Internal Server Error', 'the listener failed on this call'),
} as const satisfies Readonly<Record<string, Problem>>

export const unknownPath = (paths: Iterable<string>): Problem =>
  problem(404, 'Not Found', `calls go to ${[...paths].join(' and ')}`)

/** Of every answer that is no problem. */
export const JSON_HEADERS = {'content-type': 'application/json'}

/** HTTP gives these no body (RFC 9110, 6.4.1). */
const hasNoBody = (status: number): boolean => status === 204 || status === 304

/** How long a caller may send unread bytes before it reads its answer, in ms. */
const LINGER_MS = 1000

/** Ends a response with a JSON text. Does nothing if the caller has disconnected. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = JSON_HEADERS,
): void {
  if (response.destroyed || response.headersSent) return
  const whole = response.req.complete
  // The rest of an unread body must not be taken for the next call.
  if (!whole) response.setHeader('connection', 'close')
  if (hasNoBody(status)) return void response.writeHead(status).end()
  response.writeHead(status, {...headers, 'content-length': Buffer.byteLength(text)})
  // As a string it is sent in one piece with the head.
  if (whole) response.end(text)
  else endAfterRest(response, text)
}

/** Closing a connection while the caller still sends resets it, and the answer may be lost. */
function endAfterRest(response: ServerResponse, text: string): void {
  response.write(text)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  response.req.once('end', end).once('close', end).resume()
}

/** A 401 must name a scheme, also where none is registered. */
const SCHEMES = {basic: 'Basic', bearer: 'Bearer', header: 'Header'} as const

/** The headers of a problem; a 401 names the scheme, a 405 the allowed methods. */
function problemHeaders({status}: Problem, {auth, signature}: CallCredentials): Record<string, string> {
  const scheme = auth ? SCHEMES[auth.type] : signature ? 'Signature' : 'Basic'
  return {
    'content-type': 'application/problem+json',
    ...(status === 401 ? {'www-authenticate': `${scheme} realm="webhook"`} : {}),
    ...(status === 405 ? {allow: 'POST'} : {}),
  }
}

/** The recorded part of a problem. */
export const writtenProblem = (
  problem: Problem,
  credentials: CallCredentials,
): NonNullable<Exchange['reply']> => ({
  status: problem.status,
  headers: problemHeaders(problem, credentials),
  body: problem,
})

/** Ends a response with a problem (RFC 9457). */
export function sendProblem(response: ServerResponse, problem: Problem, credentials: CallCredentials): void {
  sendText(response, problem.status, JSON.stringify(problem), problemHeaders(problem, credentials))
}
