import {createHash} from 'node:crypto'
import {escapeText} from '../rows/escape-text.ts'
import {listAt, numberAt, textAt} from './fields.ts'

/**
 * The report of a contract check as one self-contained HTML page: no script, font, image or link. It adapts to small
 * screens and dark mode.
 */
export function contractCheckPage(check: unknown): string {
  const operations = listAt(check, 'operations')
  const of = (state: string): readonly unknown[] =>
    operations.filter(operation => textAt(operation, 'state') === state)
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Contract check</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Differences between a service and the contract</h1>
<p>${text(textAt(check, 'service'))} was checked on ${text(day(check))} with ${text(textAt(check, 'tool'))}. Only operations that change nothing and disclose no secret were sent. This page names fields, types and statuses. It contains no data from the responses.</p>
<ul class="counts">
${(['fits', 'differs', 'failed', 'unchecked'] as const)
  .map(state => `<li class="${state}"><b>${numberAt(check, state) ?? 0}</b> ${LABELS[state]}</li>`)
  .join('\n')}
</ul>
${(['differs', 'failed', 'fits', 'unchecked'] as const).map(state => part(state, of(state))).join('')}</main>
</body>
</html>
`
}

const LABELS = {
  fits: 'as described',
  differs: 'different',
  failed: 'failed',
  unchecked: 'not checked',
} as const

const HEADINGS = {
  fits: 'As described',
  differs: 'Different',
  failed: 'Failed',
  unchecked: 'Not checked',
} as const

function part(state: keyof typeof HEADINGS, operations: readonly unknown[]): string {
  if (operations.length === 0) return ''
  return `<section class="${state}">
<h2>${HEADINGS[state]}</h2>
${operations.map(entry).join('\n')}
</section>
`
}

function entry(operation: unknown): string {
  const note = textAt(operation, 'note')
  const status = textAt(operation, 'status')
  const differences = listAt(operation, 'differences')
  const about = [status === '' ? '' : `status ${status}`, note].filter(words => words !== '').join(', ')
  return `<article>
<h3>${text(textAt(operation, 'request'))}</h3>
<p>${text(textAt(operation, 'id'))}${about === '' ? '' : ` · ${text(about)}`}</p>
${differences.length === 0 ? '' : table(differences)}</article>`
}

const table = (differences: readonly unknown[]): string => `<table>
<thead><tr><th scope="col">Field</th><th scope="col">Contract</th><th scope="col">Response</th></tr></thead>
<tbody>
${differences.map(row).join('\n')}
</tbody>
</table>
`

function row(difference: unknown): string {
  const count = numberAt(difference, 'count') ?? 1
  const times = count > 1 ? `, ${count} times` : ''
  return `<tr class="${text(textAt(difference, 'kind'))}"><td><code>${text(textAt(difference, 'pointer') || 'the response')}</code></td><td>${text(textAt(difference, 'expected'))}</td><td>${text(textAt(difference, 'found') + times)}</td></tr>`
}

const day = (check: unknown): string =>
  textAt(check, 'checkedAt').slice(0, 16).replace('T', ' ').concat(' UTC')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes every interpolated text. */
const text = (value: string): string =>
  escapeText(value).replace(/[&<>"']/g, character => ENTITIES[character] ?? '')

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2129; --soft: #59616e; --line: #d5d9e0; --paper: #fff; --card: #f6f7f9; --ok: #17663a; --warn: #8a4b00; --bad: #a3231f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --soft: #a9b1bd; --line: #3a414d; --paper: #14171c; --card: #1d2128; --ok: #6fd19b; --warn: #f0b35e; --bad: #ff918a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 0; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 .75rem; }
article p { margin: .15rem 0 0; color: var(--soft); font-size: .875rem; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; margin: 1.5rem 0 0; padding: 0; }
.counts b { font-size: 1.4rem; }
.fits b, .fits h2 { color: var(--ok); } .differs b, .differs h2 { color: var(--warn); } .failed b, .failed h2 { color: var(--bad); }
table { width: 100%; border-collapse: collapse; margin-top: .75rem; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .8125rem; }
code { font: .875rem ui-monospace, monospace; }
.more td { color: var(--soft); }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; } td { display: block; border: 0; padding: 0; } }
@media print { article { break-inside: avoid; } }
`
