/** How a number is shown that isn't shown as it is. */
export type NumberMark =
  | 'scientific'
  | 'padded'
  /** As another number, or not at all, by this format. */
  | {readonly format: string}
  /** With these letters or signs beside it, by this format. */
  | {readonly unit: string; readonly format: string}

/** How a format code shows a number, if that isn't the number alone (ECMA-376, 18.8.31). */
export type NumberFormat = (value: number) => NumberMark | undefined

const AS_IT_IS: NumberFormat = () => undefined

/** What a code is made of: texts, signs as wide as another, signs that fill the cell, brackets, and single signs. */
const TOKEN = /"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?|General|./giu

export function numberFormat(code: string): NumberFormat {
  if (code === '' || /^(?:General|@)$/i.test(code)) return AS_IT_IS
  const sections: string[][] = [[]]
  for (const [token] of code.matchAll(TOKEN)) {
    if (token === ';') sections.push([])
    else sections.at(-1)?.push(token)
  }
  const isConditional = sections.some(section => section.some(token => /^\[[<>=]/.test(token)))
  if (isConditional) return () => ({format: code})
  const [positive = partOf([], code), negative, zero] = sections.map((section, at) =>
    partOf(section, code, at === 1),
  )
  return value => {
    if (value === 0) return (zero?.isDash ? AS_IT_IS : (zero ?? positive).shows)(value)
    if (value > 0 || negative === undefined) return positive.shows(value)
    return negative.isSigned ? negative.shows(value) : {format: code}
  }
}

/** A section of a format code: for positive numbers, negative ones, or zero. */
interface Part {
  readonly isSigned: boolean
  /** A dash alone, as bookkeeping has for nothing. */
  readonly isDash: boolean
  /** How it shows a number, whose sign is shown besides. */
  readonly shows: NumberFormat
}

/** Signs between thousands; a code has them as text. */
const GROUP_SIGNS = /[ \u00a0\u2009\u202f'’]/g
const SIGNS = /[-−+/%‰()]/
/** The digits of a format, and everything between them. A comma after them, or before their point, divides by a thousand. */
const DIGITS = /General|\.?[0#?](?:.*[0#?])?\.?/is
const WHOLE = /^(?:General|[0#?][0#?,]*(?:_[0#?]{3})*(?:\.[0#?,]*)?|\.[0#?]+)$/i

function partOf(tokens: readonly string[], code: string, isNegative = false): Part {
  const isOdd = tokens.some(token => /^(?:\[[hms]+\]|\*[-\d(])$/i.test(token))
  const {text, shape} = shapeOf(tokens)
  const signed = text.replaceAll(/[-−()]/g, '')
  const shown = {format: code}
  return {
    isSigned: signed !== text,
    // With its currency: `- €`.
    isDash: /^[^-–—\d]*[-–—][^-–—\d]*$/.test(text.replaceAll(/[?#\s]/g, '')),
    shows(value) {
      const size = Math.abs(value)
      const [core = ''] = DIGITS.exec(shape) ?? []
      const at = shape.indexOf(core)
      const [power, digits = ''] = /(?:\.([0#?]*))?E[+-]/i.exec(shape) ?? []
      if (power !== undefined)
        return Number(size.toExponential(digits.length)) === size ? 'scientific' : shown
      const before = text.slice(0, at)
      const after = text.slice(at + core.length)
      const around = `${before} ${after}`
      const unit = (isNegative ? around.replaceAll(/[-−()]/g, '') : around)
        .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
        .trim()
      const isScaled = core.includes(',.') || shape.startsWith(',', at + core.length)
      if (isOdd || isScaled || !WHOLE.test(core) || SIGNS.test(unit) || /\d/.test(unit)) return shown
      const isGeneral = /General/i.test(core)
      const [whole = '', decimals = ''] = core.split('.')
      const places = decimals.replaceAll(',', '').length
      if (size === 0 && !isGeneral && !core.includes('0')) return shown
      // A computed 55.1 is stored as 55.100000000000001.
      if (!isGeneral && Math.abs(Number(size.toFixed(places)) - size) > size * 1e-14) return shown
      if (unit !== '') return {unit, format: code}
      const zeros = whole.replaceAll(/[^0]/g, '').length
      return zeros > 1 && zeros > String(Math.trunc(size)).length ? 'padded' : undefined
    },
  }
}

/** What a section writes, and where in it are digits: texts are `L` there, and `_` where they may be between thousands. */
function shapeOf(tokens: readonly string[]): {readonly text: string; readonly shape: string} {
  let text = ''
  let shape = ''
  for (const token of tokens) {
    const [, quoted, escaped, currency] = /^(?:"([^"]*)"?|\\(.)|\[\$([^\]-]*)[^\]]*\]?)$/su.exec(token) ?? []
    const literal = quoted ?? escaped ?? currency
    const isSign = literal === undefined && !/^[[_*\\]./su.test(token)
    text += literal ?? (isSign ? token : '')
    shape += literal === undefined ? (isSign ? token.replaceAll(GROUP_SIGNS, '_') : '') : shapeOfText(literal)
  }
  return {text, shape}
}

const shapeOfText = (text: string): string =>
  text.replaceAll(GROUP_SIGNS, '_').replaceAll(/[^_]/gu, sign => 'L'.repeat(sign.length))
