// Runs the long tests: programs in test/soak that print their findings and exit with 1 if there is a fault.
import {globSync} from 'node:fs'
import process from 'node:process'
import {run} from './run.ts'

const wanted = process.argv.slice(2)
const runs = globSync('test/soak/*.ts')
  .filter(path => !/-lines\.ts$/.test(path))
  .filter(path => wanted.length === 0 || wanted.some(word => path.includes(word)))
  .sort()

let failed = 0
for (const path of runs) {
  const began = Date.now()
  const {code} = run('node', [path])
  if (code !== 0) failed++
  process.stdout.write(
    `${code === 0 ? 'ok' : 'FAILED'}  ${path} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`,
  )
}
process.stdout.write(`${runs.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 || runs.length === 0 ? 1 : 0
