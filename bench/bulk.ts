// Rows per second of a bulk run, pace off and journal on, beside a bare undici loop that sends the same requests with
// the same concurrency to the same kind of service: `sandbox serve` on loopback, each time a fresh one.
import {createHash} from 'node:crypto'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {Agent, request} from 'undici'
import {Desk, serveSandbox} from '../test/helpers/programs.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const CONCURRENCY = 16

const home = mkdtempSync(join(tmpdir(), 'cardctl-bench-'))
const desk = new Desk(home)
const limits = Array.from({length: ROWS}, (_, at) => 1000 + at)

/** Rows per second of the whole command: its start, the first pass over the rows, and their journal included. */
async function bulkRun(round: number): Promise<number> {
  const service = await serveSandbox(desk, '--memory')
  try {
    await desk.addProfile(`bench-${round}`, service.url)
    const file = join(home, 'rows.csv')
    writeFileSync(file, `id,creditLimit\n${limits.map(limit => `2001,${limit}\n`).join('')}`)
    // The demo data has one credit account, and the bare loop doesn't keep its changes in order either.
    const flags = ['--from', file, '--rate', 'off', '--concurrency', String(CONCURRENCY), '--unordered']
    const began = performance.now()
    const {code, stderr} = await desk.run([
      ...['bulk', 'run', 'accounts.patchCredit.v4', ...flags],
      ...['-p', `bench-${round}`, '--yes'],
    ])
    if (code !== 0) throw new Error(`bulk run ended ${code}: ${stderr}`)
    return (ROWS / (performance.now() - began)) * 1000
  } finally {
    await service.close()
  }
}

async function bareLoop(): Promise<number> {
  const service = await serveSandbox(desk, '--memory')
  const dispatcher = new Agent({connections: CONCURRENCY})
  let at = 0
  const work = async (): Promise<void> => {
    for (let row = at++; row < ROWS; row = at++) {
      const key = createHash('sha256').update(`${row}`).digest('hex').slice(0, 48)
      const {statusCode, body} = await request(`${service.url}/v4/CREDIT/2001?auditUser=tester`, {
        dispatcher,
        method: 'PATCH',
        headers: {'content-type': 'application/json', 'x-idempotency-key': key},
        body: JSON.stringify({creditLimit: limits[row]}),
      })
      await body.json()
      if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`)
    }
  }
  try {
    const began = performance.now()
    await Promise.all(Array.from({length: CONCURRENCY}, work))
    return (ROWS / (performance.now() - began)) * 1000
  } finally {
    await dispatcher.close()
    await service.close()
  }
}

const shown = (rate: number): string => rate.toFixed(0).padStart(6)
const ratios: number[] = []
try {
  process.stdout.write(`${ROWS} rows, ${CONCURRENCY} at once; rows per second\n  bare  bulk run  ratio\n`)
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await bareLoop()
    const bulk = await bulkRun(round)
    ratios.push(bulk / bare)
    process.stdout.write(`${shown(bare)}    ${shown(bulk)}   ${(bulk / bare).toFixed(2)}\n`)
  }
} finally {
  rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0
process.stdout.write(`median ratio ${median.toFixed(2)}, wanted 0.50\n`)
if (median < 0.5) process.exitCode = 1
