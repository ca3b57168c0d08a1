import {type NumberFormat, type NumberMark, numberFormat} from './number-format.ts'
import {tagsOf} from './xml-tags.ts'

/** What a cell holds beside its value. */
export type CellMark = 'error' | 'formula' | NumberMark

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

/** The number formats of a workbook. */
export interface Formats {
  /** The codes that cells name by their places in the list (ECMA-376, 18.8). */
  readonly ofCells: readonly string[]
  /** The codes, if they have one, that rules for some cells name by their places. */
  readonly ofRules: readonly string[]
}

export function formatsOf(styles: string): Formats {
  const part = (name: string): string =>
    new RegExp(`<(?:\\w+:)?${name}[\\s>]([\\s\\S]*?)</(?:\\w+:)?${name}>`).exec(styles)?.[1] ?? ''
  const codes = new Map(
    tagsOf(part('numFmts'), 'numFmt').map(({numFmtId = '', formatCode = ''}) => [numFmtId, formatCode]),
  )
  const rules = [...part('dxfs').matchAll(/<(?:\w+:)?dxf(?:\s*\/>|[\s>]([\s\S]*?)<\/(?:\w+:)?dxf>)/g)]
  return {
    ofCells: tagsOf(part('cellXfs'), 'xf').map(
      ({numFmtId = ''}) => codes.get(numFmtId) ?? BUILT_IN[numFmtId] ?? '',
    ),
    ofRules: rules.map(([, content = '']) => tagsOf(content, 'numFmt')[0]?.formatCode ?? ''),
  }
}

/** The formats of numbers without a code of their own (ECMA-376, 18.8.30). Others are dates, or of the reader's country. */
const BUILT_IN: Readonly<Record<string, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  48: '##0.0E+0',
}

/** Cells with errors, with formulas that have no value, and with numbers that are shown in another way than they are. */
export function cellMarks(sheet: string, {ofCells, ofRules}: Formats): CellMarks {
  const formats = ofCells.map(numberFormat)
  const ruled = ruledFormats(sheet, ofRules)
  const hidesZeros = tagsOf(sheet, 'sheetView').some(({showZeros = '1'}) => /^(?:0|false)$/.test(showZeros))
  const cells = new Map<string, CellMark>()
  const widths = new Map<number, number>()
  let lines = 0
  for (const [, attributes = '', content = ''] of sheet.matchAll(CELL)) {
    const [, letters, digits] = /\br\s*=\s*["']([A-Z]+)(\d+)["']/.exec(attributes) ?? []
    const [line, place] = [Number(digits), placeOf(letters ?? '')]
    const style = /\bs\s*=\s*["'](\d+)/.exec(attributes)?.[1] ?? '0'
    const shows: NumberFormat = value =>
      value === 0 && hidesZeros
        ? {format: 'of sheets that show no zeros'}
        : (formats[Number(style)]?.(value) ?? ruled(line, place, value))
    const mark = markOf(attributes, content, shows)
    if (mark === undefined || letters === undefined) continue
    cells.set(placeKey(line, place), mark)
    lines = Math.max(lines, line)
    widths.set(line, Math.max(widths.get(line) ?? 0, place + 1))
  }
  return {cells, lines, widths}
}

/** How rules show the numbers in their ranges, if they do so in another way: whether they apply, only a spreadsheet knows. */
function ruledFormats(
  sheet: string,
  ofRules: readonly string[],
): (line: number, place: number, value: number) => NumberMark | undefined {
  const found = [...sheet.matchAll(RULES)].flatMap(([, attributes = '', content = '']) => {
    const ranges = (tagsOf(`<x ${attributes}>`, 'x')[0]?.sqref ?? '').split(/\s+/).map(rangeOf)
    return tagsOf(content, 'cfRule').flatMap(({dxfId}) => {
      const code = dxfId === undefined ? '' : (ofRules[Number(dxfId)] ?? '')
      return code === '' ? [] : [{ranges, shows: numberFormat(code)}]
    })
  })
  return (line, place, value) => {
    for (const {ranges, shows} of found) {
      const mark = ranges.some(isIn => isIn(line, place)) ? shows(value) : undefined
      if (mark !== undefined) return mark
    }
    return undefined
  }
}

const RULES = /<(?:\w+:)?conditionalFormatting\s([^>]*)>([\s\S]*?)<\/(?:\w+:)?conditionalFormatting>/g

/** `B2:C10`, `D5`, and whole columns and rows: `B:B`, `3:3`. */
function rangeOf(range: string): (line: number, place: number) => boolean {
  const [first = '', last = first] = range.replaceAll('$', '').split(':')
  const ends = [first, last].map(end => /^([A-Z]*)(\d*)$/.exec(end) ?? [])
  const [[, left = '', top = ''] = [], [, right = '', bottom = ''] = []] = ends
  const isWithin = (value: number, from: string | number, to: string | number): boolean =>
    (from === '' || value >= Number(from)) && (to === '' || value <= Number(to))
  return (line, place) =>
    isWithin(line, top, bottom) && isWithin(place, left && placeOf(left), right && placeOf(right))
}

/** A cell with something in it: an empty one ends in its own tag. */
export const CELL = /<(?:\w+:)?c\s((?:[^>]*[^/>])?)>([\s\S]*?)<\/(?:\w+:)?c>/g

/** `A` is 0, `AB` is 27. */
export const placeOf = (letters: string): number =>
  [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1

function markOf(attributes: string, content: string, shows: NumberFormat): CellMark | undefined {
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
  return shows(Number(value))
}

const isFormula = (content: string): boolean => /<(?:\w+:)?f[\s>/]/.test(content)
