import {scenarios, usualMix} from '../../contract/scenarios.ts'
import {readDuration} from '../../limits/duration.ts'
import {readRateWindow} from '../../limits/rate-window.ts'
import {runBench} from '../send/bench.ts'
import type {Caller} from '../send/caller.ts'
import {madeUpCards, scenarioCall} from '../send/scenario-call.ts'
import {restsOf, specsOf} from './expectations.ts'
import type {Check, LoadResult} from './results.ts'
import type {ExpectSpec, LoadSpec, StepSpec} from './suite-file.ts'

export interface LoadSurroundings {
  readonly caller: Caller
  readonly signal: AbortSignal
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
  onProgress?(counted: number, planned: number, failed: number): void
}

const MANY_CARDS = 100

/** Many calls at a steady rate, over many cards. */
export async function runLoad(
  {rate, duration, mix, cards = MANY_CARDS, concurrency = 256}: LoadSpec,
  {caller, signal, onProgress, ...made}: LoadSurroundings,
): Promise<LoadResult> {
  const {count, windowMs} = readRateWindow(rate) ?? {count: 1, windowMs: 1000}
  const nextCard = madeUpCards(cards)
  const makeCall = (name: string) => {
    const scenario = scenarios[name]
    if (!scenario) throw new Error('There is no such scenario.')
    return scenarioCall({scenario, card: nextCard(), ...made})
  }
  const {all, achievedRate, ownDelayMs} = await runBench({
    caller,
    signal,
    rate: (count * 1000) / windowMs,
    durationMs: readDuration(duration) ?? 0,
    concurrency,
    mix: Object.entries(mix ?? usualMix)
      .filter(([name]) => mix !== undefined || caller.canSend(makeCall(name)))
      .map(([name, weight]) => ({name, weight})),
    makeCall,
    ...(onProgress && {onProgress}),
  })
  const {late} = all.outcomes
  const percentile = (percent: number) => all.latencies.percentile(percent) ?? null
  return {
    calls: all.calls,
    late,
    invalid: all.invalid,
    inTime: all.calls === 0 ? 0 : (all.calls - late - all.outcomes.unreachable) / all.calls,
    p50: percentile(50),
    p95: percentile(95),
    p99: percentile(99),
    p999: percentile(99.9),
    max: percentile(100),
    rate: achievedRate,
    ownDelayMs,
  }
}

/** Nothing was lost, and nothing was invalid: what a load is expected to show if its step says nothing. */
const DEFAULTS: readonly ExpectSpec[] = [{inTime: '100%', invalid: 0}]

const TIMES = ['p50', 'p95', 'p99', 'p999', 'max'] as const

/** What a load was expected to show. */
export function checkLoad(result: LoadResult, {expect}: StepSpec): readonly Check[] {
  const specs = expect === undefined ? DEFAULTS : specsOf(expect)
  return specs.flatMap(spec => {
    const rests = restsOf(spec)
    const times = TIMES.flatMap((name): Check[] => {
      const limit = spec[name]
      if (limit === undefined) return []
      const most = readDuration(limit) ?? 0
      const was = result[name]
      const passed = was !== null && was <= most
      return [
        {
          what: name,
          expected: `${name} within ${most} ms`,
          got: was === null ? 'no answers' : `${was} ms`,
          passed,
          ...rests,
        },
      ]
    })
    const {inTime, invalid} = spec
    const share = `${Number((result.inTime * 100).toFixed(3))}%`
    const shares: Check[] =
      inTime === undefined
        ? []
        : [
            {
              what: 'inTime',
              expected: `at least ${inTime} within the deadline`,
              got: `${share} of ${result.calls} calls`,
              passed: result.calls > 0 && result.inTime * 100 >= Number(inTime.slice(0, -1)),
              ...rests,
            },
          ]
    const invalids: Check[] =
      invalid === undefined
        ? []
        : [
            {
              what: 'invalid',
              expected: `at most ${invalid} invalid`,
              got: `${result.invalid} invalid`,
              passed: result.invalid <= invalid,
              ...rests,
            },
          ]
    return [...times, ...shares, ...invalids]
  })
}
