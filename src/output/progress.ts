import {count} from './amount.ts'
import {bad, busy, dim, ok, type Paint, type Span, type Styled} from './styled.ts'
import type {Glyphs} from './terminal.ts'
import {cut, paintLine} from './text-layout.ts'
import {duration} from './when.ts'

export interface ProgressState {
  readonly done: number
  /** Absent while unknown. */
  readonly total?: number | undefined
  readonly failed?: number | undefined
  /** Rows with an unknown effect, and rows that were held back. */
  readonly unknown?: number | undefined
  readonly held?: number | undefined
  /** The pace asked for, per second. */
  readonly pace?: number | undefined
}

export interface Progress {
  /** Shows the progress. Cheap enough to call for each item. */
  update(state: ProgressState): void
  /** Removes the bar. Without a terminal prints the final state. */
  stop(): void
}

/** Where progress is shown. */
export interface ProgressSurroundings {
  readonly line: StatusLine
  readonly isTerminal: boolean
  readonly glyphs: Glyphs
  now(): number
  /** Calls back regularly until the returned function is called. */
  every(millis: number, act: () => void): () => void
  /** Prints a plain line. */
  print(text: string): void
}

const REDRAW_EVERY = 100
const LINE_EVERY = 10_000
const RATE_OVER = 10_000
const CELLS = 10

/** A bar that is redrawn on a terminal, or a plain line every ten seconds elsewhere. */
export function createProgress(what: string, surroundings: ProgressSurroundings): Progress {
  const {line, isTerminal, glyphs, now, print} = surroundings
  const started = now()
  const rate = rateMeter(started)
  let last: ProgressState | undefined
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : started
  let printed: ProgressState | undefined
  const words = (state: ProgressState) => describe(state, rate.perSecond(), what)
  return {
    update(state) {
      last = state
      const at = now()
      rate.add(at, state.done)
      if (at - shownAt < (isTerminal ? REDRAW_EVERY : LINE_EVERY)) return
      shownAt = at
      if (isTerminal) {
        line.show([' ', ...bar(state, glyphs), ...separated(words(state))])
      } else {
        printed = state
        print(plainLine(words(state)))
      }
    },
    stop() {
      line.clear()
      if (!isTerminal && last !== undefined && last !== printed) print(plainLine(words(last)))
    },
  }
}

function bar({done, total}: ProgressState, {full, empty}: Glyphs): readonly (string | Span)[] {
  if (total === undefined || total <= 0) return []
  const share = Math.min(done / total, 1)
  const cells = Math.floor(share * CELLS)
  return [
    ok(full.repeat(cells)),
    dim(empty.repeat(CELLS - cells)),
    ` ${String(Math.floor(share * 100)).padStart(3)} %  `,
  ]
}

function describe(
  state: ProgressState,
  perSecond: number | undefined,
  what: string,
): readonly (string | Span)[] {
  const {done, total, failed = 0, unknown = 0, held = 0, pace} = state
  const of = total === undefined ? '' : ` of ${count(total)}`
  const parts: (string | Span)[] = [`${count(done)}${of} ${what}`]
  parts.push(failed > 0 ? bad(`${count(failed)} failed`) : '0 failed')
  if (unknown > 0) parts.push(bad(`${count(unknown)} unknown`))
  if (held > 0) parts.push(`${count(held)} held back`)
  if (perSecond !== undefined) {
    parts.push(`${perSecond.toFixed(1)}/s${pace === undefined ? '' : ` of ${pace}`}`)
    if (total !== undefined && total > done && perSecond > 0) {
      parts.push(`${duration(Math.ceil((total - done) / perSecond) * 1000)} left`)
    }
  }
  return parts
}

const separated = (parts: readonly (string | Span)[]) =>
  parts.flatMap((part, at) => (at === 0 ? [part] : ['  ', part]))
const plainLine = (parts: readonly (string | Span)[]) =>
  parts.map(part => (typeof part === 'string' ? part : part.text)).join(', ')

/** The rate over the last ten seconds, undefined in the first second: it would only jump. */
function rateMeter(started: number) {
  let samples: {at: number; done: number}[] = []
  return {
    add(at: number, done: number) {
      const latest = samples.at(-1)
      // A sample a tenth of a second is plenty, and keeps the list short at any speed.
      if (latest === undefined || at - latest.at >= REDRAW_EVERY) samples.push({at, done})
      else latest.done = done
      samples = samples.filter(sample => at - sample.at <= RATE_OVER)
    },
    perSecond(): number | undefined {
      const [first] = samples
      const latest = samples.at(-1)
      if (first === undefined || latest === undefined || latest.at - started < 1000) return undefined
      return latest.at === first.at ? undefined : ((latest.done - first.done) * 1000) / (latest.at - first.at)
    },
  }
}

export interface Wait {
  stop(): void
}

/** Shows what a command waits for: a spinner with the elapsed time on a terminal, one line elsewhere. */
export function createWait(what: string, surroundings: ProgressSurroundings): Wait {
  const {line, isTerminal, glyphs, now, every, print} = surroundings
  if (!isTerminal) {
    print(what)
    return {stop: () => undefined}
  }
  const started = now()
  let turn = 0
  const draw = () => {
    const sign = glyphs.spinner[turn++ % glyphs.spinner.length] ?? ''
    const gone = now() - started
    line.show([
      ' ',
      busy(sign),
      ` ${what}`,
      ...(gone < 1000 ? [] : [dim(`  ${duration(gone - (gone % 1000))}`)]),
    ])
  }
  draw()
  const stop = every(100, draw)
  return {
    stop() {
      stop()
      line.clear()
    },
  }
}

interface Screen {
  /** Whether a line can be rewritten in place. */
  readonly isTerminal: boolean
  /** As it is now: a window may change while a status is shown. */
  readonly width: number
  readonly mark: string
  readonly paint: Paint
  write(text: string): void
}

/** A status line with content of the caller's choice. */
export interface Status {
  /** Columns that it may take now. */
  readonly width: number
  show(status: Styled): void
  clear(): void
}

const CLEAR_LINE = '\r\u001b[2K'

/**
 * stderr as lines with, on a terminal, one line below them that is rewritten in place (progress). Lines that are printed
 * meanwhile stand above it.
 */
export class StatusLine implements Status {
  readonly #screen: Screen
  #shown: Styled | undefined
  /** Whether it is to be brought back, unless something else is shown or it is cleared meanwhile. */
  #away = false

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** Prints whole lines, keeping the status below them. The text must end in a line feed. */
  print(text: string): void {
    const bringBack = this.hide()
    this.#screen.write(text)
    bringBack()
  }

  /** Takes the status away while something else writes to the terminal; the result brings it back. */
  hide(): () => void {
    const shown = this.#shown
    this.clear()
    this.#away = true
    return () => {
      if (shown !== undefined && this.#away) this.show(shown)
    }
  }

  /** The last column stays free: a cursor behind it would wrap the line, and clearing would miss one. */
  get width(): number {
    return this.#screen.width - 1
  }

  /** Shows the status; nothing without a terminal. */
  show(status: Styled): void {
    const {isTerminal, mark, paint} = this.#screen
    if (!isTerminal) return
    this.#screen.write(CLEAR_LINE + paintLine(cut(status, this.width, mark), paint))
    this.#shown = status
    this.#away = false
  }

  clear(): void {
    if (this.#shown !== undefined) this.#screen.write(CLEAR_LINE)
    this.#shown = undefined
    this.#away = false
  }
}
