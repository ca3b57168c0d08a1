import {duration} from '../errors/duration.ts'
import {count} from '../money/amount.ts'
import {barOf, sparkline} from './bar.ts'
import {bad, dim, joinStyled, ok, type Span, type Style, type Styled, strong} from './styled.ts'
import type {Glyphs} from './terminal.ts'
import {styledWidth} from './text-layout.ts'

/** A state that the counted things can be in, and how many are. */
export interface BoardCount {
  readonly name: string
  readonly count: number
  readonly style?: Style | undefined
}

/** Why things failed, and how many. */
export interface BoardReason {
  readonly reason: string
  readonly count: number
}

/** A value that changes over time, the newest last. */
export interface BoardMeasure {
  readonly name: string
  /** The value now. */
  readonly words: string
  readonly series: readonly number[]
}

/** What a board shows beside the progress itself. */
export interface BoardContent {
  readonly title: Styled
  readonly counts: readonly BoardCount[]
  readonly measures?: readonly BoardMeasure[] | undefined
  /** The most frequent ones first. */
  readonly reasons?: readonly BoardReason[] | undefined
}

export interface BoardState extends BoardContent {
  /** What is counted: "rows". */
  readonly what: string
  readonly done: number
  readonly total?: number | undefined
  readonly perSecond?: number | undefined
  /** The chosen rate, in words. */
  readonly pace?: string | undefined
  /** What was done in each second of the last minute. */
  readonly series: readonly number[]
  readonly elapsedMs: number
  readonly leftMs?: number | undefined
}

/** With fewer rows than this, a board has no room for its counts. */
export const FEWEST_ROWS = 10
const MOST_REASONS = 5
/** Longest bars, however wide the window is. */
const LONGEST_BAR = 60
const LONGEST_COUNT_BAR = 40
/** Fewer signs say nothing. */
const SHORTEST_SPARKLINE = 8

/** The lines of a board for a window of that width. At most `rows` of them; reasons are left out first. */
export function boardLines(state: BoardState, width: number, rows: number, glyphs: Glyphs): Styled[] {
  const main = [
    joinStyled([' ', state.title]),
    totalLine(state, width, glyphs),
    ...countLines(state, width, glyphs),
    rateLine(state, width, glyphs),
    ...(state.measures ?? []).map(({name, words, series}) =>
      seriesLine(` ${name.padEnd(RATE.length)}  ${words}`, series, width, glyphs),
    ),
    timeLine(state),
  ]
  const reasons = reasonLines(state)
  const room = rows - main.length
  return room < 2 ? main.slice(0, rows) : [...main, ...reasons.slice(0, room)]
}

function totalLine({done, total, what}: BoardState, width: number, {full, empty}: Glyphs): Styled {
  if (total === undefined || total <= 0) return ` ${count(done)} ${what}`
  const share = Math.min(done / total, 1)
  const percent = `${Math.floor(share * 100)}%`.padStart(4)
  const words = `  ${percent}  ${count(done)} of ${count(total)} ${what}`
  const cells = Math.min(LONGEST_BAR, Math.max(5, width - 1 - words.length))
  const filled = Math.floor(share * cells)
  return [' ', {text: full.repeat(filled), style: 'ok'}, dim(empty.repeat(cells - filled)), words]
}

function countLines({counts}: BoardState, width: number, {ascii}: Glyphs): Styled[] {
  const nameWidth = Math.max(0, ...counts.map(({name}) => styledWidth(name)))
  const countWidth = Math.max(0, ...counts.map(one => count(one.count).length))
  const all = Math.max(
    1,
    counts.reduce((sum, one) => sum + one.count, 0),
  )
  const cells = Math.min(LONGEST_COUNT_BAR, width - nameWidth - countWidth - 5)
  return counts.map(({name, count: many, style}) => {
    const number = count(many).padStart(countWidth)
    const label = name + ' '.repeat(nameWidth - styledWidth(name))
    const value: Span = {text: number, style: many > 0 ? style : undefined}
    return [` ${label}  `, value, '  ', {text: barOf(many / all, cells, ascii), style}]
  })
}

/** As wide as the names of the lines below. */
const RATE = 'Rate   '

function rateLine({perSecond, pace, series}: BoardState, width: number, glyphs: Glyphs): Styled {
  const known = perSecond === undefined ? 'not known yet' : `${perSecond.toFixed(1)}/s`
  const of = pace === undefined || perSecond === undefined ? '' : ` of ${pace}`
  return seriesLine(` ${RATE}  ${known}${of}`, series, width, glyphs)
}

function seriesLine(words: string, series: readonly number[], width: number, glyphs: Glyphs): Styled {
  const room = Math.min(LONGEST_BAR, width - styledWidth(words) - 2)
  const line = room < SHORTEST_SPARKLINE ? '' : sparkline(series, room, glyphs)
  return line === '' ? words : [words, '  ', ok(line)]
}

const timeLine = ({elapsedMs, leftMs}: BoardState): Styled =>
  ` Elapsed  ${wholeSeconds(elapsedMs)}${leftMs === undefined ? '' : `, ${wholeSeconds(leftMs)} left`}`

/** Seconds that tick one by one: a part of a second says nothing here. */
const wholeSeconds = (millis: number): string =>
  millis < 1000 ? '0 s' : duration(Math.floor(millis / 1000) * 1000)

function reasonLines({reasons = []}: BoardState): Styled[] {
  if (reasons.length === 0) return []
  const shown = reasons.slice(0, MOST_REASONS)
  const countWidth = Math.max(...shown.map(one => count(one.count).length))
  const lines = shown.map(
    ({reason, count: many}): Styled => ['  ', bad(count(many).padStart(countWidth)), `  ${reason}`],
  )
  const more = reasons.length - shown.length
  return [[' ', strong(more > 0 ? `Reasons (${more} more)` : 'Reasons')], ...lines]
}
