import type {ServerResponse} from 'node:http'
import type {WebhookAuth} from './credentials.ts'
import type {Problem} from './problems.ts'

const JSON_TYPE = 'application/json'

/** How long a caller may go on sending what nobody reads, so that it gets to its answer, ms. */
const LINGER_MS = 1000

/** Ends a response with a JSON text. One whose caller has gone is left alone. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>,
): void {
  if (response.destroyed || response.headersSent) return
  const whole = response.req.complete
  // What is left of a body that was not read must not be taken for the next call.
  if (!whole) response.setHeader('connection', 'close')
  // HTTP gives these no body (RFC 9110, 6.4.1).
  if (status === 204 || status === 304) return void response.writeHead(status).end()
  const framing = {'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text)}
  response.writeHead(status, headers ? {...framing, ...headers} : framing)
  // As text it leaves in one piece with the head.
  if (whole) response.end(text)
  else endAfterRest(response, text)
}

/** A connection that is closed on a caller who still sends is reset, and the answer may be lost with it. */
function endAfterRest(response: ServerResponse, text: string): void {
  response.write(text)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  response.req.once('end', end).once('close', end).resume()
}

/** Ends a response with a problem (RFC 9457); a 401 says what it asks for, a 405 what it takes. */
export function sendProblem(response: ServerResponse, problem: Problem, auth: WebhookAuth | undefined): void {
  const scheme = auth?.type === 'bearer' ? 'Bearer' : 'Basic'
  sendText(response, problem.status, JSON.stringify(problem), {
    'content-type': 'application/problem+json',
    ...(problem.status === 401 ? {'www-authenticate': `${scheme} realm="webhook"`} : {}),
    ...(problem.status === 405 ? {allow: 'POST'} : {}),
  })
}
