import {type Paint, type Style, type Styled, spansOf} from './styled.ts'

/** A character as a reader sees it, and its width in terminal columns. */
interface Grapheme {
  readonly text: string
  readonly width: 0 | 1 | 2
  readonly style?: Style | undefined
}

/** One line, ready to measure and paint. */
export type Line = readonly Grapheme[]

export const lineWidth = (line: Line): number => line.reduce((sum, {width}) => sum + width, 0)

/** Width of a text on one line, in terminal columns. */
export const styledWidth = (styled: Styled): number => lineWidth(lineOf(styled))

/** Width of a text without control characters, in terminal columns. */
export const textWidth = (text: string): number => lineWidth(graphemesOf(text))

export const spaces = (count: number): Line => graphemesOf(' '.repeat(Math.max(count, 0)))

/** The text on one line of at most `width` columns. If it is too long, it is cut and ends with the mark. */
export function cut(styled: Styled, width: number, mark: string): Line {
  const line = lineOf(styled)
  if (lineWidth(line) <= width) return line
  const end: Grapheme = {text: mark, width: 1, style: 'dim'}
  return width < 1 ? [] : [...line.slice(0, countFitting(line, 0, width - 1)), end]
}

/**
 * The text in lines of at most `width` columns. Breaks at spaces, and inside a word only if the word is longer than a
 * line.
 */
export function wrap(styled: Styled, width: number): Line[] {
  const room = Math.max(width, 2)
  const all = lineOf(styled)
  const lines: Line[] = []
  let start = 0
  for (;;) {
    const end = start + countFitting(all, start, room)
    if (end >= all.length) return [...lines, all.slice(start)]
    const space = lastSpace(all, start, end)
    const stop = space ?? breakInWord(all, start, end) ?? end
    lines.push(trimEnd(all.slice(start, stop)))
    start = space === undefined ? stop : space + 1
  }
}

/**
 * A sentence in lines of at most `width` columns, indented like the first one. If it has a word longer than a line, for
 * example a path, it isn't wrapped: the terminal breaks it, and a copy stays whole.
 */
export function wrapProse(styled: Styled, width: number): Line[] {
  const line = lineOf(styled)
  const indent = line.slice(
    0,
    Math.max(
      line.findIndex(({text}) => text !== ' '),
      0,
    ),
  )
  const room = width - indent.length
  if (longestWord(line) > room) return [line]
  return wrap(styled, room).map((each, at) => (at === 0 ? each : [...indent, ...each]))
}

/** The line with colour codes. Adjacent characters of one style are painted together. */
export function paintLine(line: Line, paint: Paint): string {
  let painted = ''
  for (let at = 0; at < line.length; ) {
    const style = line[at]?.style
    let text = ''
    for (; at < line.length && line[at]?.style === style; at++) text += line[at]?.text ?? ''
    painted += paint({text, style})
  }
  return painted
}

const lineOf = (styled: Styled): Line =>
  spansOf(styled).flatMap(({text, style}) => graphemesOf(text).map(each => ({...each, style})))

/** Latin letters, arrows and the drawing characters of views: one column each, never part of a longer grapheme. */
const NARROW =
  /^[\x20-\x7e\u00a0-\u02ff\u2010-\u2027\u2190-\u21ff\u2260\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/

/** Created on first use: loading ICU's tables takes about 15 ms, and most output doesn't need them. */
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Grapheme[] {
  if (NARROW.test(text)) return text.split('').map(char => ({text: char, width: 1}))
  segmenter ??= new Intl.Segmenter('en', {granularity: 'grapheme'})
  return Array.from(segmenter.segment(text), ({segment}) => ({
    text: segment,
    width: widthOfGrapheme(segment),
  }))
}

/**
 * Wide and full-width characters of East Asia (UAX 11), by script and block. If in doubt, a character counts as wide.
 */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u
const MARKS_ONLY = /^[\p{Mn}\p{Me}]+$/u

function widthOfGrapheme(grapheme: string): 0 | 1 | 2 {
  if (MARKS_ONLY.test(grapheme)) return 0
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1
}

function longestWord(line: Line): number {
  let [longest, word] = [0, 0]
  for (const {text, width} of line) {
    word = text === ' ' ? 0 : word + width
    longest = Math.max(longest, word)
  }
  return longest
}

/** A word longer than a line breaks after one of these if that fills at least half of the line, else at a capital. */
const BREAK_AFTER = new Set(['_', '-', '.', ',', '/', ':', ';', '&', '?', '='])

function breakInWord(line: Line, start: number, end: number): number | undefined {
  const isAt = (at: number, pattern: RegExp): boolean => pattern.test(line[at]?.text ?? '')
  let capital: number | undefined
  for (let at = end; at > (start + end) / 2; at--) {
    if (BREAK_AFTER.has(line[at - 1]?.text ?? '')) return at
    // The parts of `updateCustomerStatus`.
    if (isAt(at, /[A-Z]/) && isAt(at - 1, /[a-z]/) && isAt(at + 1, /[a-z]/)) capital ??= at
  }
  return capital
}

function countFitting(line: Line, start: number, room: number): number {
  let used = 0
  let at = start
  for (; at < line.length; at++) {
    used += line[at]?.width ?? 0
    if (used > room) break
  }
  return at - start
}

/** The last space of the line, or the one directly after it. */
function lastSpace(line: Line, start: number, end: number): number | undefined {
  for (let at = end; at > start; at--) if (line[at]?.text === ' ') return at
  return undefined
}

const trimEnd = (line: Line): Line => line.slice(0, line.findLastIndex(({text}) => text !== ' ') + 1)
