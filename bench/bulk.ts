// Rows per second of a bulk run, without a rate limit and with the journal, compared with a bare undici loop. Both send
// the same requests with the same concurrency to the same kind of service: a new `sandbox serve` on loopback each time.
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {ProcessHome, serveSandbox} from '../test/helpers/process-home.ts'
import {BINARY, here} from './home.ts'
import {measureMemory, measureTimes, type Program, processor, type Times, wall} from './measure-process.ts'
import {median, pairedRatio} from './statistics.ts'
import type {Measured, Options, Suite} from './suite.ts'

const ROWS = 5000
const CONCURRENCY = 16
/** A round takes several seconds. */
const RUNS_PER_ROUND = 3

export const bulk: Suite = {
  name: 'bulk',
  title: 'Bulk runs',
  async run({runs, home, env}: Options): Promise<Measured> {
    const file = join(home, 'rows.csv')
    const limits = Array.from({length: ROWS}, (_, at) => 1000 + at)
    writeFileSync(file, `id,creditLimit\n${limits.map(limit => `2001,${limit}\n`).join('')}`)
    const times = {bare: [] as Times[], run: [] as Times[]}
    // The first round fills the caches of compiled code.
    for (let round = 0; round <= Math.ceil(runs / RUNS_PER_ROUND); round++) {
      const bare = await onService(home, url => measureTimes(bareLoop(file, url), env))
      const run = await onService(home, url => measureTimes(bulkRun(file, url), env))
      if (round === 0) continue
      times.bare.push(bare)
      times.run.push(run)
    }
    const memory = {
      bare: await onService(home, url => measureMemory(bareLoop(file, url), env)),
      run: await onService(home, url => measureMemory(bulkRun(file, url), env)),
    }
    const row = (name: string, which: keyof typeof times): readonly string[] => [
      name,
      (ROWS / (median(times[which].map(wall)) / 1000)).toFixed(0),
      ((median(times[which].map(processor)) / ROWS) * 1000).toFixed(0),
      pairedRatio(times.bare.map(wall), times[which].map(wall)).toFixed(2),
      pairedRatio(times.bare.map(processor), times[which].map(processor)).toFixed(2),
      memory[which].toFixed(0),
    ]
    return {
      about: `${ROWS} rows, ${CONCURRENCY} at the same time, to a new sandbox on loopback. The bare loop sends the same requests. \`bulk run\` also checks the rows and records every request in the journal, before it is sent and when it ends. Both are whole processes. CPU is the processor time for a row, in µs. The ratios compare rows per second, and rows per second of processor time.`,
      columns: ['', 'per second', 'CPU µs', 'of bare', 'CPU of bare', 'peak MB'],
      rows: [row('bare undici loop', 'bare'), row('bulk run --rate off', 'run')],
      figures: {
        'rows per second, of a bare undici loop': pairedRatio(times.bare.map(wall), times.run.map(wall)),
      },
      skipped: [],
      versions: {},
    }
  },
}

/** Unordered: the demo data has one credit account, and the bare loop doesn't keep its changes in order either. */
function bulkRun(file: string, url: string): Program {
  const flags = [
    '--from',
    file,
    '--rate',
    'off',
    '--concurrency',
    String(CONCURRENCY),
    '--unordered',
    '--yes',
  ]
  return {
    name: 'bulk run',
    argv: [process.execPath, BINARY, 'bulk', 'run', 'accounts.patchCredit.v4', ...flags],
    env: {CARDCTL_PROFILE: profileOf(url)},
    prints: new RegExp(String(ROWS)),
  }
}

function bareLoop(file: string, url: string): Program {
  return {
    name: 'bare loop',
    argv: [process.execPath, here('bare-loop.ts'), file, url, String(CONCURRENCY)],
    prints: new RegExp(String(ROWS)),
  }
}

async function onService<T>(home: string, measure: (url: string) => Promise<T>): Promise<T> {
  const desk = new ProcessHome(home)
  const service = await serveSandbox(desk, '--memory')
  try {
    await desk.addProfile(profileOf(service.url), service.url)
    return await measure(service.url)
  } finally {
    await service.close()
  }
}

const profileOf = (url: string): string => `port-${new URL(url).port}`
