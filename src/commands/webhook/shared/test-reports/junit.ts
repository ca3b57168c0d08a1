import type {Check, StepResult} from '../../../../webhook/suite/index.ts'
import type {SuiteReport} from '../test-view.ts'
import {reportText} from './report-text.ts'

/** A run as JUnit XML: a test case for each step. Its lines are those of the suite's file. */
export function junitReport({suite, url, summary, steps}: SuiteReport, file: string): string {
  const {failed, skipped, notChecked, durationMs} = summary
  const counts = attributes({
    tests: steps.length,
    failures: failed,
    errors: 0,
    skipped: skipped + notChecked,
    time: seconds(durationMs),
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${counts}>
  <testsuite${attributes({name: suite})}${counts}>
    <properties>
      <property${attributes({name: 'endpoint', value: url})}/>
    </properties>
${steps.map(step => testCase(step, suite, file)).join('\n')}
  </testsuite>
</testsuites>
`
}

function testCase(step: StepResult, suite: string, file: string): string {
  const {name, line, state, reason, durationMs, checks} = step
  const head = attributes({name, classname: suite, file, line, time: seconds(durationMs)})
  if (state === 'passed') return `    <testcase${head}/>`
  if (state === 'skipped' || state === 'not checked')
    return `    <testcase${head}>\n      <skipped${reason === undefined ? '' : attributes({message: reason})}/>\n    </testcase>`
  const failures = checks.filter(({passed}) => !passed).map(failure)
  return `    <testcase${head}>\n${failures.join('\n')}\n    </testcase>`
}

const failure = ({what, expected, got, why}: Check): string => {
  const text = [`expected: ${expected}`, `got: ${got}`, ...(why === undefined ? [] : [why])].join('\n')
  return `      <failure${attributes({type: what, message: `expected ${expected}, got ${got}`})}>${xmlText(text)}</failure>`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Masked and escaped. XML has no way to write most control characters: `reportText` has written them out. */
const xmlText = (text: string): string =>
  text
    .split('\n')
    .map(line => reportText(line).replace(/[&<>"']/g, character => ENTITIES[character] ?? ''))
    .join('&#10;')
