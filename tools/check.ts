// Runs every check that must pass before a change lands. Those of the sources run beside those of the build, and the tests last.
import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import process from 'node:process'
import {environment, run, TSC} from './run.ts'

type Step = readonly [name: string, command: string, ...args: string[]]

// The quickest first, and what a change most often lacks: a format, a page.
const onSources: readonly Step[] = [
  ['lint and format (npx biome check --write . fixes most)', 'biome', 'check', '--error-on-warnings', '.'],
  ['unused code', 'knip'],
  ['layers', 'node', 'tools/check-layers.ts'],
]

/** Each may use what those before it made. */
const onBuild: readonly Step[] = [
  ['contract lint', 'node', 'tools/lint-contract.ts'],
  // On a fresh clone `npm ci` has just built.
  ['build', 'node', 'tools/build.ts', '--if-stale'],
  ['documents are fresh', 'node', 'tools/generate-docs.ts', '--check'],
  ['types', 'node', TSC, '--noEmit', '-p', '.'],
  ['types of the page', 'node', TSC, '--noEmit', '-p', 'tsconfig.page.json'],
  ['schemas of results are fresh', 'node', 'tools/generate-results.ts', '--check'],
  ['start-up closure', 'node', 'tools/check-closure.ts'],
  ['packed binary', 'node', 'tools/check-package.ts'],
]

await inTurn(ofChanged())
await inTurn([['generate', 'node', 'tools/generate-contract.ts']])
await Promise.all([inTurn(onSources), inTurn(onBuild)])
process.exitCode = run('node', ['tools/test.ts']).code

/** The files that have changed since the last commit are checked in a second, all of them in ten and more. */
function ofChanged(): readonly Step[] {
  // An archive of the sources has no history.
  if (!existsSync('.git')) return []
  const lists = [
    ['diff', '--name-only', '--diff-filter=d', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard'],
  ]
  const files = lists.flatMap(list => run('git', list, {quiet: true}).output.split('\n').filter(Boolean))
  const command = ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched'] as const
  return files.length === 0
    ? []
    : [['lint and format of what changed (npx biome check --write . fixes most)', ...command, ...files]]
}

/** The first failure prints the output of its step and ends the process. */
async function inTurn(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await one(step)
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
