// Runs the benchmarks, or those whose names hold a word of the command line: npm run bench -- startup
import {globSync} from 'node:fs'
import process from 'node:process'
import {run} from '../tools/run.ts'

const wanted = process.argv.slice(2)
const files = globSync(['bench/*.ts', 'bench/*/run.ts'])
  .filter(path => path !== 'bench/run.ts')
  .filter(path => wanted.length === 0 || wanted.some(word => path.includes(word)))
  .sort()

for (const path of files) if (run('node', [path]).code !== 0) process.exitCode = 1
if (files.length === 0) {
  process.stderr.write('There is no such benchmark.\n')
  process.exitCode = 1
}
