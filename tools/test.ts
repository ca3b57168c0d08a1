// Runs the tests and prints `N passed, N failed, N skipped` as the last line, counted from the report.
import {readFileSync, rmSync} from 'node:fs'
import process from 'node:process'
import {run} from './run.ts'

const REPORT = '.reports/tests.json'

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
  const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Record<string, number>
  const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0)
  // A file that fails to load has no tests, so it counts as one failure.
  const failed = Math.max(report.numFailedTests ?? 0, report.numFailedTestSuites ? 1 : 0)
  return `${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
