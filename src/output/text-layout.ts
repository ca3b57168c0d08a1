import {type Paint, type Style, type Styled, spansOf} from './styled.ts'

/** A text of one style, and its width in terminal columns. */
interface Piece {
  readonly text: string
  readonly width: number
  readonly style?: Style | undefined
}

/** A piece that is one character as a reader sees it. */
type Grapheme = Piece

/** One line, ready to measure and paint, in as few pieces as it has styles: an answer may have millions of characters. */
export type Line = readonly Piece[]

export const lineWidth = (line: Line): number => line.reduce((sum, {width}) => sum + width, 0)

/** Width of a text on one line, in terminal columns. */
export const styledWidth = (styled: Styled): number => lineWidth(lineOf(styled))

/** Longer texts are wider than a terminal, and how much wider makes no difference. */
const LONGEST_MEASURED = 2000

/** How much of a text is wrapped, in characters: several screens. */
const LONGEST_WRAPPED = 10_000

/** Width of a text without control characters, in terminal columns. An estimate for a very long one. */
export function textWidth(text: string): number {
  if (text.length > LONGEST_MEASURED || NARROW.test(text)) return text.length
  let width = 0
  for (const {segment} of segmentsOf(text)) width += widthOfGrapheme(segment)
  return width
}

export const spaces = (count: number): Line => {
  const text = ' '.repeat(Math.max(count, 0))
  return [{text, width: text.length}]
}

/** The text on one line of at most `width` columns. If it is too long, it is cut and ends with the mark. */
export function cut(styled: Styled, width: number, mark: string): Line {
  if (width === Number.POSITIVE_INFINITY) return lineOf(styled)
  const line: Grapheme[] = []
  let used = 0
  for (const grapheme of graphemesIn(styled)) {
    line.push(grapheme)
    used += grapheme.width
    if (used <= width) continue
    const end: Piece = {text: mark, width: 1, style: 'dim'}
    return width < 1 ? [] : [...inPieces(line.slice(0, countFitting(line, 0, width - 1))), end]
  }
  return inPieces(line)
}

/**
 * The text in lines of at most `width` columns. Breaks at spaces, and inside a word only if the word is longer than a
 * line. A very long text is cut, and ends with the number of characters that are left out.
 */
export function wrap(styled: Styled, width: number): Line[] {
  const room = Math.max(width, 2)
  const whole = lineOf(styled)
  if (lineWidth(whole) <= room) return [whole]
  const all = beginning(styled)
  const lines: Line[] = []
  let start = 0
  for (;;) {
    const end = start + countFitting(all, start, room)
    if (end >= all.length) {
      lines.push(inPieces(all.slice(start)))
      return lines
    }
    const space = lastSpace(all, start, end)
    const stop = space ?? breakInWord(all, start, end) ?? end
    lines.push(inPieces(trimEnd(all.slice(start, stop))))
    start = space === undefined ? stop : space + 1
  }
}

/**
 * A sentence in lines of at most `width` columns, indented like the first one. If it has a word longer than a line, for
 * example a path, it isn't wrapped: the terminal breaks it, and a copy stays whole.
 */
