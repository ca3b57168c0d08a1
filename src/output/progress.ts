import {count} from './amount.ts'
import {bad, busy, dim, ok, type Paint, type Span, type Styled} from './styled.ts'
import type {Glyphs} from './terminal.ts'
import {cut, paintLine} from './text-layout.ts'
import {duration} from './when.ts'

export interface ProgressState {
  readonly done: number
  /** Absent if unknown. */
  readonly total?: number | undefined
  readonly failed?: number | undefined
  /** Rows with an unknown effect, and rows that were held back. */
  readonly unknown?: number | undefined
  readonly held?: number | undefined
  /** The chosen rate, per second. */
  readonly pace?: number | undefined
}

export interface Progress {
  /** Shows the progress. Cheap enough to call for each item. */
  update(state: ProgressState): void
  /** Removes the bar. Without a terminal, prints the final state. */
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

/** A bar that is redrawn on a terminal; elsewhere a plain line every ten seconds. */
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
    ` ${String(Math.floor(share * 100)).padStart(4)}%  `,
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

/** The rate over the last ten seconds. Undefined in the first second, when it would jump. */
function rateMeter(started: number) {
  let samples: {at: number; done: number}[] = []
  return {
    add(at: number, done: number) {
      const latest = samples.at(-1)
      // A sample every tenth of a second is enough, and keeps the list short at any speed.
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

/** Shows what a command waits for: on a terminal a spinner with the elapsed time, elsewhere one line. */
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
  /** The current width: the window may be resized while a status is shown. */
  readonly width: number
  readonly mark: string
  readonly paint: Paint
  write(text: string): void
}

/** A status line whose content the caller chooses. */
export interface Status {
  /** The columns that are available now. */
  readonly width: number
  show(status: Styled): void
  clear(): void
}

const CLEAR_LINE = '\r\u001b[2K'

/** Writes lines to stderr. On a terminal, keeps a status line below them, which is rewritten in place. */
export class StatusLine implements Status {
  readonly #screen: Screen
  #shown: Styled | undefined
  /** Whether to restore the hidden status. Showing or clearing a status in the meantime cancels that. */
  #away = false

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** Prints whole lines and keeps the status below them. The text must end in a line feed. */
  print(text: string): void {
    const bringBack = this.hide()
    this.#screen.write(text)
    bringBack()
  }

  /** Hides the status while something else writes to the terminal. The returned function restores it. */
  hide(): () => void {
    const shown = this.#shown
    this.clear()
    this.#away = true
    return () => {
      if (shown !== undefined && this.#away) this.show(shown)
    }
  }

  /** Leaves the last column free: with the cursor behind it, the line would wrap and clearing would miss a part. */
  get width(): number {
    return this.#screen.width - 1
  }

  /** Shows the status. Does nothing without a terminal. */
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
