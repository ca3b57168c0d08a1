import type {ServerResponse} from 'node:http'
import type {WebhookAuth} from './credentials.ts'
import type {Problem} from './problems.ts'

const JSON_TYPE = 'application/json'

/** Ends a response with a JSON text. One whose caller has gone is left alone. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return
  const bytes = Buffer.from(text)
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': bytes.length,
    // What is left of a body that was not read must not be taken for the next call.
    ...(response.req.complete ? {} : {connection: 'close'}),
    ...headers,
  })
  response.end(bytes)
}

/** Ends a response with a problem (RFC 9457); a 401 says what it asks for. */
export function sendProblem(response: ServerResponse, problem: Problem, auth: WebhookAuth | undefined): void {
  const scheme = auth?.type === 'bearer' ? 'Bearer' : 'Basic'
  sendText(response, problem.status, JSON.stringify(problem), {
    'content-type': 'application/problem+json',
    ...(problem.status === 401 ? {'www-authenticate': `${scheme} realm="webhook"`} : {}),
  })
}
