import {count, counted, decimalText} from '../../../money/amount.ts'
import {labelledText} from '../../../output/detail.ts'
import {bad, dim, joinStyled, ok, type Span, type Styled, strong, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {cut, lineWidth, spaces, styledWidth} from '../../../output/text-layout.ts'
import {
  glyphsOf,
  type ListView,
  paintedLines,
  sentence,
  stack,
  type View,
  type ViewContext,
} from '../../../output/view.ts'
import {wholeMs} from '../../../output/when.ts'
import type {Check, SentCall, StepResult, SuiteEvent, SuiteSummary} from '../../../webhook/suite/index.ts'

/** The start of a run names the endpoint. */
export type ShownSuiteEvent =
  | Exclude<SuiteEvent, {readonly type: 'suite'}>
  | (Extract<SuiteEvent, {readonly type: 'suite'}> & {readonly url: string})

/** A whole run. */
export interface SuiteReport {
  readonly suite: string
  readonly url: string
  readonly summary: Omit<SuiteSummary, 'type' | 'suite'>
  readonly steps: readonly StepResult[]
}

/** A line for each step as it ends, with what was expected and what came if that differs. */
export const webhookTestView: View<ShownSuiteEvent> = (event, context) => {
  switch (event.type) {
    case 'suite':
      return sentence([strong(event.suite), dim(`  ${counted(event.steps, 'step')}  ${event.url}`)], context)
    case 'step':
      return stack(
        stepLine(event, context),
        event.state === 'not checked' ? reasonLine(event, context) : undefined,
        ...failures(event).map(each => failureLines(each, context)),
      )
    case 'summary':
      return `\n${sentence(summaryLine(event), context)}`
  }
}

/** The shipped suites. */
export const suitesView: ListView = (suites, context) => table('suite', suiteColumns, suites, context)

const suiteColumns: readonly Column<unknown>[] = [
  {title: 'Suite', value: 'name', fit: 'keep'},
  {title: 'What', value: 'description', fit: 'wrap', ease: 40},
  {title: 'Steps', value: 'steps', align: 'right', fit: 'keep', spare: 1},
]

/** The steps of a suite that would be run. */
export const suiteStepsView: ListView = (steps, context) => table('step', stepColumns, steps, context)

const stepColumns: readonly Column<unknown>[] = [
  {title: 'Step', value: 'name', fit: 'wrap', least: 12},
  {title: 'What', value: 'does', fit: 'keep'},
  {title: 'Line', value: 'line', align: 'right', fit: 'keep', spare: 1},
]

const MARKS = {
  passed: {unicode: '✓', ascii: '+', style: ok},
  failed: {unicode: '✗', ascii: 'x', style: bad},
  skipped: {unicode: '–', ascii: '-', style: dim},
  'not checked': {unicode: '–', ascii: '-', style: warn},
} as const

/** A step of a suite, or a check of a certificate. */
type ShownStep = Pick<StepResult, 'name' | 'load' | 'durationMs'> & {
  readonly state: keyof typeof MARKS
  readonly reason?: string
  readonly calls: readonly ShownCall[]
}

type ShownCall = Omit<SentCall, 'at'>

/** Lines are no wider than this, so that the eye finds the time of a name. */
const WIDEST = 88
const INDENT = 2

export function stepLine(step: ShownStep, context: ViewContext): string {
  const {unicode, ascii, style} = MARKS[step.state]
  const mark = style(context.ascii ? ascii : unicode)
  const about = aboutStep(step)
  if (context.accessible === true) {
    const result = step.state === 'passed' ? joinStyled(['passed, ', about]) : about
    return labelledText([[step.name, result]], context)
  }
  const width = Math.min(context.width, WIDEST)
  const room = width - INDENT - 2 - styledWidth(about)
  const {ellipsis} = glyphsOf(context)
  const isNarrow = room < Math.min(16, styledWidth(step.name))
  const name = cut(step.name, isNarrow ? width - INDENT : room, ellipsis)
  const head = [...cut([mark, ' '], INDENT, ''), ...name]
  const end = cut(about, width - INDENT, ellipsis)
  const isEmpty = styledWidth(about) === 0
  if (isEmpty) return paintedLines([head], context)
  if (isNarrow) return paintedLines([head, [...spaces(INDENT), ...end]], context)
  return paintedLines([[...head, ...spaces(width - lineWidth(head) - lineWidth(end)), ...end]], context)
}

/** `approved  3 ms`, `10 calls  40 ms`, `500 calls  p50 2 ms  p99 9 ms`. */
function aboutStep({state, reason, calls, load, durationMs}: ShownStep): Styled {
  if (state === 'not checked') return warn('not checked')
  if (state === 'skipped') return dim(reason === undefined ? 'skipped' : `skipped: ${reason}`)
  if (load) {
    const {p50, p99} = load
    const times = [p50 === null ? '' : `  p50 ${p50} ms`, p99 === null ? '' : `  p99 ${p99} ms`]
    return [counted(load.calls, 'call'), dim(times.join(''))]
  }
  const [first] = calls
  if (!first) return dim(wholeMs(durationMs))
  const what = calls.length > 1 ? counted(calls.length, 'call') : outcomeOf(first)
  return joinStyled([state === 'failed' ? bad(`failed  `) : '', what, dim(`  ${wholeMs(first.durationMs)}`)])
}

/** `declined 51`, `partial 80 EUR`, `refused 400`. */
function outcomeOf({outcome, code, part, status}: ShownCall): string {
  if (outcome === 'declined') return `declined ${code}`
  if (outcome === 'partial' && part) return `partial ${decimalText(part.amount)} ${part.currency}`
  return outcome === 'invalid' && status !== undefined && status !== 200 ? `status ${status}` : outcome
}

/** Why something was not checked. */
export const reasonLine = ({reason}: {readonly reason?: string}, context: ViewContext): string | undefined =>
  reason === undefined
    ? undefined
    : sentence(warn(reason), {...context, width: Math.max(20, context.width - 4)})
        .split('\n')
        .map(line => `    ${line}`)
        .join('\n')

/** What a step was expected to show and didn't, those for one reason together. */
export function failures({checks}: Pick<StepResult, 'checks'>): readonly (readonly Check[])[] {
  const failed = checks.filter(({passed}) => !passed)
  return [...Map.groupBy(failed, check => reasonOf(check)).values()]
}

export function failureLines(checks: readonly Check[], context: ViewContext): string {
  const below = {...context, width: Math.max(20, context.width - 4)}
  const [first] = checks
  const reason = first ? reasonOf(first) : ''
  const failed = Math.max(...checks.map(check => check.failed ?? 0))
  const times = failed === 0 ? '' : dim(`  (${counted(failed, 'call')})`)
  const lines = [
    sentence([dim('expected  '), checks.map(({expected}) => expected).join(', ')], below),
    sentence(joinStyled([dim('got       '), warn(checks.map(({got}) => got).join(', ')), times]), below),
    ...(reason === '' ? [] : [sentence(dim(reason), below)]),
  ]
  return lines.flatMap(line => line.split('\n').map(each => `    ${each}`)).join('\n')
}

export const BASES = {
  outline: 'by the outline of the service',
  known: 'a known fact about the service',
  decided: 'decided by cardctl: the outline leaves it open',
} as const

/** Why something is expected, and what that rests on. */
export function reasonOf({
  rule,
  why,
  basis,
}: {
  readonly rule?: string | undefined
  readonly why?: string | undefined
  readonly basis?: Check['basis'] | undefined
}): string {
  if (basis === undefined) return why ?? ''
  if (why === undefined) return BASES[basis]
  return `${why} (${rule === undefined ? '' : `${rule}, `}${BASES[basis]})`
}

/** The counts of a run in words. */
export function summaryLine({
  steps,
  passed,
  failed,
  skipped,
  notChecked,
  calls,
  durationMs,
  stopped,
}: Omit<SuiteSummary, 'type' | 'suite'>): Styled {
  const parts: (string | Span)[] = [
    ok(`${count(passed)} passed`),
    ...(failed > 0 ? [bad(`${count(failed)} failed`)] : []),
    ...(skipped > 0 ? [warn(`${count(skipped)} skipped`)] : []),
    ...(notChecked > 0 ? [warn(`${count(notChecked)} not checked`)] : []),
  ]
  return joinStyled([
    `${counted(steps, 'step')}: `,
    ...parts.flatMap((part, at) => (at > 0 ? [', ', part] : [part])),
    dim(`  ${counted(calls, 'call')} in ${wholeMs(durationMs)}`),
    ...(stopped ? [bad(`  ${stopped.why}`)] : []),
  ])
}
