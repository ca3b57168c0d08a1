import {cut, paintLine, textWidth, wrap} from '../output/text-layout.ts'

/** A line of text with colour codes, in the rows that a window has for it. */
export interface PaintedRows {
  readonly rows: readonly string[]
  /** Where a column of the line is now. */
  placeOf(column: number): {readonly row: number; readonly column: number}
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
const COLOUR = /\u001b\[[\d;]*m/g

export const withoutColour = (text: string): string => text.replaceAll(COLOUR, '')

const plainText = (line: Parameters<typeof paintLine>[0]): string => paintLine(line, ({text}) => text)

/** Breaks a line between words. */
export function brokenRows(line: string, width: number): PaintedRows {
  const plain = withoutColour(line)
  const colours = coloursOf(line)
  let end = 0
  const parts = wrap(plain, width).map(each => {
    const text = plainText(each)
    const start = plain.indexOf(text, end)
    end = start + text.length
    return {text, start}
  })
  const rows = parts.map(({text, start}, at) => {
    const next = parts[at + 1]?.start ?? Number.POSITIVE_INFINITY
    const own = colours.filter(colour => colour.at < next && (at === 0 || colour.at >= start))
    return insert(text, start, own)
  })
  return {
    rows,
    placeOf: column => {
      const offset = offsetOf(plain, column)
      const row = Math.max(
        0,
        parts.findLastIndex(({start}) => start <= offset),
      )
      const start = parts[row]?.start ?? 0
      // Spaces at the end of the line aren't part of its text.
      const after = Math.max(0, column - textWidth(plain))
      const within = textWidth(plain.slice(start, offset)) + after
      return {row: row + Math.floor(within / width), column: within % width}
    },
  }
}

/** Cuts a line. The mark shows that there is more. */
export function cutRow(line: string, width: number, mark: string): PaintedRows {
  const text = plainText(cut(withoutColour(line), width, mark))
  return {
    rows: [insert(text, 0, coloursOf(line))],
    placeOf: column => ({row: 0, column: Math.min(column, width)}),
  }
}

interface Colour {
  readonly code: string
  /** Before which character. */
  readonly at: number
}

function coloursOf(line: string): readonly Colour[] {
  let before = 0
  return [...line.matchAll(COLOUR)].map(({0: code, index}) => {
    const at = index - before
    before += code.length
    return {code, at}
  })
}

function insert(text: string, start: number, colours: readonly Colour[]): string {
  return colours.reduceRight((painted, {code, at}) => {
    const place = Math.min(Math.max(at - start, 0), text.length)
    return painted.slice(0, place) + code + painted.slice(place)
  }, text)
}

function offsetOf(text: string, column: number): number {
  let offset = 0
  for (const char of text) {
    if (textWidth(text.slice(0, offset + char.length)) > column) break
    offset += char.length
  }
  return offset
}
