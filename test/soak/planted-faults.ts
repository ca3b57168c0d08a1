// The whole certificate of each endpoint with a planted fault, with and without a probe: the first check that fails names the
// rule that is broken, and the example has no fault.
import process from 'node:process'
import {
  certified,
  certifiedFault,
  EXAMPLE,
  firstRule,
  named,
  plantedFaults,
  SUITES,
} from '../webhook/certify/planted.ts'

let missed = 0
for (const withoutProbe of [false, true]) {
  const how = withoutProbe ? 'without a probe' : 'with a probe'
  const whole = {suites: SUITES, calls: 100, withoutProbe, withoutRestart: false, bail: false}
  for (let times = 1; times <= 10; times++) {
    const clean = named(await certified(EXAMPLE, whole), 'failed')
    if (clean.length > 0) missed++
    process.stdout.write(
      `the example ${how}, ${times}: ${clean.length === 0 ? 'nothing found' : clean.join(', ')}\n`,
    )
  }
  for (const planted of plantedFaults) {
    if (withoutProbe && planted.needsProbe) continue
    const run = await certifiedFault(planted, {...whole, calls: Math.max(whole.calls, planted.calls ?? 0)})
    const isFound = firstRule(run) === planted.rule
    if (!isFound) missed++
    process.stdout.write(
      `${isFound ? 'found' : 'MISSED'}  ${planted.rule}, ${how}: ${planted.fault}: ${named(run, 'failed').join(', ')}\n`,
    )
  }
}
process.exitCode = missed > 0 ? 1 : 0
