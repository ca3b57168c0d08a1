import type {Paint} from './paint.ts'
import {type Style, type Styled, spansOf} from './styled.ts'
import {type Grapheme, graphemesOf} from './text-width.ts'

interface Sign extends Grapheme {
  readonly style?: Style | undefined
}

/** One line of signs, ready to be measured and painted. */
export type Line = readonly Sign[]

const signsOf = (styled: Styled): Line =>
  spansOf(styled).flatMap(({text, style}) => graphemesOf(text).map(sign => ({...sign, style})))

export const lineWidth = (line: Line): number => line.reduce((sum, {width}) => sum + width, 0)

/** Columns that a text takes in one line. */
export const styledWidth = (styled: Styled): number => lineWidth(signsOf(styled))

/** The text in one line of at most `width` columns; what is too long ends in the mark. */
export function cut(styled: Styled, width: number, mark: string): Line {
  const signs = signsOf(styled)
  if (lineWidth(signs) <= width) return signs
  const sign: Sign = {text: mark, width: 1, style: 'dim'}
  return width < 1 ? [] : [...takeWidth(signs, width - 1), sign]
}

/** The text in lines of at most `width` columns, broken at spaces, inside a word only where it is longer than a line. */
export function wrap(styled: Styled, width: number): Line[] {
  const room = Math.max(width, 2)
  const signs = signsOf(styled)
  const lines: Line[] = []
  let start = 0
  for (;;) {
    const end = start + countFitting(signs, start, room)
    if (end >= signs.length) return [...lines, signs.slice(start)]
    const space = lastSpace(signs, start, end)
    const stop = space ?? softBreak(signs, start, end) ?? end
    lines.push(trimEnd(signs.slice(start, stop)))
    start = space === undefined ? stop : space + 1
  }
}

/**
 * A sentence in lines of at most `width` columns, each as far in as the first one. With a word that is longer than a line,
 * such as a path, it stays whole: the terminal breaks it by itself then, and gives it back whole to who copies it.
 */
export function wrapProse(styled: Styled, width: number): Line[] {
  const signs = signsOf(styled)
  const indent = signs.slice(
    0,
    Math.max(
      signs.findIndex(({text}) => text !== ' '),
      0,
    ),
  )
  const room = width - indent.length
  if (longestWord(signs) > room) return [signs]
  return wrap(styled, room).map((line, at) => (at === 0 ? line : [...indent, ...line]))
}

function longestWord(signs: Line): number {
  let [longest, word] = [0, 0]
  for (const {text, width} of signs) {
    word = text === ' ' ? 0 : word + width
    longest = Math.max(longest, word)
  }
  return longest
}

/** In a word that is longer than a line: behind one of these, if that leaves the line at least half full. */
const SOFT = new Set(['_', '-', '.', ',', '/', ':', ';', '&', '?', '='])

function softBreak(signs: Line, start: number, end: number): number | undefined {
  for (let at = end; at > start + (end - start) / 2; at--) if (SOFT.has(signs[at - 1]?.text ?? '')) return at
  return undefined
}

function countFitting(signs: Line, start: number, room: number): number {
  let used = 0
  let at = start
  for (; at < signs.length; at++) {
    used += signs[at]?.width ?? 0
    if (used > room) break
  }
  return at - start
}

/** Where to break: the last space of the line, or the one right behind it. */
function lastSpace(signs: Line, start: number, end: number): number | undefined {
  for (let at = end; at > start; at--) if (signs[at]?.text === ' ') return at
  return undefined
}

const takeWidth = (line: Line, width: number): Line => line.slice(0, countFitting(line, 0, width))

const trimEnd = (line: Line): Line => line.slice(0, line.findLastIndex(({text}) => text !== ' ') + 1)

/** The line with colour codes, neighbours of one style painted together. */
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
