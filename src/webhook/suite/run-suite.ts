import {maskText} from '../../sensitive/mask-text.ts'
import type {Caller} from '../send/caller.ts'
import type {Forgery} from '../send/forge-credentials.ts'
import type {StepResult, SuiteEvent, SuiteSummary} from './results.ts'
import {forgeryOf, StepRunner, type StepSettings} from './run-step.ts'
import {isGone} from './still-there.ts'
import type {Step, Suite} from './suite-file.ts'

export interface SuiteSettings extends StepSettings {
  /** Stops after the first step that fails; the others are skipped. */
  readonly bail?: boolean | undefined
}

/**
 * Runs a suite against an endpoint, step by step. Never rejects for what the endpoint does. If nobody answers at the
 * first call, the run ends, with the reason in the summary.
 */
export async function* runSuite(
  suite: Suite,
  settings: SuiteSettings,
): AsyncGenerator<SuiteEvent, SuiteSummary, undefined> {
  const steps = new StepRunner(suite, settings)
  const began = performance.now()
  const results: StepResult[] = []
  yield {type: 'suite', suite: maskText(suite.name), steps: suite.steps.length}
  let stopped: SuiteSummary['stopped']
  for (const [index, step] of suite.steps.entries()) {
    const isOver = stopped !== undefined || (settings.bail === true && results.some(isFailed))
    const lacks = isOver ? undefined : lackOf(forgeryOf(step.spec), settings.caller)
    const isSkipped = isOver || lacks !== undefined
    const result = isSkipped ? skipped(step, index + 1, lacks) : await steps.run(step, index + 1)
    if (settings.signal.aborted && !isOver) {
      stopped = {why: 'interrupted', reason: 'the run was stopped'}
      results.push(skipped(step, index + 1))
    } else results.push(result)
    const reason = steps.unreachable
    if (reason !== undefined) stopped ??= {why: 'unreachable', reason}
    if (isGone(result)) stopped ??= {why: 'gone', reason: `the endpoint is gone since: ${result.name}`}
    const last = results.at(-1)
    if (last) yield last
  }
  const number = (state: StepResult['state']) => results.filter(result => result.state === state).length
  const summary: SuiteSummary = {
    type: 'summary',
    suite: maskText(suite.name),
    steps: results.length,
    passed: number('passed'),
    failed: number('failed'),
    skipped: number('skipped'),
    notChecked: number('not checked'),
    checks: results.reduce((sum, {checks}) => sum + checks.length, 0),
    calls: steps.sentCalls,
    durationMs: Math.round(performance.now() - began),
    ...(stopped && {stopped}),
  }
  yield summary
  return summary
}

const isFailed = ({state}: StepResult): boolean => state === 'failed'

/** What calls need to be sent as a step wants them. */
function lackOf(forgery: Forgery, {canForge, proofs}: Caller): string | undefined {
  if (canForge(forgery)) return undefined
  if (forgery.credentials) return 'its calls need credentials: pass --auth'
  if (forgery.certificate) return 'its calls need a client certificate: pass --cert and --cert-key'
  return proofs.includes('signature')
    ? 'what is signed has no {timestamp}'
    : 'its calls need a signature: pass --auth hmac:REF'
}

const skipped = ({name, verb, at}: Step, number: number, reason?: string): StepResult => ({
  type: 'step',
  number,
  name: maskText(name),
  verb,
  ...at,
  state: 'skipped',
  ...(reason !== undefined && {reason}),
  durationMs: 0,
  checks: [],
  calls: [],
})
