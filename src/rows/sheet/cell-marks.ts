import {tagsOf} from './xml-tags.ts'

/** What a cell holds beside its value. */
export type CellMark = 'error' | 'formula' | 'scientific' | 'padded'

/** The marked cells of a sheet. */
export interface CellMarks {
  /** By `placeKey`. */
  readonly cells: ReadonlyMap<string, CellMark>
  /** The last line with a marked cell; 0 without one. */
  readonly lines: number
  /** How many cells a line has up to its last marked one. */
  readonly widths: ReadonlyMap<number, number>
}

/** @param place from 0 */
export const placeKey = (line: number, place: number): string => `${line}:${place}`

/** The codes of the number formats that cells name by their places in the list (ECMA-376, 18.8). */
export function formatsOf(styles: string): readonly string[] {
  const codes = new Map(
    tagsOf(styles, 'numFmt').map(({numFmtId = '', formatCode = ''}) => [numFmtId, formatCode]),
  )
  const [, cellFormats = ''] = /<(?:\w+:)?cellXfs[\s>]([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles) ?? []
  return tagsOf(cellFormats, 'xf').map(({numFmtId = ''}) => codes.get(numFmtId) ?? BUILT_IN[numFmtId] ?? '')
}

/** The formats without a code of their own that show a number in scientific notation. */
const BUILT_IN: Readonly<Record<string, string>> = {11: '0.00E+00', 48: '##0.0E+0'}

/** Cells with errors, with formulas that have no value, and with numbers that are shown in another way than they are. */
export function cellMarks(sheet: string, formats: readonly string[]): CellMarks {
  const odd = new Map(
    formats.flatMap((code, at) => {
      const shown = shownBy(code)
      return shown === undefined ? [] : [[String(at), shown] as const]
    }),
  )
  const cells = new Map<string, CellMark>()
  const widths = new Map<number, number>()
  let lines = 0
  for (const [, attributes = '', content = ''] of sheet.matchAll(CELL)) {
    const mark = markOf(attributes, content, odd)
    const [, letters, digits] = /\br\s*=\s*["']([A-Z]+)(\d+)["']/.exec(attributes) ?? []
    if (mark === undefined || letters === undefined) continue
    const [line, place] = [Number(digits), placeOf(letters)]
    cells.set(placeKey(line, place), mark)
    lines = Math.max(lines, line)
    widths.set(line, Math.max(widths.get(line) ?? 0, place + 1))
  }
  return {cells, lines, widths}
}

/** A cell with something in it: an empty one ends in its own tag. */
const CELL = /<(?:\w+:)?c\s((?:[^>]*[^/>])?)>([\s\S]*?)<\/(?:\w+:)?c>/g

/** `A` is 0, `AB` is 27. */
const placeOf = (letters: string): number =>
  [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1

function markOf(
  attributes: string,
  content: string,
  odd: ReadonlyMap<string, NumberShown>,
): CellMark | undefined {
  const type = /\bt\s*=\s*["'](\w+)/.exec(attributes)?.[1] ?? 'n'
  if (type === 'e') return 'error'
  // Programs take a comment or CDATA within a value, and a number such as 0x10, in different ways.
  if (content.includes('<!')) return 'error'
  // A formula for a text may have an empty one as its value.
  const hasValue = /<(?:\w+:)?v[\s>]/.test(content)
  if (type !== 'n') return hasValue || !isFormula(content) ? undefined : 'formula'
  const value = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</.exec(content)?.[1]?.trim()
  if (!value) return isFormula(content) ? 'formula' : undefined
  if (!/^-?\d*(?:\.\d*)?(?:E[+-]?\d+)?$/i.test(value)) return 'error'
  const shown = odd.size === 0 ? undefined : odd.get(/\bs\s*=\s*["'](\d+)/.exec(attributes)?.[1] ?? '0')
  if (shown === undefined || typeof shown === 'string') return shown
  const digits = String(Math.trunc(Math.abs(Number(value)))).length
  return shown.zeros > digits ? 'padded' : undefined
}

const isFormula = (content: string): boolean => /<(?:\w+:)?f[\s>/]/.test(content)

type NumberShown = 'scientific' | 'padded' | {readonly zeros: number}

/** How a format shows a positive number, if that isn't the number alone. */
function shownBy(code: string): NumberShown | undefined {
  const [first = ''] = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const literals = [...first.matchAll(/"([^"]*)"|\\(.)/g)].map(
    ([, quoted, escaped]) => quoted ?? escaped ?? '',
  )
  const places = first.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '')
  if (/E[+-]/i.test(places)) return 'scientific'
  if (/\d/.test(literals.join(''))) return 'padded'
  const zeros = (/^[^.]*/.exec(places)?.[0].match(/0/g) ?? []).length
  // Letters before the digits are a part of an id, as in `"K"0000`; a currency behind them isn't.
  const before = /^(?:"[^"]*[A-Za-z][^"]*"|\\[A-Za-z])/.test(first.trim()) && !/[.,]/.test(places)
  if (before) return 'padded'
  return zeros > 1 ? {zeros} : undefined
}
