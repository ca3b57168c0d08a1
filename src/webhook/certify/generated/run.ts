import type {StepSpec} from '../../suite/suite-file.ts'
import type {Undone} from '../check.ts'
import {Exam, type ExamSettings} from '../exam.ts'
import {anyAmounts} from './amounts.ts'
import {brokenBodies} from './bodies.ts'
import {oddCalls} from './fields.ts'
import type {Property} from './property.ts'
import {reusedIds} from './reused-ids.ts'
import {anySequence} from './sequences.ts'

/** How a failure that was found with generated calls is seen again. */
export interface Reproduction {
  /** The calls up to those that failed, as lines for a shell. */
  readonly curl: readonly string[]
  /** The same as a suite; only of generated calls. */
  readonly suite?: string
}

/** What generated calls showed. */
export interface Generated {
  readonly name: string
  readonly rule: string
  readonly exam: Exam
  /** Calls of all runs. */
  readonly sent: number
  /** Cases that held, and how many were planned. */
  readonly cases: number
  readonly planned: number
  /** Why it could not be checked. */
  readonly undone?: Undone
  readonly reproduction?: Reproduction
}

export interface GeneratedSettings extends ExamSettings {
  /** The same seed gives the same calls, apart from their ids and times. */
  readonly seed: number
  readonly url: string
  /** Stops looking for smaller failures, in ms. */
  readonly withinMs: number
}

async function openProperties(fc: typeof import('fast-check')) {
  // Each is only ever given values of its own.
  return [
    anyAmounts(fc),
    await oddCalls(fc),
    anySequence(fc),
    await reusedIds(fc),
    brokenBodies(fc),
  ] as unknown as readonly Property<unknown>[]
}

/** Calls that nobody wrote by hand. A failure is shrunk to the smallest one that still fails. */
export async function* generatedChecks(settings: GeneratedSettings): AsyncGenerator<Generated> {
  const fc = await import('fast-check')
  for (const property of await openProperties(fc)) {
    if (settings.signal.aborted) return
    let [last, sent, cases]: [Exam | undefined, number, number] = [undefined, 0, 0]
    let failed: {readonly exam: Exam; readonly value: unknown} | undefined
    let undone: Undone | undefined
    let isShown = false
    const holds = fc.asyncProperty(property.arbitrary, async value => {
      if (settings.signal.aborted) return true
      const exam = new Exam(settings, property.rule)
      const why = await exam.whyNot(() => property.run(exam, value))
      if (exam.checks.length > 0 || last === undefined) last = exam
      sent += exam.sentCalls
      if (why === undefined) isShown = true
      else undone = why
      const hasFailed = exam.checks.some(({passed}) => !passed)
      if (hasFailed) failed = {exam, value}
      else if (!failed) cases++
      return !hasFailed
    })
    await fc.check(holds, {
      seed: settings.seed,
      numRuns: property.runs,
      interruptAfterTimeLimit: settings.withinMs,
    })
    const exam = failed?.exam ?? last
    if (!exam) continue
    yield {
      name: property.name,
      rule: property.rule,
      exam,
      sent,
      cases,
      planned: property.runs,
      ...(!failed && !isShown && undone && {undone}),
      ...(failed && {
        reproduction: {
          curl: failed.exam.reproduction(settings.url),
          ...suiteIn(property, failed),
        },
      }),
    }
  }
}

/** A suite sends different calls one after the other, and waits for each answer. */
const suiteIn = (
  {steps, available, isPlayable}: Property<unknown>,
  {exam, value}: {readonly exam: Exam; readonly value: unknown},
): Pick<Reproduction, 'suite'> =>
  isPlayable?.(value) === false ? {} : {suite: suiteOf(steps(value), exam, available?.(value))}

/** The last step has what was expected: of its answer, or of what a card can still pay. */
function suiteOf(steps: readonly StepSpec[], {checks, wrongRoom}: Exam, available?: string): string {
  const rule = checks.find(({passed}) => !passed)?.rule ?? ''
  const left = wrongRoom && {
    name: 'what is left',
    send: 'chip',
    amount: wrongRoom.amount,
    set: {'transactionData.partialApprovalCapable': false},
    expect: {decision: wrongRoom.expected, rule},
  }
  const lines = [...steps, ...(left ? [left] : [])].map(step => `  - ${JSON.stringify(step)}`)
  const account = available === undefined || available === '5000 EUR' ? '' : `available: ${available}\n`
  return `${account}card: new\nsteps:\n${lines.join('\n')}\n`
}
