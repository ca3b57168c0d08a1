import {duration} from '../../../errors/duration.ts'
import {amount, count, counted} from '../../../money/amount.ts'
import {barOf, sparkline} from '../../../output/bar.ts'
import {type DetailRow, detail, labelledText} from '../../../output/detail.ts'
import {PARTIAL_APPROVAL} from '../../../output/state.ts'
import {bad, dim, joinStyled, ok, type Span, type Styled, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {styledWidth} from '../../../output/text-layout.ts'
import {blocks, glyphsOf, section, sentence, type View, type ViewContext} from '../../../output/view.ts'
import type {Bin} from '../../../webhook/index.ts'

interface Bar {
  readonly label: string
  readonly count: number
  readonly style?: ((text: string) => Span) | undefined
}

/** Maximum length of a bar, however wide the terminal is. */
const LONGEST = 50

/** One line per bar: label, bar, count. The longest bar takes the available width. */
function drawBars(bars: readonly Bar[], context: ViewContext): string {
  if (context.accessible === true)
    return labelledText(
      bars.map((bar): DetailRow => [bar.label, count(bar.count)]),
      context,
    )
  const most = Math.max(1, ...bars.map(bar => bar.count))
  const labelWidth = Math.max(...bars.map(({label}) => styledWidth(label)))
  const countWidth = Math.max(...bars.map(bar => count(bar.count).length))
  const cells = Math.max(4, Math.min(LONGEST, context.width - labelWidth - countWidth - 6))
  return bars
    .map(bar => {
      const label = ' '.repeat(labelWidth - styledWidth(bar.label)) + bar.label
      const drawn = barOf(bar.count / most, cells, context.ascii).padEnd(cells)
      const line = [
        ` ${label}  `,
        (bar.style ?? ok)(drawn),
        dim(`  ${count(bar.count).padStart(countWidth)}`),
      ]
      return sentence(line, {...context, width: Number.POSITIVE_INFINITY})
    })
    .join('\n')
}

/** One line per value that changes during the run: its name, a sparkline, and its highest value. */
function drawSeconds({seconds}: BenchReport, context: ViewContext): string | undefined {
  if (seconds.length < 2) return undefined
  const values: readonly {readonly name: string; of(second: Second): number; words(most: number): string}[] =
    [
      {name: 'Calls', of: ({calls}) => calls, words: count},
      {name: 'p99', of: ({p99}) => p99 ?? 0, words: ms},
      {name: 'Late', of: ({late}) => late, words: count},
      {name: 'Invalid', of: ({invalid}) => invalid, words: count},
    ]
  const lines = values.flatMap(({name, of, words}) => {
    const series = seconds.map(of)
    const most = Math.max(...series)
    if (most === 0) return []
    const said = `at most ${words(most)}, in second ${series.indexOf(most) + 1}`
    const cells = Math.min(LONGEST, context.width - name.length - said.length - 8)
    const drawn = sparkline(series, cells, glyphsOf(context))
    if (context.accessible === true) return [labelledText([[name, said]], context)]
    const parts = [` ${name.padEnd(9)}`, ok(drawn), '  ', said]
    return [sentence(parts, {...context, width: Number.POSITIVE_INFINITY})]
  })
  return section('Second by second', lines.join('\n'), context)
}

type Second = BenchReport['seconds'][number]

/** The number of answers of each kind. */
interface Outcomes {
  readonly approved: number
  readonly partial: number
  readonly declined: number
  readonly invalid: number
  readonly late: number
  readonly unreachable: number
}

/** In milliseconds; null if nothing was answered. */
export interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
  readonly mean: number | null
}

export interface BenchLimit {
  readonly name: 'p95' | 'p99' | 'late' | 'invalid'
  /** In milliseconds, or a count. */
  readonly most: number
  readonly was: number | null
  readonly kept: boolean
}

/** The result of a run of calls at a steady rate. */
export interface BenchReport {
  readonly url: string
  /** Whether a signal ended the run early; the figures cover the time until then. */
  readonly interrupted: boolean
  readonly rate: {readonly asked: number; readonly achieved: number}
  readonly elapsedMs: number
  /** The longest delay of a call because this machine was busy. It is included in the endpoint's latency. */
  readonly ownDelayMs: number
  readonly deadlineMs: number
  readonly calls: {readonly planned: number; readonly counted: number; readonly unsent: number}
  readonly outcomes: Outcomes
  readonly latencyMs: Percentiles
  readonly histogram: readonly Bin[]
  /** What ended in each second of the run. The last one may be a part of a second. */
  readonly seconds: readonly {
    /** From 1. */
    readonly second: number
    readonly calls: number
    readonly late: number
    readonly invalid: number
    /** In milliseconds; null if nothing was answered. */
    readonly p99: number | null
  }[]
  readonly scenarios: readonly ({
    readonly name: string
    readonly calls: number
    readonly late: number
    readonly invalid: number
  } & Percentiles)[]
  /** Why there was no decision, and how often. */
  readonly faults: readonly {readonly reason: string; readonly count: number}[]
  /** Fields of answers that the contract doesn't know, so the service ignores them. */
  readonly unread: readonly {readonly reason: string; readonly count: number}[]
  readonly limits: readonly BenchLimit[]
}

