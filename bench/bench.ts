import {parseArgs} from 'node:util'
import {withHome} from './home.ts'
import {isFailure, judge, type Verdict} from './judge.ts'
import type {Limit} from './limits.ts'
import {type Machine, machine} from './machine.ts'
import {pageText} from './performance-page.ts'
import {suiteText, verdictsText} from './report-text.ts'
import type {Measured, Suite} from './suite.ts'

const USAGE = `Usage: npm run bench -- [--only NAME]... [--runs N] [--json] [--write]

  --only NAME  Run one benchmark, or several: NAMES.
  --runs N     Number of rounds (default 15).
  --json       Print the result as JSON.
  --write      Write bench/RESULTS.md. Needs all benchmarks.
`

/** The result of a benchmark, with its names. */
export type Result = Pick<Suite, 'name' | 'title'> & Measured

export interface Report {
  readonly date: string
  readonly machine: Machine
  /** Number of rounds that count, for each benchmark. */
  readonly runs: number
  readonly suites: readonly Result[]
  readonly verdicts: readonly Verdict[]
}

export interface BenchWorld {
  readonly suites: readonly Suite[]
  readonly limits: Readonly<Record<string, Readonly<Record<string, Limit>>>>
  readonly now: () => Date
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly writePage: (text: string) => void
}

/**
 * Runs the benchmarks that the command line names. Returns the exit code: 1 if a limit is exceeded, 2 for an invalid
 * command line.
 */
export async function bench(argv: readonly string[], world: BenchWorld): Promise<number> {
  const {suites, limits, out, err} = world
  const usage = USAGE.replace('NAMES', suites.map(({name}) => name).join(', '))
  let flags: ReturnType<typeof readFlags>
  try {
    flags = readFlags(argv)
  } catch (error) {
    err(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return 2
  }
  const {only, runs, json, write, help} = flags
  const unknown = only.find(name => !suites.some(suite => suite.name === name))
  if (help) {
    out(usage)
    return 0
  }
  if (unknown !== undefined || !Number.isInteger(runs) || runs < 1 || (write && only.length > 0)) {
    err(unknown === undefined ? usage : `Unknown benchmark "${unknown}".\n\n${usage}`)
    return 2
  }

  const on = machine()
  if (on.load > on.processors) {
    err(
      `Other programs are busy (load ${on.load}), so times on the clock are unsteady. Compare processor times.\n`,
    )
  }
  const measured: Result[] = []
  const verdicts: Verdict[] = []
  for (const suite of suites.filter(({name}) => only.length === 0 || only.includes(name))) {
    err(`Measuring ${suite.name} ...\n`)
    const result = {
      name: suite.name,
      title: suite.title,
      ...(await withHome(home => suite.run({runs, ...home}))),
    }
    measured.push(result)
    verdicts.push(...judge(suite.name, limits[suite.name] ?? {}, result.figures))
    if (!json) out(suiteText(result))
  }
  const report: Report = {
    date: world.now().toISOString().slice(0, 10),
    machine: on,
    runs,
    suites: measured,
    verdicts,
  }
  out(json ? `${JSON.stringify(report, null, 2)}\n` : verdictsText(verdicts))
  if (write) world.writePage(pageText(report))
  return verdicts.some(isFailure) ? 1 : 0
}

function readFlags(argv: readonly string[]) {
  const {values} = parseArgs({
    args: [...argv],
    options: {
      only: {type: 'string', multiple: true, default: []},
      runs: {type: 'string', default: '15'},
      json: {type: 'boolean', default: false},
      write: {type: 'boolean', default: false},
      help: {type: 'boolean', short: 'h', default: false},
    },
  })
  return {...values, runs: Number(values.runs)}
}
