import {exceededLimit, LIMITS} from '../limits/limits.ts'
import {instant} from './clock.ts'
import {badRequest, Problem} from './problems.ts'

const decoder = new TextDecoder('utf-8', {fatal: true})

/** Parses the body; `undefined` without one. A problem never quotes it. */
export function readJsonBody(request: PlainRequest): unknown {
  const {body, headers} = request
  if (body.length > LIMITS.request.bytes) throw bodyTooLarge()
  if (body.length === 0) return undefined
  if (!isJson(headers['content-type'])) {
    throw new Problem(415, 'not-json', 'The body is not JSON', 'Send the body as application/json in UTF-8.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem(415, 'encoded-body', 'The body is encoded', 'Send the body without a content encoding.')
  }
  const text = decoded(body)
  const beyond = exceededLimit(text, LIMITS.request)
  if (beyond) throw badRequest('body-beyond-limits', `The body ${beyond.why}.`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The message of the parser quotes the input.
    throw noJson()
  }
}

function decoded(body: Uint8Array): string {
  try {
    return decoder.decode(body)
  } catch {
    throw noJson()
  }
}

const noJson = (): Problem => badRequest('invalid-json', 'The body is not valid JSON in UTF-8.')

export function bodyTooLarge(): Problem {
  return new Problem(
    413,
    'body-too-large',
    'The body is too large',
    `A body may have at most ${LIMITS.request.bytes} bytes.`,
  )
}

function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  return type === 'application/json' || (type?.startsWith('application/') === true && type.endsWith('+json'))
}

/** Where a request came from, which decides about control operations without authentication. */
export type Origin = 'embedded' | 'loopback' | 'network'

/** An HTTP request without a framework. */
export interface PlainRequest {
  readonly method: string
  /** Path and query, percent-encoded as on the request line. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** `embedded` when absent. */
  readonly origin?: Origin
}

/** A request as a caller of `handle` passes it. Headers and body may be absent. */
export interface HandledRequest extends Pick<PlainRequest, 'method' | 'url' | 'origin'> {
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Uint8Array | string | undefined
}

/** An HTTP response without a framework, with raw bytes. */
export interface PlainResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  /** Close the connection without a response; status, headers and body then have no meaning. */
  readonly drop?: true
}

/** A response with its body as text, so that a server can send head and body in one write. */
export interface TextResponse extends Omit<PlainResponse, 'body'> {
  readonly text: string
}

const encoder = new TextEncoder()

export function plainResponse({text, ...reply}: TextResponse): PlainResponse {
  return {...reply, body: encoder.encode(text)}
}

/** A response with a body of text. */
export function textResponse(
  status: number,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): TextResponse {
  const length = String(Buffer.byteLength(text))
  return {status, headers: {...headers, 'content-type': contentType, 'content-length': length}, text}
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): TextResponse {
  return textResponse(status, 'application/json', JSON.stringify(value), headers)
}

export function emptyResponse(status: number, headers: Readonly<Record<string, string>> = {}): TextResponse {
  return {status, headers: {...headers, 'content-length': '0'}, text: ''}
}

/** RFC 9457, with the fields that the service adds: `id` of the incident and `timestamp`. */
export function problemResponse(
  problem: Problem,
  about: {path: string; id: string; now: number},
): TextResponse {
  const body = {
    type: `urn:problem:${problem.kind}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    instance: about.path,
    id: about.id,
    timestamp: instant(about.now),
    ...problem.members,
  }
  return textResponse(problem.status, 'application/problem+json', JSON.stringify(body), problem.headers)
}

/** Closes the connection without a response. */
export function droppedConnection(): TextResponse {
  return {status: 0, headers: {}, text: '', drop: true}
}