export function wrapProse(styled: Styled, width: number): Line[] {
  const line = beginning(styled)
  const indent = line.slice(
    0,
    Math.max(
      line.findIndex(({text}) => text !== ' '),
      0,
    ),
  )
  const room = width - indent.length
  if (longestWord(line) > room) return [lineOf(styled)]
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
  spansOf(styled).map(({text, style}) => ({text, width: textWidth(text), style}))

/** The characters of a text, up to the length that is wrapped. */
function beginning(styled: Styled): readonly Grapheme[] {
  const line: Grapheme[] = []
  let shown = 0
  for (const grapheme of graphemesIn(styled)) {
    if (line.length === LONGEST_WRAPPED) {
      const more = spansOf(styled).reduce((sum, {text}) => sum + text.length, 0) - shown
      const mark = ` ... (${more} more characters)`
      return [...line, ...graphemesIn({text: mark, style: 'dim'})]
    }
    line.push(grapheme)
    shown += grapheme.text.length
  }
  return line
}

/** One by one: of a long text, often only the beginning is wanted. */
function* graphemesIn(styled: Styled): Generator<Grapheme, undefined, undefined> {
  for (const {text, style} of spansOf(styled)) {
    if (NARROW.test(text)) for (const char of text) yield {text: char, width: 1, style}
    else
      for (const {segment} of segmentsOf(text)) yield {text: segment, width: widthOfGrapheme(segment), style}
  }
}

/** The same line, with adjacent characters of one style joined. */
function inPieces(line: readonly Grapheme[]): Line {
  const pieces: Piece[] = []
  for (let at = 0; at < line.length; ) {
    const style = line[at]?.style
    let [text, width] = ['', 0]
    for (; at < line.length && line[at]?.style === style; at++) {
      text += line[at]?.text ?? ''
      width += line[at]?.width ?? 0
    }
    pieces.push({text, width, style})
  }
  return pieces
}

/**
 * Latin, Greek and Cyrillic letters, the space that groups digits, arrows and the drawing characters of views: one column
 * each, never part of a longer grapheme.
 */
const NARROW =
  /^[\x20-\x7e\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u202f\u2190-\u21ff\u2260\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/

/** Whether every program measures the line alike. */
export const isNarrow = (line: Line): boolean => line.every(({text}) => NARROW.test(text))

/** Created on first use: loading ICU's tables takes about 15 ms, and most output doesn't need them. */
let segmenter: Intl.Segmenter | undefined

function segmentsOf(text: string): Iterable<{readonly segment: string}> {
  segmenter ??= new Intl.Segmenter('en', {granularity: 'grapheme'})
  return segmenter.segment(text)
}

/**
 * Wide and full-width characters of East Asia (UAX 11), by script and block. If in doubt, a character counts as wide.
 */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u
const MARKS_ONLY = /^[\p{Mn}\p{Me}]+$/u

function widthOfGrapheme(grapheme: string): 0 | 1 | 2 {
  if (grapheme.length === 1 && NARROW.test(grapheme)) return 1
  if (MARKS_ONLY.test(grapheme)) return 0
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1
}

function longestWord(line: readonly Grapheme[]): number {
  let [longest, word] = [0, 0]
  for (const {text, width} of line) {
    word = text === ' ' ? 0 : word + width
    longest = Math.max(longest, word)
  }
  return longest
}

/** A word longer than a line breaks after one of these if that fills at least half of the line, else at a capital. */
const BREAK_AFTER = new Set(['_', '-', '.', ',', '/', ':', ';', '&', '?', '='])

function breakInWord(line: readonly Grapheme[], start: number, end: number): number | undefined {
  const isAt = (at: number, pattern: RegExp): boolean => pattern.test(line[at]?.text ?? '')
  let capital: number | undefined
  for (let at = end; at > (start + end) / 2; at--) {
    if (BREAK_AFTER.has(line[at - 1]?.text ?? '')) return at
    // The parts of `updateCustomerStatus`.
    if (isAt(at, /[A-Z]/) && isAt(at - 1, /[a-z]/) && isAt(at + 1, /[a-z]/)) capital ??= at
  }
  return capital
}

function countFitting(line: readonly Grapheme[], start: number, room: number): number {
  let used = 0
  let at = start
  for (; at < line.length; at++) {
    used += line[at]?.width ?? 0
    if (used > room) break
  }
  return at - start
}

/** The last space of the line, or the one directly after it. */
function lastSpace(line: readonly Grapheme[], start: number, end: number): number | undefined {
  for (let at = end; at > start; at--) if (line[at]?.text === ' ') return at
  return undefined
}

const trimEnd = (line: readonly Grapheme[]): readonly Grapheme[] =>
  line.slice(0, line.findLastIndex(({text}) => text !== ' ') + 1)
