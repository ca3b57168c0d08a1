import type {Certificate, CertifiedCheck} from '../../../../webhook/certify/index.ts'
import type {SentCall} from '../../../../webhook/suite/index.ts'
import {basisWords, certificateFacts, expectedWords, gotWords, reproductionText} from '../certificate-view.ts'
import {partsOf} from './certificate-page.ts'
import {reportText} from './report-text.ts'

/** A certificate as Markdown: facts, a table for each part, and the calls of what failed. */
export function certificateMarkdown(certificate: Certificate): string {
  const {checks, result} = certificate
  const failed = checks.filter(({state}) => state === 'failed')
  return [
    `# Certificate of an endpoint: ${result}`,
    '',
    '| | |',
    '|---|---|',
    ...certificateFacts(certificate).map(cells => row(cells)),
    '',
    ...partsOf(checks).flatMap(([part, own]) => [
      `## ${cell(part)}`,
      '',
      row(['Check', 'Result', 'Expected', 'Came', 'Sent', 'Rests on']),
      '|---|---|---|---|---|---|',
      ...own.map(check =>
        row([
          check.name,
          check.state === 'passed' ? 'passed' : `**${check.state}**`,
          expectedWords(check),
          gotWords(check),
          sentWords(check),
          basisWords(check),
        ]),
      ),
      '',
    ]),
    ...(failed.length === 0 ? [] : ['## Calls of the failed checks', '', ...failed.flatMap(callLines)]),
    'Card numbers are masked. The same data as JSON: `cardctl webhook certify -o json`.',
    '',
  ].join('\n')
}

/** `POST /auth, RETAIL 4.2 EUR; 5 calls`. */
function sentWords({calls, load}: CertifiedCheck): string {
  if (load) return `${load.calls} calls`
  const [first] = calls
  if (!first) return ''
  const {transactionData} = Object(first.request) as {transactionData?: Readonly<Record<string, unknown>>}
  const {transactionType, transactionAmount} = transactionData ?? {}
  const {amount, currency} = Object(transactionAmount) as {amount?: unknown; currency?: unknown}
  const what = [transactionType, amount, currency].filter(each => each !== undefined).join(' ')
  const path = `POST ${first.path}${what === '' ? '' : `, ${what}`}`
  return calls.length === 1 ? path : `${path}; ${calls.length} calls shown`
}

const callLines = ({part, name, calls, holds = [], reproduction}: CertifiedCheck): readonly string[] => [
  `### ${cell(`${part}: ${name}`)}`,
  '',
  ...holds.map(
    ({id, expected, got}) => `- Probe of ${cell(id)}: expected ${cell(expected)}, got ${cell(got)}`,
  ),
  ...(holds.length > 0 ? [''] : []),
  ...(reproduction ? code(reproductionText(reproduction)) : []),
  ...calls.filter(({failed}, at) => failed === true || at === 0).flatMap(callText),
]

function callText({path, request, status, reply, durationMs, outcome}: SentCall): readonly string[] {
  return [
    `POST ${path}: ${outcome}${status === undefined ? '' : `, status ${status}`}, ${durationMs} ms`,
    '',
    ...code(request),
    ...(reply === undefined || reply === '' ? [] : code(reply)),
  ]
}

/** Indented, because no text can end such a block. */
function code(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')
  return [...text.split('\n').map(line => `    ${reportText(line)}`), '']
}

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

/** Text in a table: no part of it is Markdown or HTML. */
const cell = (text: string): string =>
  reportText(text)
    .replace(/[\\|`[\]#_]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
