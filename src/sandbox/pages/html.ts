import {type PlainReply, textReply} from '../plain-http.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, found => entities[found] ?? found)

/** A page that loads nothing from elsewhere and is kept by nobody. `framed` pages are made to stand in another's page. */
export function page(
  status: number,
  title: string,
  body: string,
  options: {readonly script?: {readonly text: string; readonly sha256: string}; readonly framed?: true} = {},
): PlainReply {
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
  return textReply(status, 'text/html; charset=utf-8', html, {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
}