/** The figures, a histogram, and one line per scenario. */
export const webhookBenchView: View<BenchReport> = async (report, context) => {
  const {url, histogram, deadlineMs, scenarios} = report
  const bars = histogram.map(bin => ({
    label: `${edge(bin.fromMs)} ${context.ascii ? '-' : '–'} ${edge(bin.toMs)} ms`,
    count: bin.count,
    style: bin.toMs > deadlineMs * 0.9 ? bad : bin.toMs > deadlineMs * 0.5 ? warn : undefined,
  }))
  return blocks(
    detail({title: url, status: verdict(report), rows: rows(report)}, context),
    bars.length === 0 ? undefined : section('Latency', drawBars(bars, context), context),
    drawSeconds(report, context),
    scenarios.length < 2
      ? undefined
      : section('Scenarios', await table('scenario', columns, scenarios, context, ''), context),
  )
}

function verdict({interrupted, limits}: BenchReport): Styled | undefined {
  if (limits.some(({kept}) => !kept)) return bad('limits missed')
  if (interrupted) return warn('stopped early')
  return limits.length === 0 ? undefined : ok('limits kept')
}

function rows(report: BenchReport): readonly DetailRow[] {
  const {calls, rate, elapsedMs, outcomes, latencyMs, faults, unread, limits, deadlineMs} = report
  const {approved, partial, declined, late} = outcomes
  const invalid = outcomes.invalid + outcomes.unreachable
  const pace = `${rate.achieved}/s of ${rate.asked}/s`
  return [
    ['Calls', `${count(calls.counted)} of ${count(calls.planned)} in ${duration(elapsedMs)}, ${pace}`],
    [
      'Answers',
      listed([
        [approved, 'approved'],
        [partial, `${PARTIAL_APPROVAL} 10`],
        [declined, 'declined'],
      ]),
    ],
    ['Late', lateWords(late, calls.unsent, deadlineMs)],
    ['Invalid', invalid > 0 ? bad(count(invalid)) : '0'],
    ['Took', figures(latencyMs)],
    ['Note', busyWords(report)],
    ['Why', {lines: faults.map(timesOf)}],
    ['Not read', {lines: unread.map(timesOf)}],
    ['Limits', {lines: limits.map(limitLine)}],
  ]
}

const listed = (parts: readonly [number, string][]): string =>
  parts
    .filter(([many]) => many > 0)
    .map(([many, what]) => `${count(many)} ${what}`)
    .join(', ') || '0'

function lateWords(late: number, unsent: number, deadlineMs: number): Styled {
  if (late === 0) return `0 past ${amount(deadlineMs)} ms`
  const of = unsent === 0 ? '' : `, ${count(unsent)} of them never left: no room`
  return bad(`${count(late)} past ${amount(deadlineMs)} ms${of}`)
}

const WORTH_TELLING_MS = 20

const busyWords = ({ownDelayMs}: BenchReport): Styled =>
  ownDelayMs < WORTH_TELLING_MS
    ? ''
    : warn(`this side was busy: calls left up to ${ms(ownDelayMs)} late, which counts above`)

function figures({p50, p95, p99, max}: Percentiles): string {
  const named = {p50, p95, p99, max}
  return Object.entries(named)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${ms(value)}`)
    .join('  ')
}

function limitLine({name, most, was, kept}: BenchLimit): Styled {
  const isTime = name === 'p95' || name === 'p99'
  const show = (value: number | null) => (isTime ? ms(value) : count(value ?? 0))
  const text = `${name} ${show(was)}, at most ${show(most)}`
  return kept ? joinStyled([ok('kept'), `    ${text}`]) : joinStyled([bad('missed'), `  ${text}`])
}

const ms = (value: number | null): string => (value === null ? 'unknown' : `${edge(value)} ms`)

/** One decimal below ten, none above. */
const edge = (value: number): string =>
  value < 10 ? String(Math.round(value * 100) / 100) : amount(Math.round(value))

type Row = BenchReport['scenarios'][number]

const columns: readonly Column<Row>[] = [
  {title: 'Scenario', value: ({name}) => name, fit: 'keep'},
  {title: 'Calls', value: ({calls}) => count(calls), align: 'right', fit: 'keep'},
  {title: 'p50', value: ({p50}) => ms(p50), align: 'right', fit: 'keep'},
  {title: 'p99', value: ({p99}) => ms(p99), align: 'right', fit: 'keep'},
  {title: 'Max', value: ({max}) => ms(max), align: 'right', optional: true},
  {title: 'Late', value: ({late}) => (late > 0 ? bad(count(late)) : '0'), align: 'right', fit: 'keep'},
  {
    title: 'Invalid',
    value: ({invalid}) => (invalid > 0 ? bad(count(invalid)) : '0'),
    align: 'right',
    fit: 'keep',
  },
]

const timesOf = ({reason, count: times}: BenchReport['faults'][number]): Styled =>
  `${reason}, ${counted(times, 'time')}`
