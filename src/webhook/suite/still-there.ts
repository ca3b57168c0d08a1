import {maskText} from '../../sensitive/mask-text.ts'
import type {Caller, Verdict} from '../send/caller.ts'
import type {Check, StepResult} from './results.ts'

/** What is expected of an endpoint beyond its answers. */
export const THERE = 'endpoint'

/** Whether the endpoint can no longer be reached after a step. */
export const isGone = ({checks}: Pick<StepResult, 'checks'>): boolean =>
  checks.some(({what, passed}) => what === THERE && !passed)

/** Whether a call got nothing back, not even too late. */
export const isUnanswered = ({outcome, status}: Pick<Verdict, 'outcome' | 'status'>): boolean =>
  status === undefined && outcome !== 'late'

/** A failed check if the endpoint can no longer be reached; otherwise none. Sends warm-ups, which change nothing. */
export async function stillThere({
  caller,
  signal,
}: {
  readonly caller: Caller
  readonly signal: AbortSignal
}): Promise<readonly Check[]> {
  if (signal.aborted) return []
  let look = await caller.warmUp({signal})
  if (isUnanswered(look)) look = await caller.warmUp({signal})
  if (look.outcome !== 'unreachable' || signal.aborted) return []
  const expected = 'an endpoint that can still be reached'
  const rests = {rule: 'broken-calls', basis: 'decided'} as const
  return [{what: THERE, expected, ...rests, got: maskText(look.reason ?? 'no connection'), passed: false}]
}
