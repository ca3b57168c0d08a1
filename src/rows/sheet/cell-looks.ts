import {CELL, placeKey, placeOf} from './cell-marks.ts'

/** What people see of cells beside their values, and what formulas add up. Keys by `placeKey`. */
export interface CellLooks {
  /** Cells with a text that is struck through, in whole or in part. */
  readonly struck: ReadonlySet<string>
  /** Cells whose formula adds other cells of their own column. */
  readonly sums: ReadonlySet<string>
}

/** `<strike/>`, unless it says that it is none. */
const STRIKE = /<(?:\w+:)?d?strike(?=[\s/>])(?![^>]*\bval\s*=\s*["'](?:0|false)["'])/

/** @param strings the texts that cells share (`sharedStrings.xml`) */
export function cellLooks(
  sheet: string,
  {styles, strings}: {readonly styles: string; readonly strings: string},
): CellLooks {
  const struckStyles = stylesStruck(styles)
  const struckTexts = textsStruck(strings)
  const struck = new Set<string>()
  const sums = new Set<string>()
  const hasNone = struckStyles.size === 0 && struckTexts.size === 0 && !STRIKE.test(sheet)
  if (hasNone && !/<(?:\w+:)?f[\s>]/.test(sheet)) return {struck, sums}
  /** Formulas that other cells share with the one that has their text. */
  const shared = new Map<string, boolean>()
  for (const [, attributes = '', content = ''] of sheet.matchAll(CELL)) {
    const [, letters, digits] = /\br\s*=\s*["']([A-Z]+)(\d+)["']/.exec(attributes) ?? []
    if (letters === undefined) continue
    const key = placeKey(Number(digits), placeOf(letters))
    const style = /\bs\s*=\s*["'](\d+)/.exec(attributes)?.[1] ?? '0'
    const isShared = /\bt\s*=\s*["']s["']/.test(attributes)
    const text = isShared ? /<(?:\w+:)?v[^>]*>(\d+)</.exec(content)?.[1] : undefined
    if (struckStyles.has(style) || (text !== undefined && struckTexts.has(text)) || STRIKE.test(content))
      struck.add(key)
    const [, formulaAttributes = '', formula = ''] =
      /<(?:\w+:)?f(\s[^>]*?)?(?:\/>|>([^<]*)<)/.exec(content) ?? []
    const group = /\bsi\s*=\s*["'](\d+)/.exec(formulaAttributes)?.[1]
    const isSum =
      formula === '' && group !== undefined
        ? (shared.get(group) ?? false)
        : addsColumn(formula, letters, Number(digits))
    if (group !== undefined && formula !== '') shared.set(group, isSum)
    if (isSum) sums.add(key)
  }
  return {struck, sums}
}

const elements = (xml: string, parent: string, name: string): readonly string[] => {
  const [, inside = ''] =
    new RegExp(`<(?:\\w+:)?${parent}[\\s>]([\\s\\S]*?)</(?:\\w+:)?${parent}>`).exec(xml) ?? []
  const each = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?(?:/>|>[\\s\\S]*?</(?:\\w+:)?${name}>)`, 'g')
  return inside.match(each) ?? []
}

function stylesStruck(styles: string): ReadonlySet<string> {
  if (!STRIKE.test(styles)) return new Set()
  const fonts = elements(styles, 'fonts', 'font').map(font => STRIKE.test(font))
  const formats = styles.match(/<(?:\w+:)?cellXfs[\s>][\s\S]*?<\/(?:\w+:)?cellXfs>/)?.[0] ?? ''
  const ids = [...formats.matchAll(/<(?:\w+:)?xf\s([^>]*)>/g)].map(
    ([, attributes = '']) => /\bfontId\s*=\s*["'](\d+)/.exec(attributes)?.[1],
  )
  return new Set(ids.flatMap((id, at) => (fonts[Number(id)] ? [String(at)] : [])))
}

const textsStruck = (strings: string): ReadonlySet<string> =>
  STRIKE.test(strings)
    ? new Set(elements(strings, 'sst', 'si').flatMap((text, at) => (STRIKE.test(text) ? [String(at)] : [])))
    : new Set()

const OTHER_SHEET = /(?:'[^']*'|[\p{L}\d_.]+)!\$?[A-Z]*\$?\d*(?::\$?[A-Z]*\$?\d*)?/giu
const REFERENCE = /\$?\b([A-Z]{1,3})\$?(\d+)\b(?::\$?([A-Z]{1,3})\$?(\d+))?/g

/** Whether a formula adds other cells of its own column: `SUM(C2:C9)`, `C2+C3`, and sums of named tables. */
function addsColumn(formula: string, letters: string, line: number): boolean {
  const isTotal = /\b(?:SUM|SUBTOTAL|AGGREGATE)\s*\(/i.test(formula)
  if (isTotal && /\[|\bSUBTOTAL|\bAGGREGATE/i.test(formula)) return true
  const own = placeOf(letters)
  const others = [...formula.replaceAll(OTHER_SHEET, '').toUpperCase().matchAll(REFERENCE)].filter(
    ([, first = '', top, last = first, bottom = top]) =>
      placeOf(first) <= own && own <= placeOf(last) && (Number(top) !== line || Number(bottom) !== line),
  )
  if (isTotal) return others.length > 0
  return others.length > 1 && /^[\s=(]*\$?[A-Z]+\$?\d+(?:\s*\+\s*\$?[A-Z]+\$?\d+)+[\s)]*$/i.test(formula)
}
