// Runs every check that must pass before a change lands. Those that need no build run first, two at a time.
import {spawn} from 'node:child_process'
import process from 'node:process'
import {environment, run, TSC} from './run.ts'

type Step = readonly [name: string, command: string, ...args: string[]]

/** The longest first. */
const onSources: readonly Step[] = [
  ['types', 'node', TSC, '--noEmit', '-p', '.'],
  ['layers', 'node', 'tools/check-layers.ts'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['types of the page', 'node', TSC, '--noEmit', '-p', 'tsconfig.page.json'],
  ['unused code', 'knip'],
  ['schemas of results are fresh', 'node', 'tools/generate-results.ts', '--check'],
  ['contract lint', 'node', 'tools/lint-contract.ts'],
]

const onBuild: readonly Step[] = [
  ['build', 'node', 'tools/build.ts'],
  ['documents are fresh', 'node', 'tools/generate-docs.ts', '--check'],
  ['start-up closure', 'node', 'tools/check-closure.ts'],
  ['packed binary', 'node', 'tools/check-package.ts'],
]

await inTurn([['generate', 'node', 'tools/generate-contract.ts']], 1)
await inTurn(onSources, 2)
await inTurn(onBuild, 1)
process.exitCode = run('node', ['tools/test.ts']).code

/** Runs the steps, at most `atOnce` at a time. The first failure prints the output of its step and ends the process. */
async function inTurn(steps: readonly Step[], atOnce: number): Promise<void> {
  const left = [...steps]
  const work = async (): Promise<void> => {
    for (let step = left.shift(); step !== undefined; step = left.shift()) await one(step)
  }
  await Promise.all(Array.from({length: atOnce}, work))
}

async function one([name, command, ...args]: Step): Promise<void> {
  const started = Date.now()
  const child = spawn(command, args, {env: environment()})
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (code !== 0) {
    process.stderr.write(`${output}\nFAILED  ${name} (${seconds} s)\n`)
    process.exit(1)
  }
  process.stdout.write(`ok  ${name} (${seconds} s)\n`)
}
