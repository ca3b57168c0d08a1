import type {Operation} from '../contract/operation.ts'
import {maskSaid} from '../sensitive/mask-encoded.ts'
import {maskHeaders, maskUrl} from '../sensitive/mask-request.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import type {AttemptResult} from './attempt.ts'
import {networkFault} from './network-fault.ts'
import type {ReceivedBody} from './response-body.ts'
import type {BuiltRequest} from './send-types.ts'

type Headers = Readonly<Record<string, string>>

/** More of a body is of no use in a terminal. */
const LONGEST_BODY = 4000

function headerLines(
  mark: string,
  headers: Headers,
  options: {readonly sensitive?: readonly string[]; readonly verbatim?: readonly string[]} = {},
): string[] {
  const masked = maskHeaders(headers, options)
  const asItIs = (name: string): boolean => options.verbatim?.includes(name.toLowerCase()) === true
  return Object.entries(masked).map(
    ([name, value]) => `${mark} ${name}: ${asItIs(name) ? value : maskSaid(value)}`,
  )
}

function bodyLine(
  mark: string,
  value: unknown,
  {sensitive, personal, ids}: Operation,
  way: 'request' | 'reply',
  envelope = '',
): string {
  const marked = [...sensitive[way], ...(personal?.[way] ?? [])]
  const hidden = envelope === '' ? marked : [...marked, ...marked.map(pointer => envelope + pointer)]
  const text = JSON.stringify(redact(value, {sensitive: hidden, plain: ids?.[way] ?? []}))
  const all = text.length > LONGEST_BODY ? ` (${text.length} characters)` : ''
  return `${mark} ${maskWithin(text, LONGEST_BODY)}${all}`
}

/** What one attempt sends, its body under neutral names. */
export function requestLines(
  built: BuiltRequest,
  attempt: number,
  secretHeaders: readonly string[],
): string[] {
  const {operation, input, translated} = built
  const url = maskUrl(built.url, {
    typedPath: operation.pathParams.length > 0,
    typedQuery: operation.query.map(({name}) => name),
  })
  return [
    `> ${built.method} ${url} (try ${attempt})`,
    ...headerLines('>', built.headers, {
      sensitive: [...(built.shown?.secretHeaders ?? []), ...secretHeaders],
      verbatim: [built.keyHeader],
    }),
    ...secretHeaders.map(name => `> ${name}: [masked]`),
    ...(built.body === undefined
      ? []
      : [bodyLine('>', translated ? translated.body : input.body, operation, 'request')]),
  ]
}

/** How one attempt ended. */
export function resultLines(
  result: AttemptResult,
  tookMs: number,
  shown: (headers: Headers) => Headers,
): string[] {
  if (result.kind === 'answered') {
    const {status, headers} = result.response
    return [`< ${status} after ${Math.round(tookMs)} ms`, ...headerLines('<', shown(headers))]
  }
  const sent = result.left ? 'the request may have arrived' : 'nothing was sent'
  return [`< ${networkFault(result.error).reason} after ${Math.round(tookMs)} ms; ${sent}`]
}

/** The body of a response: redacted JSON under neutral names. Of anything else, only its type. */
export function responseBodyLine(
  body: ReceivedBody,
  {operation, envelope, translated}: Pick<BuiltRequest, 'operation' | 'envelope' | 'translated'>,
): string {
  // The marks of a disclosure are for the contract's names, and a dialect has others.
  if (translated !== undefined && operation.sensitive.reply.length > 0) return '< (a body that is not shown)'
  switch (body.kind) {
    case 'json':
      return bodyLine('<', body.value, operation, 'reply', envelope)
    case 'empty':
      return '< (no body)'
    case 'unreadable':
      return `< (a body that cannot be read: ${body.why})`
    case 'file':
      return `< (${body.file.type}, ${body.file.bytes.length} bytes)`
    default:
      return `< (${body.kind}, ${body.text.length} characters)`
  }
}
