// Runs the tests and prints `N passed, N failed, N skipped` as the last line, counted from the reports.
import {spawn} from 'node:child_process'
import {readFileSync, rmSync} from 'node:fs'
import {relative} from 'node:path'
import process from 'node:process'
import {setup as freshBuild} from '../test/helpers/fresh-build.ts'
import {environment} from './run.ts'

/** What this program reads of a report of Vitest. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/**
 * Two runs side by side. The first mostly waits for processes, terminals and databases. The second needs the processor:
 * each of its workers compiles the sources anew, so the same files took 71 s of processor time with 2 workers, 113 s with 6.
 */
const SIDE_BY_SIDE = [
  ['--project=build', '--project=postgres', '--maxWorkers=3'],
  ['--project=rooms', '--maxWorkers=3'],
]

const given = process.argv.slice(2)
const runs = given.length === 0 ? SIDE_BY_SIDE : [given]
// Once, before all.
await freshBuild()
const ended = await Promise.all(runs.map(runTests))
const sum = (count: (report: Report) => number) => ended.reduce((total, {report}) => total + count(report), 0)
const passed = sum(report => report.numPassedTests)
const failed = sum(report => report.numFailedTests + brokenFiles(report).length)
const skipped = sum(report => report.numPendingTests + report.numTodoTests)
// Again at the end, so that the last lines of a log say which tests failed, and why.
for (const {report} of ended) process.stdout.write(failures(report))
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exitCode = Math.max(...ended.map(({code}) => code))

/** Runs Vitest. The last run prints as it goes, the others when they have ended. */
async function runTests(args: readonly string[], index: number) {
  const file = `.reports/tests-${index + 1}.json`
  rmSync(file, {force: true})
  const child = spawn(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
    {env: environment(), stdio: index === runs.length - 1 ? 'inherit' : ['ignore', 'pipe', 'pipe']},
  )
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', status => resolve(status ?? 1))
  })
  process.stdout.write(Buffer.concat(output))
  return {code, report: JSON.parse(readFileSync(file, 'utf8')) as Report}
}

/** A file that can't be loaded or set up fails without a failed test. */
function brokenFiles({testResults}: Report) {
  return testResults.filter(
    ({status, assertionResults}) =>
      status === 'failed' && assertionResults.every(test => test.status !== 'failed'),
  )
}

/** Each failed test and broken file, with the first lines of its reason. */
function failures(report: Report): string {
  const broken = brokenFiles(report).map(({name, message}) => ({place: name, reason: message}))
  const tests = report.testResults.flatMap(({name, assertionResults}) =>
    assertionResults
      .filter(test => test.status === 'failed')
      .map(test => ({place: `${name}: ${test.fullName}`, reason: test.failureMessages.join('\n')})),
  )
  return [...broken, ...tests]
    .map(
      ({place, reason}) => `failed: ${relative('.', place)}\n${reason.split('\n').slice(0, 6).join('\n')}\n`,
    )
    .join('')
}
