/**
 * A number's shortest decimal text without an exponent: 1e21 becomes "1000000000000000000000", 1e-7 "0.0000001".
 * What isn't finite comes back as `String` gives it ("NaN"), which no amount parser takes.
 */
export function decimalText(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return Object.is(value, -0) ? '0' : text
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.padEnd(point, '0')
}

/** The decimal text of an integer of minor units: 1250n with exponent 2 is "12.50". */
export function minorToText(minor: bigint, exponent: number): string {
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  if (exponent === 0) return sign + digits
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
