import {hash} from 'node:crypto'
import {type PlainRequest, readJsonBody, type TextResponse, textResponse} from './plain-http.ts'

/**
 * A page for a frame in the client's page. It waits for a message from that page, posts one field of it to the sibling
 * page, and shows the response.
 *
 * @param message the required `operation` of the message, and the field to post.
 */
function framePage(
  title: string,
  sibling: string,
  message: {readonly operation: string; readonly member: string},
): TextResponse {
  const text = `
'use strict'
const [sibling, operation, member] = ${JSON.stringify([sibling, message.operation, message.member])}
addEventListener('message', async event => {
  const data = event.data
  if (event.source !== parent || !data || data.operation !== operation || typeof data[member] !== 'string') return
  const reply = await fetch(sibling, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({[member]: data[member]}),
  })
  const shown = new DOMParser().parseFromString(await reply.text(), 'text/html')
  document.body.replaceChildren(...shown.body.childNodes)
})
`
  const script = {text, sha256: hash('sha256', text, 'base64')}
  return page(200, title, '<p>Waiting for a message of the surrounding page.</p>', {script, framed: true})
}

/** Waits for `{operation: "view-pan", token}`. */
export const cardDataFrame = () =>
  framePage('Card data', 'card-data', {operation: 'view-pan', member: 'token'})

/** Waits for `{operation: "pin", controlId}`. */
export const pinFrame = () => framePage('PIN', 'pin', {operation: 'pin', member: 'controlId'})

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, found => entities[found] ?? found)

/** A page that loads nothing and is never cached. `framed` pages may be framed by any page. */
export function page(
  status: number,
  title: string,
  body: string,
  options: {readonly script?: {readonly text: string; readonly sha256: string}; readonly framed?: true} = {},
): TextResponse {
  const {script, framed} = options
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${script ? `'sha256-${script.sha256}'` : "'none'"}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framed ? '*' : "'none'"}`,
  ]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 1.5rem; max-width: 30rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dd { margin: 0; font-family: ui-monospace, monospace }
</style>
</head>
<body>
${body}
${script ? `<script>${script.text}</script>` : ''}
</body>
</html>
`
  return textResponse(status, 'text/html; charset=utf-8', html, {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
}

/** The text fields of a posted HTML form or JSON object. */
export function readFormOrJson(request: PlainRequest): Record<string, string> {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(request.body)))
  }
  const body = readJsonBody(request)
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}
