import {beyondLimits} from '../limits/beyond-limits.ts'
import {LIMITS} from '../limits/limits.ts'
import type {PlainRequest} from './plain-http.ts'
import {badRequest, Problem} from './problems.ts'

const decoder = new TextDecoder('utf-8', {fatal: true})

/** What was sent: `undefined` for no body. Nothing of it is quoted in a refusal. */
export function readJsonBody(request: PlainRequest): unknown {
  const {body, headers} = request
  if (body.length > LIMITS.request.bytes) throw bodyTooLarge()
  if (body.length === 0) return undefined
  if (!isJson(headers['content-type'])) {
    throw new Problem(415, 'not-json', 'The body is not JSON', 'Send it as application/json in UTF-8.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem(415, 'encoded-body', 'The body is encoded', 'Send it without a content encoding.')
  }
  const text = decoded(body)
  const beyond = beyondLimits(text, LIMITS.request)
  if (beyond) throw badRequest('body-beyond-limits', `The body ${beyond.why}.`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own message quotes the input.
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
    `At most ${LIMITS.request.bytes} bytes are taken.`,
  )
}

function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  return type === 'application/json' || (type?.startsWith('application/') === true && type.endsWith('+json'))
}
