import {Failure} from '../errors/failure.ts'
import {broken, type Finding} from './finding.ts'

export const AREAS = ['machine', 'files', 'profile', 'network', 'service', 'records', 'terminal'] as const
export type Area = (typeof AREAS)[number]

/** One check. */
export interface Step {
  readonly id: string
  readonly area: Area
  readonly title: string
  /** Ids of the steps that must succeed before this one. */
  readonly needs?: readonly string[]
  /** Completes "not checked, because …" for the steps that depend on this one. */
  readonly whenBroken?: string
  look(): Promise<Finding | readonly Finding[]>
}

/** A line of the report. */
export interface Check extends Finding {
  readonly id: string
  readonly area: Area
  readonly title: string
}

/**
 * Runs all steps in order. Skips a step if one that it needs failed: it would fail for the same reason and hide the
 * cause. An error that a step throws becomes its finding.
 *
 * @throws the reason of the signal if it is aborted.
 */
export async function examine(steps: readonly Step[], signal: AbortSignal): Promise<readonly Check[]> {
  const failed = new Map<string, string>()
  const checks: Check[] = []
  for (const step of steps) {
    const {id, area, title, needs = []} = step
    const why = needs.map(need => failed.get(need)).find(reason => reason !== undefined)
    const findings = why === undefined ? await runCheck(step, signal) : [unchecked(why)]
    checks.push(...findings.map(finding => ({id, area, ...finding, title: finding.title ?? title})))
    const isBroken = findings.some(({state}) => state === 'problem')
    if (why !== undefined) failed.set(id, why)
    else if (isBroken) failed.set(id, step.whenBroken ?? `${title} has a problem`)
  }
  return checks
}

const unchecked = (why: string): Finding => ({state: 'unchecked', message: `not checked, because ${why}`})

async function runCheck(step: Step, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    return [await step.look()].flat()
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return [asFinding(error)]
  }
}

/** A failure of another folder, which already says what is wrong and what to do. */
export const asFinding = ({code, message, advice}: Failure): Finding =>
  broken(code, message.replace(/\.$/, ''), advice)

/** The last line of the report: the first problem, because it often causes the ones below. */
export const firstProblem = (checks: readonly Check[]): Check | undefined =>
  checks.find(({state}) => state === 'problem')
