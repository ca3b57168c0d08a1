// Servers under load, in alternating rounds, so that other work on the machine affects all of them alike.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {openSync, readFileSync} from 'node:fs'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {freePort} from '../test/helpers/free-port.ts'
import {type Load, load, type NextRequest} from './http-load.ts'
import {peakMemory} from './measure-process.ts'
import {median, pairedRatio, quantile} from './statistics.ts'
import type {Measured} from './suite.ts'

/** Until V8 has compiled the hot code: 2 s of load for each server. */
const WARM_UP_ROUNDS = 4
const ROUND_MS = 500

export interface Contest {
  readonly name: string
  /** Arguments of Node.js. */
  argv(port: number): readonly string[]
  /** Called once per server, so that no server gets a request that another has seen. */
  requests(): NextRequest
}

/** The result of a round of one server. */
export interface Round {
  readonly perSecond: number
  /** Processor time of the server per request, in microseconds; NaN if the system has no /proc. */
  readonly processor: number
  readonly p50: number
  readonly p99: number
}

export interface Result {
  readonly rounds: readonly Round[]
  readonly peakMemory: number | undefined
}

/** Starts all servers and puts the same load on each, round by round. */
export async function compete(
  contests: readonly Contest[],
  {runs, connections, env}: {runs: number; connections: number; env: NodeJS.ProcessEnv},
): Promise<ReadonlyMap<string, Result>> {
  const nowhere = openSync('/dev/null', 'w')
  const servers: {name: string; port: number; child: ChildProcess; next: NextRequest; rounds: Round[]}[] = []
  try {
    for (const {name, argv, requests} of contests) {
      const port = await freePort()
      const child = spawn(process.execPath, argv(port), {env, stdio: ['ignore', nowhere, 'inherit']})
      servers.push({name, port, child, next: requests(), rounds: []})
    }
    for (const {port, child, next, name} of servers) await untilAnswered(name, child, port, next)
    for (let round = -WARM_UP_ROUNDS; round < runs; round++) {
      for (const {port, child, next, rounds} of servers) {
        const before = processorTime(child)
        const loaded = await load(port, next, {connections, forMs: ROUND_MS})
        if (round >= 0) rounds.push(roundOf(loaded, processorTime(child) - before))
      }
    }
    return new Map(
      servers.map(({name, rounds, child}) => [name, {rounds, peakMemory: peakMemory(child)}] as const),
    )
  } finally {
    for (const {child} of servers) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
  }
}

/** The median of the ratios of requests per second within a round; null if one of the two didn't run. */
export function rateRatio(results: ReadonlyMap<string, Result>, name: string, base: string): number | null {
  return ratioOf(results, name, base, ({perSecond}) => perSecond)
}

/** The same for the 99th percentile of the response times. */
export function p99Ratio(results: ReadonlyMap<string, Result>, name: string, base: string): number | null {
  return ratioOf(results, name, base, ({p99}) => p99)
}

/** A table that compares the servers with the first one. */
export function serverTable(results: ReadonlyMap<string, Result>): Pick<Measured, 'columns' | 'rows'> {
  const [floor = ''] = results.keys()
  const rows = [...results].map(([name, {rounds, peakMemory: peak}]) => {
    const middle = (of: (round: Round) => number) => median(rounds.map(of))
    return [
      name,
      middle(({perSecond}) => perSecond).toFixed(0),
      middle(({p50}) => p50).toFixed(2),
      middle(({p99}) => p99).toFixed(1),
      middle(({processor}) => processor).toFixed(0),
      rateRatio(results, name, floor)?.toFixed(2) ?? '-',
      // As a rate: more processor time per request means fewer requests.
      ratioOf(results, floor, name, ({processor}) => processor)?.toFixed(2) ?? '-',
      peak?.toFixed(0) ?? '-',
    ]
  })
  return {
    columns: ['', 'per second', 'p50 ms', 'p99 ms', 'CPU µs', 'of bare', 'CPU of bare', 'peak MB'],
    rows,
  }
}

function ratioOf(
  results: ReadonlyMap<string, Result>,
  name: string,
  base: string,
  of: (round: Round) => number,
): number | null {
  const [values, bases] = [results.get(name), results.get(base)]
  return values && bases ? pairedRatio(values.rounds.map(of), bases.rounds.map(of)) : null
}

function roundOf({perSecond, times}: Load, processorMs: number): Round {
  return {
    perSecond,
    processor: (processorMs / times.length) * 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }
}

async function untilAnswered(
  name: string,
  child: ChildProcess,
  port: number,
  next: NextRequest,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    try {
      await load(port, next, {connections: 1, forMs: 0})
      return
    } catch (error) {
      const isListening = !(error instanceof Error && 'code' in error)
      // An error response is no load to measure.
      if (isListening || tries === 600) throw error
      await delay(100)
    }
  }
}

/** Of all threads in user and kernel mode, in milliseconds, in steps of 10; NaN if the system has no /proc. */
function processorTime({pid}: ChildProcess): number {
  try {
    // The name of the program, in brackets, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}
