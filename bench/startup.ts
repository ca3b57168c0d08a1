// What a command costs over an empty program of the same runtime, each in a process of its own.
import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

const BINARY = fileURLToPath(new URL('../bin/run.js', import.meta.url))
const RUNS = Number(process.env.BENCH_RUNS ?? 25)

const home = mkdtempSync(join(tmpdir(), 'cardctl-bench-'))
const env = {PATH: process.env.PATH ?? '', HOME: home, CARDCTL_PROFILE: 'sandbox', NO_COLOR: '1'}

const programs: readonly (readonly [name: string, ...argv: string[]])[] = [
  ['node -e 0', '-e', '0'],
  ['cardctl --version', BINARY, '--version'],
  ['cardctl --help', BINARY, '--help'],
  ['cardctl cards get --help', BINARY, 'cards', 'get', '--help'],
  ['cardctl whoami', BINARY, 'whoami'],
  ['cardctl cards get 3001', BINARY, 'cards', 'get', '3001'],
  ['cardctl cards get 3001 -o json', BINARY, 'cards', 'get', '3001', '-o', 'json'],
  ['cardctl cards list -o csv', BINARY, 'cards', 'list', '--customer', '1003', '-o', 'csv'],
  [
    'cardctl accounts patch',
    BINARY,
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '-F',
    'creditLimit=5000',
  ],
]

function once(argv: readonly string[]): number {
  const began = performance.now()
  const {status, stderr} = spawnSync(process.execPath, argv, {env, encoding: 'utf8'})
  if (status !== 0) throw new Error(`${argv.join(' ')} ended ${status}: ${stderr}`)
  return performance.now() - began
}

const times = new Map(programs.map(([name]) => [name, [] as number[]]))
try {
  // The first round fills the compile cache and makes the sandbox. The rounds go over all programs, so that what else
  // the machine does falls on all of them alike.
  for (let round = 0; round <= RUNS; round++) {
    for (const [name, ...argv] of programs) {
      const took = once(argv)
      if (round > 0) times.get(name)?.push(took)
    }
  }
} finally {
  rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

const bases = times.get('node -e 0') ?? []
const cell = (value: number) => value.toFixed(0).padStart(6)
process.stdout.write(`${'startup, ms'.padEnd(34)}   min   p50   p90   over node (median of the rounds)\n`)
for (const [name, values] of times) {
  const ratio = quantile(
    values.map((value, round) => value / (bases[round] ?? Number.NaN)),
    0.5,
  )
  const columns = [0, 0.5, 0.9].map(part => cell(quantile(values, part))).join('')
  process.stdout.write(`${name.padEnd(34)}${columns}   ${ratio.toFixed(2)}\n`)
}
