import * as Flags from '@oclif/core/flags'
import {confirmHost} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {durationFlag, type FlagValues, integerFlag} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import {codeOfSignal} from '../../../errors/interruption.ts'
import {readRateWindow} from '../../../limits/rate-window.ts'
import type {BoardContent} from '../../../output/index.ts'
import {type Caller, runBench, type Tally} from '../../../webhook/index.ts'
import {type BenchMix, chooseMix} from './bench-mix.ts'
import type {BenchLimit, BenchReport, Percentiles} from './bench-views.ts'
import {chooseEndpoint, endpointFlags} from './endpoint.ts'

export const benchFlags = {
  ...endpointFlags,
  rate: Flags.string({
    default: '50/s',
    helpValue: '200/s',
    summary: 'Calls per second or minute.',
  }),
  duration: durationFlag({default: 10_000, summary: 'Duration of the run (default 10s, at most 10m).'}),
  concurrency: integerFlag({
    default: 256,
    min: 1,
    max: 1024,
    summary: 'Maximum number of calls at the same time. A call beyond it waits, and the wait counts.',
  }),
  mix: Flags.string({
    helpValue: 'name=weight,…',
    summary: 'Scenarios and their weights (default a usual day).',
  }),
  from: Flags.string({
    helpValue: 'FILE',
    exclusive: ['mix', 'cards'],
    summary:
      'Send recorded calls in turn, as often as they were recorded: a recording, or a file that webhook events export wrote.',
  }),
  cards: integerFlag({
    default: 1,
    min: 1,
    max: 1_000_000,
    summary: 'Number of made-up cards that the calls are about, in turn.',
  }),
  'max-p95': durationFlag({helpValue: '300ms', summary: 'Maximum latency of 95% of the answers.'}),
  'max-p99': durationFlag({helpValue: '500ms', summary: 'Maximum latency of 99% of the answers.'}),
  'max-late': integerFlag({
    min: 0,
    summary: 'Maximum number of calls without an answer within the deadline.',
  }),
  'max-invalid': integerFlag({
    min: 0,
    summary: 'Maximum number of calls with an invalid answer or none.',
  }),
}

type BenchFlags = FlagValues<typeof benchFlags>

type BenchResult = Awaited<ReturnType<typeof runBench>>

const HIGHEST_RATE = 5000
const LONGEST_RUN = 600_000
const MOST_CALLS = 1_000_000

/**
 * Calls an endpoint at a steady rate and reports the result; a signal ends it early.
 *
 * @throws Failure USAGE, CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED; CONNECTION_FAILED if the warm-up doesn't reach
 * the endpoint; INTERRUPTED or TERMINATED if a signal comes before the warm-up is answered.
 */
export async function benchEndpoint(context: Context, flags: BenchFlags): Promise<BenchReport> {
  const rate = parseRate(flags.rate)
  const {duration: durationMs, concurrency} = flags
  if (durationMs < 1 || durationMs > LONGEST_RUN) {
    throw new Failure('USAGE', {message: '--duration is longer than 0 and at most 10m.'})
  }
  if ((rate * durationMs) / 1000 > MOST_CALLS) {
    throw new Failure('USAGE', {message: 'A run has at most 1,000,000 calls. Lower --rate or --duration.'})
  }
  const endpoint = await chooseEndpoint(context, flags)
  const {samples, ...mix} = await chooseMix(context, flags, endpoint.translator)
  for (const call of samples) endpoint.translator?.writeCall(call)
  const url = endpoint.url.href.replace(/\/+$/, '')
  const why = 'many calls would go there'
  await confirmHost(context, endpoint.url, {confirm: flags.confirm, why})
  const caller = await endpoint.open()
  try {
    await warmUp(context, caller)
    const result = await runAt(context, url, caller, {rate, durationMs, concurrency, ...mix})
    const {aborted: interrupted} = context.surroundings.signal
    return reportOf(result, {url, rate, caller, interrupted, flags})
  } finally {
    caller.close()
  }
}

async function warmUp({printer, surroundings: {signal}}: Context, caller: Caller): Promise<void> {
  const {outcome, reason} = await caller.warmUp({signal})
  if (signal.aborted) {
    throw new Failure(codeOfSignal(signal.reason), {
      message: 'Stopped during the warm-up, before the first call.',
      hint: 'Nothing was measured.',
    })
  }
  if (outcome === 'unreachable') {
    throw new Failure('CONNECTION_FAILED', {
      message: `The warm-up could not be sent: ${reason}.`,
      hint: 'Check the URL. If TLS fails, pass its authorities with --ca and your client certificate with --cert.',
    })
  }
  if (outcome !== 'ready' && caller.warmsUp) printer.warn(`The warm-up failed: ${reason}.`)
}

async function runAt(
  {printer, surroundings}: Context,
  url: string,
  caller: Caller,
  pace: Omit<BenchMix, 'samples'> & {rate: number; durationMs: number; concurrency: number},
): Promise<BenchResult> {
  const {signal} = surroundings
  const progress = await printer.progress('calls')
  try {
    return await runBench({
      ...pace,
      caller,
      signal,
      onProgress: (done, total, failed, soFar) => {
        const board = () => benchBoard(url, soFar)
        progress.update({done, total, failed, pace: `${pace.rate}/s`, board})
      },
    })
  } finally {
    progress.stop()
  }
}

