// Calls per second of `webhook serve` with its recording on, beside a bare Fastify handler, on 16 connections. Rounds of
// both take turns, so that what else the machine does falls on both alike.
import {type ChildProcess, spawn} from 'node:child_process'
import {mkdtempSync, openSync, readFileSync, rmSync} from 'node:fs'
import type {AddressInfo} from 'node:net'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {load, quantile} from './load.ts'

const CONNECTIONS = 16
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6)
/** Until V8 has compiled what is used most: with 2 s a round, both programs are as fast then as they get. */
const WARM_UP_ROUNDS = 2
const ROUND_MS = Number(process.env.BENCH_MS ?? 2000)
/** What is promised. */
const LEAST_RATIO = 0.5
const MOST_P99_MS = 10

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'cardctl-bench-'))
const env = {PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1'}
const nowhere = openSync('/dev/null', 'w')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const {port} = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

interface Program {
  readonly name: string
  readonly port: number
  readonly child: ChildProcess
  readonly perSecond: number[]
  readonly p50: number[]
  readonly p99: number[]
}

async function program(name: string, argv: (port: number) => readonly string[]): Promise<Program> {
  const port = await freePort()
  const child = spawn(process.execPath, argv(port), {env, stdio: ['ignore', nowhere, 'inherit']})
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    if (
      await load(port, 1, 0).then(
        () => true,
        () => false,
      )
    )
      break
    await delay(100)
  }
  return {name, port, child, perSecond: [], p50: [], p99: []}
}

const serve = (port: number, ...flags: string[]) => [
  here('../../bin/run.js'),
  'webhook',
  'serve',
  '--port',
  String(port),
  '-o',
  'ndjson',
  ...flags,
]

const rss = ({child}: Program): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

const programs = [
  await program('bare Fastify', port => [here('./bare.ts'), String(port)]),
  await program('recording, durability process', port =>
    serve(port, '--recording', join(home, 'process.db')),
  ),
  await program('recording, durability power', port =>
    serve(port, '--recording', join(home, 'power.db'), '--durability', 'power'),
  ),
  await program('no recording', port => serve(port, '--no-record')),
]
try {
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const {port, perSecond, p50, p99} of programs) {
      const {perSecond: rate, times} = await load(port, CONNECTIONS, ROUND_MS)
      if (round < 0) continue
      perSecond.push(rate)
      p50.push(quantile(times, 0.5))
      p99.push(quantile(times, 0.99))
    }
  }
  const [bare] = programs
  process.stdout.write(
    `${'webhook, 16 connections'.padEnd(32)}calls/s  p50 ms  p99 ms  RSS MB  of bare (median of the rounds)\n`,
  )
  for (const one of programs) {
    const ratio = quantile(
      one.perSecond.map((rate, round) => rate / (bare?.perSecond[round] ?? Number.NaN)),
      0.5,
    )
    const p99 = quantile(one.p99, 0.5)
    const cells = [
      quantile(one.perSecond, 0.5).toFixed(0).padStart(7),
      quantile(one.p50, 0.5).toFixed(2).padStart(8),
      p99.toFixed(1).padStart(8),
      rss(one).toFixed(0).padStart(8),
    ]
    process.stdout.write(`${one.name.padEnd(32)}${cells.join('')}  ${ratio.toFixed(2)}\n`)
    const promised = one.name === 'recording, durability process'
    if (promised && (ratio < LEAST_RATIO || p99 >= MOST_P99_MS)) process.exitCode = 1
  }
} finally {
  for (const {child} of programs) child.kill('SIGKILL')
  rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
