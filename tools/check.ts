// Everything that must hold before a change lands, in the order in which it fails fastest.
import process from 'node:process'
import {run} from './run.ts'

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['contract lint', 'node', 'tools/lint-contract.ts'],
  ['generated files are fresh', 'node', 'tools/generate-contract.ts', '--check'],
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['types of the page', 'tsc', '--noEmit', '-p', 'tsconfig.page.json'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['layers', 'node', 'tools/check-layers.ts'],
  ['unused code', 'knip'],
  ['build', 'node', 'tools/build.ts'],
  ['documents are fresh', 'node', 'tools/generate-docs.ts', '--check'],
  ['start-up closure', 'node', 'tools/check-closure.ts'],
  ['packed binary', 'node', 'tools/check-package.ts'],
  ['tests', 'node', 'tools/test.ts'],
]

for (const [name, command, ...args] of steps) {
  const last = name === 'tests'
  const started = Date.now()
  const {code, output} = run(command, args, {quiet: !last})
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (code !== 0) {
    process.stderr.write(`${output}\nFAILED  ${name} (${seconds} s)\n`)
    process.exit(1)
  }
  if (!last) process.stdout.write(`ok  ${name} (${seconds} s)\n`)
}
