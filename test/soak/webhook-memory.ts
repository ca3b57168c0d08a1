// A million calls to `webhook serve` with its recording on: its memory must not grow with them.
import {spawn} from 'node:child_process'
import {mkdtempSync, openSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {load} from '../../bench/http-load.ts'
import {authCalls} from '../../bench/webhook.ts'
import {freePort} from '../helpers/free-port.ts'

const CALLS = Number(process.env.SOAK_CALLS ?? 1_000_000)
const SLICES = 20
/** What garbage that waits to be collected may come to, beside what the first tenth of the calls took. */
const MOST_GROWTH = 1.25

const home = mkdtempSync(join(tmpdir(), 'cardctl-soak-'))
const port = await freePort()
const binary = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const next = authCalls()
const child = spawn(process.execPath, [binary, 'webhook', 'serve', '--port', String(port), '-o', 'ndjson'], {
  env: {PATH: process.env.PATH ?? '', HOME: home},
  stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'],
})

const isUp = () =>
  load(port, next, {connections: 1, forMs: 0}).then(
    () => true,
    () => false,
  )

/** Resident memory, MB. */
const rss = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

const memory: number[] = []
try {
  while (!(await isUp())) await delay(100)
  for (let done = 0; memory.length < SLICES; ) {
    while (done < ((memory.length + 1) / SLICES) * CALLS)
      done += (await load(port, next, {connections: 16, forMs: 500})).times.length
    memory.push(rss())
    process.stdout.write(`${String(done).padStart(9)} calls  ${memory.at(-1)?.toFixed(0).padStart(5)} MB\n`)
  }
  const first = Math.max(...memory.slice(0, SLICES / 5))
  const last = Math.min(...memory.slice(-SLICES / 5))
  process.stdout.write(`${last.toFixed(0)} MB at the end, ${first.toFixed(0)} MB at the beginning\n`)
  if (last > first * MOST_GROWTH) process.exitCode = 1
} finally {
  child.kill('SIGKILL')
  rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
