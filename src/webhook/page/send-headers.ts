import type {ServerResponse} from 'node:http'

/** Nothing but the page's own files, no inline code or style, and text never becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The head of every answer of the page. */
export function sendHead(
  response: ServerResponse,
  status: number,
  type: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': type,
    // What is left of a body that was not read must not be taken for the next request.
    ...(response.req.complete ? {} : {connection: 'close'}),
    ...more,
  })
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendHead(response, status, 'application/json')
  response.end(JSON.stringify(value))
}