/** What a terminal shows during the run. */
function benchBoard(url: string, {all, seconds}: Pick<BenchResult, 'all' | 'seconds'>): BoardContent {
  const {approved, partial, declined, late} = all.outcomes
  const recent = seconds.slice(-SHOWN_SECONDS).map(secondOf)
  const p99 = recent.at(-1)?.p99 ?? null
  return {
    title: url,
    counts: [
      {name: 'Approved', count: approved + partial, style: 'ok'},
      {name: 'Declined', count: declined},
      {name: 'Late', count: late, style: 'bad'},
      {name: 'Invalid', count: all.invalid, style: 'bad'},
    ],
    measures: [
      {name: 'p99', words: p99 === null ? 'unknown' : `${p99} ms`, series: recent.map(each => each.p99 ?? 0)},
    ],
    reasons: counted(all.reasons),
  }
}

const SHOWN_SECONDS = 60
const MOST_BARS = 12

const secondOf = (
  {calls, outcomes: {late}, invalid, latencies}: Tally,
  at = 0,
): BenchReport['seconds'][number] => ({
  second: at + 1,
  calls,
  late,
  invalid,
  p99: latencies.percentile(99) ?? null,
})

function reportOf(
  {all, seconds, byScenario, planned, unsent, elapsedMs, achievedRate, ownDelayMs}: BenchResult,
  about: {url: string; rate: number; caller: Caller; interrupted: boolean; flags: BenchFlags},
): BenchReport {
  const latencyMs = percentilesOf(all)
  return {
    url: about.url,
    interrupted: about.interrupted,
    rate: {asked: about.rate, achieved: achievedRate},
    elapsedMs,
    ownDelayMs,
    deadlineMs: about.caller.deadlineMs,
    calls: {planned, counted: all.calls, unsent},
    outcomes: all.outcomes,
    latencyMs,
    histogram: all.latencies.bins(MOST_BARS),
    seconds: seconds.map(secondOf),
    scenarios: [...byScenario].map(([name, tally]) => ({
      name,
      calls: tally.calls,
      late: tally.outcomes.late,
      invalid: tally.invalid,
      ...percentilesOf(tally),
    })),
    faults: counted(all.reasons),
    unread: counted(all.unread),
    limits: limitsOf(about.flags, latencyMs, {late: all.outcomes.late, invalid: all.invalid}),
  }
}

const counted = (counts: ReadonlyMap<string, number>): BenchReport['faults'] =>
  [...counts].map(([reason, count]) => ({reason, count})).sort((one, other) => other.count - one.count)

function percentilesOf({latencies}: BenchResult['all']): Percentiles {
  return {
    p50: latencies.percentile(50) ?? null,
    p95: latencies.percentile(95) ?? null,
    p99: latencies.percentile(99) ?? null,
    max: latencies.max ?? null,
    mean: latencies.mean ?? null,
  }
}

function limitsOf(
  flags: BenchFlags,
  {p95, p99}: Percentiles,
  {late, invalid}: {late: number; invalid: number},
): readonly BenchLimit[] {
  const measured = {p95, p99, late, invalid}
  return (['p95', 'p99', 'late', 'invalid'] as const).flatMap(name => {
    const most = flags[`max-${name}`]
    const was = measured[name]
    // Without answers, no limit on time is met.
    return most === undefined ? [] : [{name, most, was, kept: was !== null && was <= most}]
  })
}

/** The failure for the exit code; undefined if every limit was met. */
export function benchFailure(
  {limits, interrupted, calls, outcomes}: BenchReport,
  signal: AbortSignal,
): Failure | undefined {
  if (interrupted) {
    return new Failure(codeOfSignal(signal.reason), {
      message: `Stopped after ${calls.counted} of ${calls.planned} calls.`,
      hint: 'The report has what was measured until then.',
    })
  }
  const missed = limits.filter(({kept}) => !kept)
  const {unreachable} = outcomes
  if (unreachable > 0) {
    return new Failure('LIMIT_MISSED', {
      message: `${unreachable} of ${calls.counted} calls reached no endpoint, so the figures are of the others only.`,
      hint: 'Check that the endpoint keeps running and takes this many connections.',
    })
  }
  if (missed.length === 0) return undefined
  const names = missed.map(({name}) => `--max-${name}`).join(', ')
  return new Failure('LIMIT_MISSED', {message: `Limits exceeded: ${names}.`})
}

function parseRate(text: string): number {
  const {count, windowMs} = readRateWindow(text.includes('/') ? text : `${text.trim()}/s`) ?? {
    count: 0,
    windowMs: 1,
  }
  const rate = (count * 1000) / windowMs
  if (rate > 0 && rate <= HIGHEST_RATE) return rate
  throw new Failure('USAGE', {
    message: `--rate takes calls per second, minute or hour, for example 200/s, at most ${HIGHEST_RATE}/s.`,
  })
}
