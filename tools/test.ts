// Runs the tests and prints `N passed, N failed, N skipped` as the last line, counted from the report.
import {readFileSync, rmSync} from 'node:fs'
import process from 'node:process'
import {run} from './run.ts'

const REPORT = '.reports/tests.json'

/** What this program reads of a report of Vitest. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly {readonly status: string}[]
  }[]
}

rmSync(REPORT, {force: true})
const {code} = run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${REPORT}`,
  ...process.argv.slice(2),
])
process.stdout.write(`${summary()}\n`)
process.exitCode = code

function summary(): string {
  const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Report
  const skipped = report.numPendingTests + report.numTodoTests
  // A file that can't be loaded or set up fails without a failed test.
  const broken = report.testResults.filter(
    ({status, assertionResults}) =>
      status === 'failed' && assertionResults.every(test => test.status !== 'failed'),
  )
  const failed = report.numFailedTests + broken.length
  return `${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
