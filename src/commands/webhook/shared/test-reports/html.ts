import {counted} from '../../../../money/amount.ts'
import {BASE_STYLE, htmlPage, htmlText} from '../../../../output/html-page.ts'
import {localTime} from '../../../../output/when.ts'
import type {Check, SentCall, StepResult} from '../../../../webhook/suite/index.ts'
import type {PageClock} from '../../../report/shared/report-page.ts'
import {reasonOf, type SuiteReport} from '../test-view.ts'

/** A run as one self-contained page: each failed call with what was expected, what came and what was sent. */
export function testPage({suite, url, summary, steps}: SuiteReport, clock: PageClock): string {
  const {passed, failed, skipped, notChecked, calls} = summary
  const bad = steps.filter(({state}) => state === 'failed')
  return htmlPage({
    title: `Test of an endpoint: ${suite}`,
    style: STYLE,
    body: `<main>
<h1>${htmlText(suite)}: ${failed === 0 ? 'passed' : `${htmlText(counted(failed, 'step'))} failed`}</h1>
<p>${htmlText(url)}, tested on ${htmlText(localTime(clock.now, clock))} with ${htmlText(counted(calls, 'call'))}.${summary.stopped ? ` The run ended early: ${htmlText(summary.stopped.reason)}.` : ''}</p>
<ul class="counts">
<li class="ok"><b>${passed}</b> passed</li>
<li class="bad"><b>${failed}</b> failed</li>
<li class="warn"><b>${skipped}</b> skipped</li>
<li class="warn"><b>${notChecked}</b> not checked</li>
</ul>
${bad.length === 0 ? '' : `<section>\n<h2>Failed</h2>\n${bad.map(failedStep).join('\n')}\n</section>`}
<section>
<h2>All steps</h2>
<table>
<thead><tr><th scope="col">Step</th><th scope="col">Result</th><th scope="col">Checked</th><th scope="col">Time</th></tr></thead>
<tbody>
${steps.map(row).join('\n')}
</tbody>
</table>
</section>
<footer>Made by cardctl. Card numbers are masked.</footer>
</main>`,
  })
}

const KINDS = {passed: 'ok', failed: 'bad', skipped: 'warn', 'not checked': 'warn'} as const

function row({name, state, reason, checks, durationMs}: StepResult): string {
  const checked = checks.map(({expected, basis}) => `${expected}${basis ? ` (${basis})` : ''}`).join('; ')
  return `<tr><td data-label="Step">${htmlText(name)}</td><td data-label="Result" class="${KINDS[state]}">${state}</td><td data-label="Checked">${htmlText(reason ?? checked)}</td><td data-label="Time">${Math.round(durationMs)} ms</td></tr>`
}

function failedStep({name, line, checks, calls, load}: StepResult): string {
  const failed = checks.filter(({passed}) => !passed)
  // What came is shown in words for the first call that failed.
  const call = calls.find(each => each.failed === true) ?? calls.at(-1)
  return `<article>
<h3>${htmlText(name)}</h3>
<p>line ${line}${load ? htmlText(`, ${counted(load.calls, 'call')}`) : ''}</p>
<div class="sides">
<div><h4>Expected</h4>${failed.map(expectation).join('')}</div>
<div><h4>Got</h4>${failed.map(({got}) => `<p class="bad">${htmlText(got)}</p>`).join('')}${call ? answer(call) : ''}</div>
<div><h4>Sent</h4>${call ? `<pre tabindex="0">${json(call.request)}</pre>` : '<p>nothing</p>'}</div>
</div>
</article>`
}

function expectation({expected, basis, why}: Check): string {
  const reason = reasonOf({why, basis})
  return `<p>${htmlText(expected)}${reason === '' ? '' : `<br><small>${htmlText(reason)}</small>`}</p>`
}

const answer = ({status, reply, durationMs}: SentCall): string =>
  `<p><small>${status === undefined ? 'no answer' : `status ${status}`}, ${durationMs} ms</small></p>${reply === undefined || reply === '' ? '' : `<pre tabindex="0">${json(reply)}</pre>`}`

/** The lines of a value: `htmlText` would write line feeds out. */
const json = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))
    .split('\n')
    .map(htmlText)
    .join('\n')

const STYLE = `${BASE_STYLE}main { max-width: 80rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem; }
article > p { margin: .15rem 0 .5rem; color: var(--soft); font-size: .875rem; }
h3 { font-size: 1rem; margin: 0; } h4 { margin: .25rem 0; color: var(--soft); font-size: .8125rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 1rem; }
.sides p { margin: .15rem 0; } .sides > div { min-width: 0; }
pre { margin: .25rem 0 0; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--paper); font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; margin: 1rem 0 0; padding: 0; }
.counts b { font-size: 1.4rem; }
.ok, .ok b { color: var(--ok); } .warn, .warn b { color: var(--warn); } .bad, .bad b { color: var(--bad); }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
small { color: var(--soft); }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 48rem) { .sides { grid-template-columns: 1fr; } thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; } td { display: flex; gap: .75rem; border: 0; padding: .1rem 0; } td::before { content: attr(data-label); flex: 0 0 5rem; color: var(--soft); font-size: .8125rem; } }
@media print { article, tr { break-inside: avoid; } pre { max-height: none; } }
`
