import {createHash} from 'node:crypto'
import {maskText} from '../sensitive/mask-text.ts'
import {escapeText} from './styled.ts'

/** A self-contained HTML page: no script, font, image or link. `body` and `style` are HTML and CSS as written here. */
export function htmlPage({title, style, body}: {title: string; style: string; body: string}): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Masks and escapes a text. Everything that is put into a page passes here. */
export const htmlText = (value: string): string =>
  escapeText(maskText(value)).replace(/[&<>"']/g, character => ENTITIES[character] ?? '')

/** Colours of light and dark pages, and what all pages share. */
export const BASE_STYLE = `
:root { color-scheme: light dark; --ink: #1d2129; --soft: #59616e; --line: #d5d9e0; --paper: #fff; --card: #f6f7f9; --ok: #17663a; --warn: #8a4b00; --bad: #a3231f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --soft: #a9b1bd; --line: #3a414d; --paper: #14171c; --card: #1d2128; --ok: #6fd19b; --warn: #f0b35e; --bad: #ff918a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .8125rem; }
`
