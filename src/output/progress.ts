import {duration} from '../errors/duration.ts'
import type {SuggestedCommand} from '../errors/suggested-command.ts'
import {count} from '../money/amount.ts'
import {type BoardContent, boardLines, FEWEST_ROWS} from './board.ts'
import type {Status} from './status-lines.ts'
import {bad, dim, ok, type Span} from './styled.ts'
import type {Glyphs} from './terminal.ts'

export interface ProgressState {
  /** What has ended, in whatever way. */
  readonly done: number
  /** Absent if unknown. */
  readonly total?: number | undefined
  readonly failed?: number | undefined
  /** Rows with an unknown effect, and rows that were held back. */
  readonly unknown?: number | undefined
  readonly held?: number | undefined
  /** The chosen rate, in words: "50/s". */
  readonly pace?: string | undefined
  /** What it belongs to, which begins each plain line: "Bulk job j_…". */
  readonly of?: string | undefined
  /** The command that continues it, which the log of a killed process must have. */
  readonly ifCutOff?: SuggestedCommand | undefined
  /** When it began, if that was before the progress is shown, ms since 1970. */
  readonly since?: number | undefined
  /** With it, a terminal with enough rows shows a board in place of the bar. Called when it is drawn. */
  readonly board?: (() => BoardContent) | undefined
}

export interface Progress {
  /** Shows the progress. Cheap enough to call for each item. */
  update(state: ProgressState): void
  /** Prints what was last shown, where no terminal shows it: nothing may follow. */
  say(): void
  /** Removes the bar or the board. A board leaves its last state as plain lines, and so does a run without a terminal. */
  stop(): void
}

/** Where progress is shown. */
export interface ProgressSurroundings {
  readonly status: Status
  readonly isTerminal: boolean
  readonly glyphs: Glyphs
  now(): number
  /** Calls back regularly until the returned function is called. */
  every(millis: number, act: () => void): () => void
  /** Whether the work waits for a pause, a lock or others, so that its rate says nothing about the time left. */
  isPaused(): boolean
  /** Prints a plain line; with its facts, if programs read them. */
  print(text: string, facts?: ProgressFacts): void
}

/** What a plain line says, for programs. */
export type ProgressFacts = {
  readonly code: 'PROGRESS'
  readonly of?: string | undefined
  /** What has ended well. */
  readonly done: number
  readonly total?: number | undefined
  readonly failed: number
  readonly unknown: number
  readonly held: number
}

const REDRAW_EVERY = 100
/** Between updates the elapsed time goes on. */
const TICK_EVERY = 250
const LINE_EVERY = 10_000
const STILL_EVERY = 30_000
/** So that the last twenty lines of a log have the command, also between lines of others. */
const COMMAND_EVERY = 60_000
const CELLS = 10

/** A bar or a board that is redrawn on a terminal; elsewhere a plain line every ten seconds. */
export function createProgress(what: string, surroundings: ProgressSurroundings): Progress {
  return surroundings.isTerminal ? redrawn(what, surroundings) : plainLines(what, surroundings)
}

function redrawn(
  what: string,
  {status, glyphs, now, every, isPaused, print}: ProgressSurroundings,
): Progress {
  const started = now()
  const rate = rateMeter(started)
  let last: ProgressState | undefined
  let shownAt = Number.NEGATIVE_INFINITY
  const draw = (state: ProgressState, at: number): void => {
    shownAt = at
    status.show(() => {
      const {board} = state
      const perSecond = rate.perSecond()
      const left = isPaused() ? undefined : leftMs(state, perSecond)
      if (board === undefined || status.rows < FEWEST_ROWS) {
        return [
          [
            ' ',
            ...bar(state, glyphs),
            ...separated([...describe(state, perSecond, what), ...timeLeft(left)]),
          ],
        ]
      }
      const whole = {
        ...state,
        ...board(),
        what,
        perSecond,
        series: rate.series(),
        elapsedMs: at - (state.since ?? started),
        leftMs: left,
      }
      return boardLines(whole, status.width, status.rows - 1, glyphs)
    })
  }
  const stopTicking = every(TICK_EVERY, () => {
    if (last === undefined) return
    const at = now()
    rate.add(at, worked(last))
    draw(last, at)
  })
  return {
    update(state) {
      last = state
      const at = now()
      rate.add(at, worked(state))
      if (at - shownAt >= REDRAW_EVERY) draw(state, at)
    },
    say: () => undefined,
    stop() {
      stopTicking()
      status.clear()
      if (last?.board === undefined) return
      print(
        `${plainLine(describe(last, undefined, `${what} done`))}, ${duration(now() - (last.since ?? started))}`,
      )
      for (const {reason, count: many} of last.board().reasons ?? []) print(`  ${count(many)}  ${reason}`)
    },
  }
}

