import type {StepResult} from '../../../../webhook/suite/index.ts'
import type {SuiteReport} from '../test-view.ts'
import {reportText} from './report-text.ts'

/** A run as TAP 14: a test point for each step, with a YAML block for one that failed. */
export function tapReport({suite, url, steps, summary: {stopped}}: SuiteReport, file: string): string {
  const lines = [
    'TAP version 14',
    `# ${reportText(suite)} ${reportText(url)}`,
    `1..${steps.length}`,
    ...steps.flatMap(step => testPoint(step, file)),
    ...(stopped ? [`Bail out! ${reportText(stopped.reason)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function testPoint(
  {number, name, state, reason, durationMs, checks, line}: StepResult,
  file: string,
): readonly string[] {
  const result = state === 'failed' ? 'not ok' : 'ok'
  const why = reason ?? 'the run ended before, or calls have no such credentials'
  const isSkipped = state === 'skipped' || state === 'not checked'
  const skip = isSkipped ? ` # SKIP ${reportText(why)}` : ''
  const head = `${result} ${number} - ${described(name)}${skip}`
  if (isSkipped) return [head]
  const failed = checks.filter(({passed}) => !passed)
  return [
    head,
    '  ---',
    `  duration_ms: ${durationMs}`,
    ...(failed.length === 0 ? [] : [`  at: ${quoted(`${file}:${line}`)}`, '  failures:']),
    ...failed.flatMap(({what, expected, got}) => [
      `    - what: ${quoted(what)}`,
      `      expected: ${quoted(expected)}`,
      `      got: ${quoted(got)}`,
    ]),
    '  ...',
  ]
}

/** `#` begins a directive. Text that begins with digits could be taken for a number of a test. */
const described = (name: string): string => reportText(name).replace(/[\\#]/g, '\\$&')

/** Text of YAML in double quotes: that of JSON. */
const quoted = (text: string): string => JSON.stringify(reportText(text))
