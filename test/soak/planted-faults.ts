// The whole certificate of each endpoint with a planted fault: the fault is found and named, and the example has none.
import process from 'node:process'
import {certified, EXAMPLE, finds, named, patched, plantedFaults, SUITES} from '../webhook/certify/planted.ts'

const WHOLE = {suites: SUITES, calls: 100}

const clean = named(await certified(EXAMPLE, WHOLE), 'failed')
process.stdout.write(`the example: ${clean.length === 0 ? 'nothing found' : clean.join(', ')}\n`)
let missed = clean.length
for (const planted of plantedFaults) {
  const failed = named(await certified(patched(planted.patch), WHOLE), 'failed')
  const isFound = failed.some(finds(planted))
  if (!isFound) missed++
  process.stdout.write(`${isFound ? 'found' : 'MISSED'}  ${planted.fault}: ${failed.join(', ')}\n`)
}
process.exitCode = missed > 0 ? 1 : 0