function plainLines(what: string, {now, every, isPaused, print}: ProgressSurroundings): Progress {
  const started = now()
  const rate = rateMeter(started)
  let first: ProgressState | undefined
  let last: ProgressState | undefined
  let printedAt = started
  let printed: ProgressState | undefined
  let namedAt = started
  const show = (state: ProgressState, ...more: readonly string[]): void => {
    printed = state
    const {of} = state
    const line = plainLine([...describe(state, rate.perSecond(), `${what} done`), ...more])
    print(of === undefined ? line : `${of}: ${line}`, factsOf(state))
  }
  const showAt = (at: number): void => {
    // What does not move is said less often, so that the end of a log still has what came before.
    const gap = printed !== undefined && last?.done === printed.done ? STILL_EVERY : LINE_EVERY
    if (last === undefined || at - printedAt < gap) return
    printedAt = at
    show(last, ...timeLeft(isPaused() ? undefined : leftMs(last, rate.perSecond())))
    if (last.ifCutOff === undefined || at - namedAt < COMMAND_EVERY) return
    namedAt = at
    print(`If it is cut off: ${last.ifCutOff}`)
  }
  // A run that doesn't move says so, too.
  const stopTicking = every(LINE_EVERY, () => {
    const at = now()
    if (last !== undefined) rate.add(at, worked(last))
    showAt(at)
  })
  return {
    update(state) {
      first ??= state
      last = state
      const at = now()
      rate.add(at, worked(state))
      showAt(at)
    },
    say() {
      if (last === undefined) return
      show(last, 'stopping')
      if (last.ifCutOff !== undefined) print(`If it is cut off: ${last.ifCutOff}`)
    },
    stop() {
      stopTicking()
      if (last !== undefined && last !== printed && (last !== first || last.done > 0)) show(last)
    },
  }
}

/** What was held back took no time, so it says nothing about the rate. */
const worked = ({done, held = 0}: ProgressState): number => done - held

/** What ended well is none of what failed, is unknown, or was held back. */
const goodOf = ({done, failed = 0, unknown = 0, held = 0}: ProgressState): number =>
  done - failed - unknown - held

function factsOf(state: ProgressState): ProgressFacts {
  const {of, total, failed = 0, unknown = 0, held = 0} = state
  return {code: 'PROGRESS', of, done: goodOf(state), total, failed, unknown, held}
}

function bar({done, total}: ProgressState, {full, empty}: Glyphs): readonly (string | Span)[] {
  if (total === undefined || total <= 0) return []
  const share = Math.min(done / total, 1)
  const cells = Math.floor(share * CELLS)
  return [
    ok(full.repeat(cells)),
    dim(empty.repeat(CELLS - cells)),
    ` ${String(Math.floor(share * 100)).padStart(4)}%  `,
  ]
}

function describe(
  state: ProgressState,
  perSecond: number | undefined,
  what: string,
): readonly (string | Span)[] {
  const {total, failed = 0, unknown = 0, held = 0, pace} = state
  const of = total === undefined ? '' : ` of ${count(total)}`
  const parts: (string | Span)[] = [`${count(goodOf(state))}${of} ${what}`]
  parts.push(failed > 0 ? bad(`${count(failed)} failed`) : '0 failed')
  if (unknown > 0) parts.push(bad(`${count(unknown)} unknown`))
  if (held > 0) parts.push(`${count(held)} held back`)
  if (perSecond !== undefined)
    parts.push(`${perSecond.toFixed(1)}/s${pace === undefined ? '' : ` of ${pace}`}`)
  return parts
}

const timeLeft = (ms: number | undefined): readonly string[] =>
  ms === undefined ? [] : [`${duration(ms)} left`]

function leftMs({done, total}: ProgressState, perSecond: number | undefined): number | undefined {
  if (perSecond === undefined || total === undefined || total <= done || perSecond <= 0) return undefined
  return Math.ceil((total - done) / perSecond) * 1000
}

const separated = (parts: readonly (string | Span)[]) =>
  parts.flatMap((part, at) => (at === 0 ? [part] : ['  ', part]))
const plainLine = (parts: readonly (string | Span)[]) =>
  parts.map(part => (typeof part === 'string' ? part : part.text)).join(', ')

/** The rate is that of the last ten seconds, the series that of the last minute. */
const RATE_OVER_MS = 10_000
const SAMPLE_MS = 100
const SERIES_SECONDS = 60

interface RateMeter {
  add(at: number, done: number): void
  /** Undefined in the first second, when it would jump. */
  perSecond(): number | undefined
  /** What was done in each whole second of the last minute, the oldest first. */
  series(): readonly number[]
}

/** Measures how fast a count grows. @param started ms since 1970 */
function rateMeter(started: number): RateMeter {
  let samples: {at: number; done: number}[] = []
  /** The count at the end of each second. The last one is that of the second that has begun. */
  let totals: number[] = []
  let second = 0

  function addToSeries(at: number, done: number): void {
    const now = Math.max(second, Math.floor((at - started) / 1000))
    const before = totals.at(-1) ?? done
    if (totals.length === 0) totals.push(done)
    else if (now - second > SERIES_SECONDS) totals = [before]
    for (let passed = Math.max(second, now - SERIES_SECONDS); passed < now; passed++) totals.push(before)
    totals[totals.length - 1] = done
    if (totals.length > SERIES_SECONDS + 2) totals = totals.slice(-SERIES_SECONDS - 2)
    second = now
  }

  return {
    add(at, done) {
      addToSeries(at, done)
      const latest = samples.at(-1)
      // A sample every tenth of a second is enough, and keeps the list short at any speed.
      if (latest !== undefined && at - latest.at < SAMPLE_MS) latest.done = done
      else samples = [...samples.filter(sample => at - sample.at <= RATE_OVER_MS), {at, done}]
    },
    perSecond() {
      const [first] = samples
      const latest = samples.at(-1)
      if (first === undefined || latest === undefined || latest.at - started < 1000) return undefined
      return latest.at === first.at ? undefined : ((latest.done - first.done) * 1000) / (latest.at - first.at)
    },
    series: () => totals.slice(1, -1).map((total, at) => Math.max(0, total - (totals[at] ?? total))),
  }
}
