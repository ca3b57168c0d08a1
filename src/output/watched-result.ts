import {duration} from '../errors/duration.ts'
import type {Failure} from '../errors/failure.ts'
import {counted} from '../money/amount.ts'
import {type ComparedLine, compareLines} from './changed-lines.ts'
import type {StatusLines} from './status-lines.ts'
import {bad, dim, type Span, type Styled} from './styled.ts'
import {clockTime, zoneOf} from './when.ts'

/** Shows a result that is read again and again, and marks what changed. */
export interface WatchedResult {
  /** @param render makes the text of what was read, for as many columns. */
  show(render: RenderAt): Promise<void>
  /** A look that failed and will be repeated. */
  failed(failure: Failure): void
  /** Leaves the last picture as plain lines. */
  end(): void
}

export type RenderAt = (columns: number | undefined) => Promise<string>

interface WatchedSurroundings {
  readonly everyMs: number
  readonly timeZone: string | undefined
  now(): number
}

interface PictureSurroundings extends WatchedSurroundings {
  readonly lines: StatusLines
  /** The columns of the window. */
  columns(): number
  onResize(act: () => void): () => void
}

/** The sign of a changed line, so that it is seen without colour. */
const CHANGED = '*'

/** Redraws the result in place, under a line with the time of the last look. */
export function createPicture({
  lines,
  everyMs,
  columns,
  onResize,
  ...clock
}: PictureSurroundings): WatchedResult {
  let latest: RenderAt | undefined
  let previous: RenderAt | undefined
  let lookedAt: number | undefined
  let failure: {readonly cause: Failure; readonly since: number} | undefined
  let shown: readonly Styled[] = []
  let drawing: Promise<void> = Promise.resolve()

  async function draw(): Promise<void> {
    // One column for the sign of a change, and one that stays free.
    const room = Math.max(1, columns() - 2)
    const text = latest === undefined ? '' : await latest(room)
    // Both at the same time and width: only what was read counts as a change, not that an hour has passed.
    const before = previous === undefined ? undefined : await previous(room)
    const compared = compareLines(text, before)
    shown = [...headLines(compared), ...bodyLines(compared.lines, lines.rows - 3)]
    lines.show(() => shown)
  }

  function headLines({lines: all, gone}: ReturnType<typeof compareLines>): Styled[] {
    const changed = all.filter(({isChanged}) => isChanged).length
    const time = lookedAt === undefined ? 'not read yet' : `read at ${timeOf(lookedAt, clock)}`
    const parts: (string | Span)[] = [dim(`every ${duration(everyMs)}, `), time]
    if (changed > 0) parts.push(`, ${counted(changed, 'line')} changed (${CHANGED})`)
    if (gone > 0) parts.push(`, ${gone} gone`)
    return [parts, ...(failure === undefined ? [] : [[bad(failureWords(failure, clock))]])]
  }

  const redraw = (): Promise<void> => {
    drawing = drawing.then(draw)
    return drawing
  }
  // At once as it is, cut to the window, and then laid out anew.
  const stop = onResize(() => {
    if (lines.isShown) redraw().catch(() => undefined)
  })

  return {
    async show(render) {
      previous = latest
      latest = render
      lookedAt = clock.now()
      failure = undefined
      await redraw()
    },
    failed(cause) {
      failure = {cause, since: failure?.since ?? clock.now()}
      redraw().catch(() => undefined)
    },
    end() {
      stop()
      lines.leave(...shown)
    },
  }
}

interface PlainSurroundings extends WatchedSurroundings {
  print(text: string): Promise<void>
  warn(text: string): void
}

/** For screen readers and simple terminals: prints the result again when it has changed. */
export function createPlainWatch({
  print,
  warn,
  isSpoken,
  ...clock
}: PlainSurroundings & {readonly isSpoken: boolean}): WatchedResult {
  const signs = isSpoken ? {changed: 'changed: ', same: ''} : {changed: CHANGED, same: ' '}
  let previous: RenderAt | undefined
  let isFailing = false
  return {
    async show(render) {
      isFailing = false
      const text = await render(undefined)
      const before = previous === undefined ? undefined : await previous(undefined)
      previous = render
      const {lines, gone} = compareLines(text, before)
      const changed = lines.filter(({isChanged}) => isChanged).length
      if (before !== undefined && changed === 0 && gone === 0) return
      const what =
        before === undefined
          ? ''
          : `: ${counted(changed, 'line')} changed${isSpoken ? '' : ` (${CHANGED})`}, ${gone} gone`
      const marked = lines.map(({isChanged, text}) => `${isChanged ? signs.changed : signs.same}${text}`)
      await print(`${[`read at ${timeOf(clock.now(), clock)}${what}`, ...marked].join('\n')}\n`)
    },
    failed(cause) {
      if (!isFailing) warn(failureWords({cause, since: clock.now()}, clock))
      isFailing = true
    },
    end: () => undefined,
  }
}

/** Prints each result that is new or has changed as a line. */
export function createChangeLines({print, warn, ...clock}: PlainSurroundings): WatchedResult {
  let known: ReadonlySet<string> = new Set()
  let isFailing = false
  return {
    async show(render) {
      isFailing = false
      const lines = (await render(undefined)).split('\n').filter(line => line !== '')
      const fresh = lines.filter(line => !known.has(line))
      known = new Set(lines)
      if (fresh.length > 0) await print(`${fresh.join('\n')}\n`)
    },
    failed(cause) {
      if (!isFailing) warn(failureWords({cause, since: clock.now()}, clock))
      isFailing = true
    },
    end: () => undefined,
  }
}

type Clock = Pick<WatchedSurroundings, 'timeZone'>

const timeOf = (millis: number, {timeZone}: Clock): string =>
  `${clockTime(millis, timeZone)} ${zoneOf(millis, {timeZone})}`

const failureWords = ({cause, since}: {cause: Failure; since: number}, clock: Clock): string =>
  `Fails since ${timeOf(since, clock)} and is tried again: ${cause.code} ${cause.message}`

const signOf = ({isChanged}: ComparedLine): string => (isChanged ? CHANGED : ' ')

function bodyLines(all: readonly ComparedLine[], room: number): Styled[] {
  const cutAt = all.length > room ? Math.max(0, room - 1) : all.length
  const lines = all.slice(0, cutAt).map(
    (line): Styled => ({
      text: `${signOf(line)}${line.text}`,
      style: line.isChanged ? 'warn' : undefined,
    }),
  )
  const more = all.length - cutAt
  return more > 0 ? [...lines, dim(` and ${counted(more, 'more line')}`)] : lines
}
