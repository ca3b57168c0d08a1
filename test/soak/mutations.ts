// Turns off one mask, guard or leniency after the other, in a copy of the tree: each time a test must go red.
import {spawnSync} from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {stripTypeScriptTypes} from 'node:module'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {leniencies} from './leniency-mutation-lines.ts'
import {type Mutation, mutations as masks} from './mask-mutation-lines.ts'

/** What no test of a room reads; packages are linked. */
const LEFT_OUT = ['.git', '.reports', 'dist', 'node_modules']
const TIMEOUT_MS = 600_000

const only = process.env.ONLY ?? ''
/** LINES=masks or LINES=leniencies takes one kind alone. */
const kinds: Readonly<Record<string, readonly Mutation[]>> = {masks, leniencies}
const lines = kinds[process.env.LINES ?? ''] ?? [...masks, ...leniencies]
const chosen = lines.filter(({file}) => file.includes(only))
const tree = mkdtempSync(join(tmpdir(), 'cardctl-mutations-'))

type Chosen = Pick<Mutation, 'tests' | 'named'>

/** Whether one of the tests is red. */
function isRed({tests, named}: Chosen): boolean {
  const {status, error} = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project=rooms',
      '--bail=1',
      ...(named === undefined ? [] : ['--testNamePattern', named]),
      ...tests,
    ],
    {cwd: tree, stdio: 'ignore', timeout: TIMEOUT_MS},
  )
  // A loop without an end is noticed, too.
  if (error && !('code' in error && error.code === 'ETIMEDOUT')) throw error
  return status !== 0
}

const knownRed = new Map<string, boolean>()

/** A test that is red whatever is turned off proves nothing. */
function isRedAnyway({tests, named}: Chosen): boolean {
  const key = [...tests, named].join()
  const red = knownRed.get(key) ?? isRed({tests, named})
  knownRed.set(key, red)
  return red
}

function verdictOn({file, from, to, ...rest}: Mutation): string | undefined {
  const path = join(tree, file)
  const text = readFileSync(path, 'utf8')
  const found = text.split(from).length - 1
  if (found !== 1) return `is there ${found} times instead of once`
  const missing = rest.tests.find(test => !existsSync(test))
  if (missing !== undefined) return `has no test ${missing}`
  if (isRedAnyway(rest)) return `cannot be tested: ${rest.tests} is red without it`
  const mutated = text.replace(from, () => to)
  // What cannot be parsed would be red whatever the tests say.
  stripTypeScriptTypes(mutated)
  writeFileSync(path, mutated)
  try {
    return !isRed(rest) ? 'was turned off, and all tests stayed green' : undefined
  } finally {
    writeFileSync(path, text)
  }
}

try {
  for (const part of readdirSync('.').filter(name => !LEFT_OUT.includes(name)))
    cpSync(part, join(tree, part), {recursive: true})
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'))
  let survivors = 0
  for (const mutation of chosen) {
    const fault = verdictOn(mutation)
    if (fault !== undefined) survivors++
    const name = `${mutation.file}: ${mutation.from.trim().split('\n', 1)[0]}`
    process.stdout.write(`${fault === undefined ? 'red  ' : 'GREEN'}  ${name}${fault ? ` ${fault}` : ''}\n`)
  }
  process.stdout.write(`${chosen.length} of them turned off, ${survivors} of them unnoticed\n`)
  if (survivors > 0 || chosen.length === 0) process.exitCode = 1
} finally {
  rmSync(tree, {recursive: true, force: true})
}
