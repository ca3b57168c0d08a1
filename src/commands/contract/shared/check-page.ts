import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import {BASE_STYLE, htmlPage, htmlText} from '../../../output/html-page.ts'

/**
 * The report of a contract check as one self-contained HTML page: no script, font, image or link. It adapts to small
 * screens and dark mode.
 */
export function contractCheckPage(check: unknown): string {
  const operations = listAt(check, 'operations')
  const of = (state: string): readonly unknown[] =>
    operations.filter(operation => textAt(operation, 'state') === state)
  return htmlPage({
    title: 'Contract check',
    style: STYLE,
    body: `<main>
<h1>Differences between a service and the contract</h1>
<p>${htmlText(textAt(check, 'service'))} was checked on ${htmlText(day(check))} with ${htmlText(textAt(check, 'tool'))}. ${
      textAt(check, 'write') === ''
        ? 'Only operations that change nothing and disclose no secret were sent.'
        : `A block and an unblock of an account were sent (${htmlText(textAt(check, 'write'))}); the other operations change nothing and disclose no secret.`
    } This page names fields, types and statuses. It contains no data from the responses.</p>
<ul class="counts">
${(['fits', 'differs', 'failed', 'unchecked'] as const)
  .map(state => `<li class="${state}"><b>${numberAt(check, state) ?? 0}</b> ${LABELS[state]}</li>`)
  .join('\n')}
</ul>
${(['differs', 'failed', 'fits', 'unchecked'] as const).map(state => part(state, of(state))).join('')}</main>`,
  })
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
<h3>${htmlText(textAt(operation, 'request'))}</h3>
<p>${htmlText(textAt(operation, 'id'))}${about === '' ? '' : ` · ${htmlText(about)}`}</p>
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
  return `<tr class="${htmlText(textAt(difference, 'kind'))}"><td><code>${htmlText(textAt(difference, 'pointer') || 'the response')}</code></td><td>${htmlText(textAt(difference, 'expected'))}</td><td>${htmlText(textAt(difference, 'found') + times)}</td></tr>`
}

const day = (check: unknown): string =>
  textAt(check, 'checkedAt').slice(0, 16).replace('T', ' ').concat(' UTC')

const STYLE = `${BASE_STYLE}h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 0; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 .75rem; }
article p { margin: .15rem 0 0; color: var(--soft); font-size: .875rem; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; margin: 1.5rem 0 0; padding: 0; }
.counts b { font-size: 1.4rem; }
.fits b, .fits h2 { color: var(--ok); } .differs b, .differs h2 { color: var(--warn); } .failed b, .failed h2 { color: var(--bad); }
table { width: 100%; border-collapse: collapse; margin-top: .75rem; font-size: .9375rem; }
code { font: .875rem ui-monospace, monospace; }
.more td, .unseen td { color: var(--soft); }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; } td { display: block; border: 0; padding: 0; } }
@media print { article { break-inside: avoid; } }
`
