// Stryker changes one place after the other of what must not be wrong: each time a test should go red. TARGET names one part;
// `.reports/mutation.json` has the changes of the last part that no test noticed.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {run} from '../../tools/run.ts'

const REPORT = '.reports/mutation.json'

interface Target {
  readonly sources: string
  readonly tests: readonly string[]
  /** The least share of changes that must be noticed, in percent. The rest changes words of messages, or nothing that matters. */
  readonly least: number
}

const TARGETS: Readonly<Record<string, Target>> = {
  money: {sources: 'src/money/*.ts', tests: ['test/money/*.test.ts'], least: 75},
  gate: {sources: 'src/profiles/gate.ts', tests: ['test/profiles/gate.test.ts'], least: 90},
  'retry-rules': {
    sources: 'src/http/retry-rules.ts',
    tests: ['test/http/{effect,fault}-table.test.ts'],
    least: 80,
  },
  sensitive: {sources: 'src/sensitive/*.ts', tests: ['test/sensitive/*.test.ts'], least: 70},
}

/** What this program reads of a report: https://github.com/stryker-mutator/mutation-testing-elements */
interface Report {
  readonly files: Readonly<Record<string, {readonly mutants: readonly {readonly status: string}[]}>>
}

const NOTICED: readonly string[] = ['Killed', 'Timeout']
const UNNOTICED: readonly string[] = ['Survived', 'NoCoverage']

/** In percent. */
function scoreOf({files}: Report): number {
  const states = Object.values(files).flatMap(({mutants}) => mutants.map(({status}) => status))
  const noticed = states.filter(status => NOTICED.includes(status)).length
  return (100 * noticed) / (noticed + states.filter(status => UNNOTICED.includes(status)).length)
}

const only = process.env.TARGET
const chosen = Object.entries(TARGETS).filter(([name]) => only === undefined || name === only)
for (const [name, {sources, tests, least}] of chosen) {
  const env = {MUTATION_TESTS: tests.join(' ')}
  const {code} = run('node_modules/.bin/stryker', ['run', '--mutate', sources], {env})
  const score = code === 0 ? scoreOf(JSON.parse(readFileSync(REPORT, 'utf8')) as Report) : 0
  const isEnough = score >= least
  process.stdout.write(
    `${isEnough ? 'ok' : 'FAULT'}  ${name}: ${score.toFixed(1)} % noticed, at least ${least} % wanted\n`,
  )
  if (!isEnough) process.exitCode = 1
}
if (chosen.length === 0) process.exitCode = 1
