// Benchmarks, each command side by side with a bare Node start in the same run: `npm run bench`.
import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

const ROUNDS = 15
const BASE = ['-e', '0']
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'cardctl --version': ['bin/run.js', '--version'],
  'cardctl cards get 3001': ['bin/run.js', 'cards', 'get', '3001', '-p', 'sandbox'],
  'cardctl accounts patch': [
    'bin/run.js',
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '-F',
    'creditLimit=5000',
    '-p',
    'sandbox',
  ],
}

const home = mkdtempSync(join(tmpdir(), 'cardctl-bench-'))

/** Milliseconds of one whole process. */
function time(args: readonly string[]): number {
  const started = performance.now()
  const {status} = spawnSync(process.execPath, args, {stdio: 'ignore', env: {...process.env, HOME: home}})
  if (status !== 0) throw new Error(`${args.join(' ')} ended ${status}`)
  return performance.now() - started
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

try {
  for (const [name, args] of Object.entries(COMMANDS)) {
    time(args)
    const pairs = Array.from({length: ROUNDS}, () => ({base: time(BASE), own: time(args)}))
    const base = median(pairs.map(pair => pair.base))
    const own = median(pairs.map(pair => pair.own))
    const ratio = median(pairs.map(pair => pair.own / pair.base))
    process.stdout.write(
      `${name}: ${own.toFixed(0)} ms, node -e 0 ${base.toFixed(0)} ms, ratio ${ratio.toFixed(2)}\n`,
    )
  }
} finally {
  rmSync(home, {recursive: true, force: true})
}
