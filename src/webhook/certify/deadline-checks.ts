import type {ContractRule} from '../../contract/webhook-contract.ts'
import type {Caller} from '../send/caller.ts'
import type {LoadResult} from '../suite/results.ts'
import {checkLoad} from '../suite/run-load.ts'
import type {ExpectSpec} from '../suite/suite-file.ts'
import type {CertifiedCheck} from './certificate.ts'
import {type Undone, wantsOption} from './check.ts'
import {busyMs, busyReason, type Control, tooSlowMs} from './control.ts'

/** The 99.9th percentile needs this many calls, of which the slowest ten are above it. */
export const ENOUGH_CALLS = 10_000
/** If calls left later than this share of the deadline, late answers say nothing about the endpoint. */
const OWN_SHARE = 0.25
/** The share of calls that may be late. */
const LATE_SHARE = 0.001

/** A caller that notes when calls were late, by performance.now(). */
export function noteLate(caller: Caller, late: number[]): Caller {
  return {
    ...caller,
    authorise: async (call, settings) => {
      const verdict = await caller.authorise(call, settings)
      if (verdict.outcome === 'late') late.push(performance.now())
      return verdict
    },
  }
}

/** With fewer calls than a whole certificate, what needs many was not asked for. */
export const ofFewCalls = (reason: string, calls: number): Undone =>
  calls < ENOUGH_CALLS ? wantsOption(reason, `--calls ${ENOUGH_CALLS}`) : {reason, because: 'run'}

interface Measured {
  readonly load: LoadResult
  /** When calls were late. */
  readonly late: readonly number[]
  readonly calls: number
  readonly deadlineMs: number
  readonly durationMs: number
  /** When the last was answered, by performance.now(). */
  readonly endedAt: number
  readonly control: Control
  readonly rules: ReadonlyMap<string, ContractRule>
}

/** What calls at a steady rate show of the deadline. */
export function deadlineChecks({
  load,
  late,
  calls,
  deadlineMs,
  durationMs,
  endedAt,
  control,
  rules,
}: Measured): readonly CertifiedCheck[] {
  const base = {part: 'deadlines', calls: [], load, durationMs}
  const of = (rule: string): Pick<ExpectSpec, 'rule' | 'basis' | 'why'> => {
    const {source, about, text} = rules.get(rule) ?? {}
    return {rule, ...(source && {basis: source}), why: `${about}: ${text}`}
  }
  const checked = (name: string, expect: ExpectSpec): CertifiedCheck => {
    const checks = checkLoad(load, {expect})
    const passed = checks.every(check => check.passed)
    const basis = expect.basis ? [expect.basis] : []
    return {...base, name, state: passed ? 'passed' : 'failed', basis, checks}
  }
  const notChecked = (name: string, undone: Undone): CertifiedCheck => ({
    ...base,
    name,
    state: 'not checked',
    ...undone,
    basis: ['decided'],
    checks: [],
  })
  const ours = whyOurs({load, late, deadlineMs, durationMs, endedAt, control})
  const timed = (name: string, expect: ExpectSpec): CertifiedCheck =>
    ours === undefined ? checked(name, expect) : notChecked(name, {reason: ours, because: 'run'})
  const percentile = 'the 99.9th percentile within the deadline'
  return [
    checked('every answer is valid', {invalid: 0, ...of('status')}),
    timed('99.9% of the answers within the deadline', {inTime: '99.9%', ...of('deadline')}),
    load.calls < ENOUGH_CALLS
      ? notChecked(percentile, ofFewCalls(`it needs ${ENOUGH_CALLS} calls, and --calls was ${calls}`, calls))
      : timed(percentile, {p999: `${deadlineMs}ms`, ...of('deadline')}),
  ]
}

/**
 * Why late answers say nothing about the endpoint. Each late one counts for the endpoint if this machine was not busy from
 * when the call was due until its deadline.
 */
function whyOurs({
  load,
  late,
  deadlineMs,
  durationMs,
  endedAt,
  control,
}: Omit<Measured, 'calls' | 'rules'>): string | undefined {
  if (load.late === 0) return undefined
  // A late call is cut at the deadline, so its time doesn't say how much of it was ours.
  if (load.ownDelayMs > deadlineMs * OWN_SHARE) {
    return `calls left up to ${Math.round(load.ownDelayMs)} ms late, because this machine was busy`
  }
  const busy = late.map(to => busyMs(control, {from: to - deadlineMs, to, deadlineMs}))
  const unexplained = busy.filter(ms => ms === undefined).length
  if (unexplained > load.calls * LATE_SHARE) return whySlow({load, durationMs, endedAt, control})
  const slowest = Math.max(0, ...busy.map(ms => ms ?? 0))
  return slowest > 0 ? busyReason(slowest) : undefined
}

/** A disk that takes no more calls one after the other than came makes every endpoint late that writes each down. */
function whySlow({
  load,
  durationMs,
  endedAt,
  control,
}: Pick<Measured, 'load' | 'durationMs' | 'endedAt' | 'control'>): string | undefined {
  const rate = load.calls / (durationMs / 1000)
  const ms = tooSlowMs(control, {from: endedAt - durationMs, to: endedAt, rate})
  if (ms === undefined) return undefined
  return `this machine was busy: a responder of cardctl's own took ${ms} ms for a call on average, and ${Math.round(rate)} calls came each second`
}
