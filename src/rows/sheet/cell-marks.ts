import {tagsOf} from './xml-tags.ts'

/** What a cell holds beside its value; with `unit`, a number that is shown with these letters or signs. */
export type CellMark = 'error' | 'formula' | NumberMark

/** How a number is shown that isn't shown as it is. */
export type NumberMark = 'scientific' | 'padded' | 'shown' | {readonly unit: string}

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
  return shown && markOfNumber(Number(value), shown)
}

const isFormula = (content: string): boolean => /<(?:\w+:)?f[\s>/]/.test(content)

/** How a format shows numbers that aren't negative. */
interface NumberShown {
  /** In a way that no number has, whichever it is. */
  readonly mark?: 'scientific' | 'padded' | 'shown'
  /** Digits before the decimal sign that are always shown. */
  readonly zeros: number
  /** Decimals that are shown at most; undefined for all. */
  readonly decimals: number | undefined
  /** Letters and signs beside the number. */
  readonly unit: string
}

function markOfNumber(value: number, {mark, zeros, decimals, unit}: NumberShown): NumberMark | undefined {
  if (mark !== undefined) return mark
  const size = Math.abs(value)
  // A computed 55.1 is stored as 55.100000000000001.
  if (decimals !== undefined && Math.abs(Number(size.toFixed(decimals)) - size) > size * 1e-14) return 'shown'
  if (unit !== '') return {unit}
  return zeros > String(Math.trunc(size)).length ? 'padded' : undefined
}

/** How a format shows a number, if that isn't the number alone. */
function shownBy(code: string): NumberShown | undefined {
  if (code === '' || /^(?:General|@)$/i.test(code)) return undefined
  const sections = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const [first = ''] = sections
  const literals = [...first.matchAll(/"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]/g)].map(
    ([, quoted, escaped, currency]) => quoted ?? escaped ?? currency ?? '',
  )
  // What is as wide as a sign, or fills the cell, isn't shown.
  const places = first.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '')
  const letters = places.replaceAll(/General|[0#?.,%()/+-]/gi, '')
  const unit = [...literals, letters]
    .join(' ')
    .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
    .trim()
  const rest = {zeros: 0, decimals: undefined, unit: ''}
  if (/E[+-]/i.test(places)) return {...rest, mark: 'scientific'}
  const isGeneral = /General/i.test(places)
  const hasDigits = isGeneral || /[0#?]/.test(places)
  const isScaled = /%/.test(places) || /[0#?],+(?=[^0#?]*$|\.)/.test(places)
  const isSigned = /[-()+/]/.test(places) || /[-()]/.test(unit)
  const isConditional = /\[[<>=]/.test(code)
  if (!hasDigits || isScaled || isSigned || isConditional || /\d/.test(unit)) return {...rest, mark: 'shown'}
  const zeros = (/^[^.]*/.exec(places)?.[0].match(/0/g) ?? []).length
  const decimals = isGeneral ? undefined : (/\.([0#?]*)/.exec(places)?.[1]?.length ?? 0)
  return {zeros: zeros > 1 ? zeros : 0, decimals, unit}
}
