// Checks the layer rules in src/, and in a planted violation that proves that the checker sees imports.
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import process from 'node:process'
import {run} from './run.ts'

const PLANT = 'src/errors/planted-violation.ts'
const AT_LEAST = 100

interface Cruise {
  summary: {
    totalCruised: number
    error: number
    violations: {from: string; to: string; rule: {name: string}}[]
  }
}

function cruise(): Cruise['summary'] {
  const {output} = run(
    'depcruise',
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'test'],
    {
      quiet: true,
    },
  )
  return (JSON.parse(output.slice(output.indexOf('{'))) as Cruise).summary
}

// With handlers, a signal ends the cruise and not this process, so the plant is removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
mkdirSync('src/errors', {recursive: true})
writeFileSync(PLANT, "export {openDatabase} from '../sqlite/index.ts'\n")
let planted: Cruise['summary']
try {
  planted = cruise()
} finally {
  rmSync(PLANT)
}
const isPlant = ({from}: {from: string}): boolean => from === PLANT
const found = planted.violations.filter(violation => !isPlant(violation))

for (const {from, to, rule} of found) process.stderr.write(`${rule.name}: ${from} imports ${to}\n`)
if (!planted.violations.some(isPlant)) {
  process.stderr.write('The planted violation was not found: the checker does not see the imports.\n')
  process.exitCode = 1
}
if (planted.totalCruised < AT_LEAST) {
  process.stderr.write(
    `Only ${planted.totalCruised} modules were looked at; at least ${AT_LEAST} were expected.\n`,
  )
  process.exitCode = 1
}
if (found.length > 0) process.exitCode = 1
process.stdout.write(`${planted.totalCruised} modules, ${found.length} violations\n`)
