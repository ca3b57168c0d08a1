import {htmlText} from '../../../../output/html-page.ts'
import type {Certificate, CertifiedCheck} from '../../../../webhook/certify/index.ts'
import type {SentCall} from '../../../../webhook/suite/index.ts'
import {type PageClock, reportPage} from '../../../report/shared/report-page.ts'
import {basisWords, certificateFacts, expectedWords, gotWords, reproductionText} from '../certificate-view.ts'

const KINDS = {passed: 'ok', failed: 'bad', 'not checked': 'warn'} as const

/** A certificate as one self-contained page without scripts. The evidence of each check can be opened. */
export function certificatePage(certificate: Certificate, clock: PageClock): string {
  const {checks, result} = certificate
  const columns = ['Check', 'Result', 'Expected', 'Came', 'Rests on']
  const rows = (wanted: readonly CertifiedCheck[]) =>
    wanted.map(check => [
      check.name,
      {text: check.state, kind: KINDS[check.state]},
      expectedWords(check),
      gotWords(check),
      basisWords(check),
    ])
  const of = (state: CertifiedCheck['state']) => checks.filter(check => check.state === state)
  return reportPage(
    `Certificate of an endpoint: ${result}`,
    certificateFacts(certificate),
    clock,
    [
      {
        heading: 'Failed',
        columns: ['Check', 'Expected', 'Came', 'Rule, as in cardctl webhook contract', 'Rests on'],
        rows: of('failed').map(check => [
          `${check.part}: ${check.name}`,
          expectedWords(check),
          {text: gotWords(check), kind: 'bad' as const},
          rulesOf(check),
          basisWords(check),
        ]),
      },
      {heading: 'Not checked', columns, rows: rows(of('not checked'))},
      ...partsOf(checks).map(([part, own]) => ({heading: part, columns, rows: rows(own)})),
    ],
    {html: evidence(checks), style: STYLE},
  )
}

/** The rules that failed, each once. */
const rulesOf = ({checks}: CertifiedCheck): string =>
  [...new Set(checks.filter(({passed}) => !passed).flatMap(({why}) => why ?? []))].join('; ')

/** The checks of each part, in their order. */
export const partsOf = (
  checks: readonly CertifiedCheck[],
): readonly (readonly [string, readonly CertifiedCheck[]])[] => [...Map.groupBy(checks, ({part}) => part)]

const evidence = (checks: readonly CertifiedCheck[]): string => `<section>
<h2>Evidence</h2>
<p>What was sent and what came. Card numbers are masked. Of many calls, the first and those that failed. On paper, only what is unfolded.</p>
${checks
  .filter(({calls, holds}) => calls.length > 0 || holds !== undefined)
  .map(checkEvidence)
  .join('\n')}
</section>
`

const checkEvidence = ({part, name, state, calls, holds = [], reproduction}: CertifiedCheck): string =>
  `<details${state === 'failed' ? ' open' : ''}>
<summary>${htmlText(`${part}: ${name}`)} <span class="${KINDS[state]}">${state}</span></summary>
${calls.map(callEvidence).join('\n')}
${holds.map(({id, expected, got}) => `<p>${htmlText(`Probe of ${id}: expected ${expected}, got ${got}`)}</p>`).join('\n')}
${reproduction ? shown('To see it again', reproductionText(reproduction)) : ''}</details>`

function callEvidence({
  at,
  path,
  request,
  outcome,
  status,
  reason,
  reply,
  durationMs,
  failed,
}: SentCall): string {
  const came = [
    outcome,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(reason === undefined ? [] : [reason]),
    `${durationMs} ms`,
  ].join(', ')
  const sent = `POST ${path} at ${at}`
  return `<p${failed ? ' class="bad"' : ''}>${htmlText(`${sent}: ${came}`)}</p>
${shown('Sent', request)}${reply === undefined || reply === '' ? '' : `\n${shown('Answer', reply)}`}`
}

const shown = (label: string, value: unknown): string =>
  `<p class="label">${label}</p>\n<pre tabindex="0">${json(value)}</pre>`

/** The lines of a value: `htmlText` would write line feeds out. */
const json = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))
    .split('\n')
    .map(htmlText)
    .join('\n')

const STYLE = `details { border-top: 1px solid var(--line); padding: .4rem 0; }
summary { cursor: pointer; }
details p { margin: .5rem 0 .15rem; font-size: .875rem; }
pre { margin: .25rem 0 0; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--card); font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
details .label { margin: .35rem 0 0; color: var(--soft); font-size: .8125rem; }
@media print { pre { max-height: none; overflow: visible; } details:not([open]) { display: none; } summary { break-after: avoid; } }
`
