import {count} from './amount.ts'
import type {Glyphs} from './glyphs.ts'
import type {StatusLine} from './status-line.ts'
import {bad, dim, ok, type Span} from './styled.ts'
import {duration} from './when.ts'

export interface ProgressState {
  readonly done: number
  /** Absent where nobody knows it yet. */
  readonly total?: number | undefined
  readonly failed?: number | undefined
  /** Ended in another way: nobody knows their effect, or they were held back. */
  readonly unknown?: number | undefined
  readonly held?: number | undefined
  /** The pace asked for, per second. */
  readonly pace?: number | undefined
}

export interface Progress {
  /** Says how far it is; cheap enough to be called for each item. */
  update(state: ProgressState): void
  /** Takes the bar away; without a terminal says how far it came. */
  stop(): void
}

export interface ProgressSurroundings {
  readonly line: StatusLine
  readonly isTerminal: boolean
  readonly glyphs: Glyphs
  now(): number
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
