/** The exact sum of numbers as JSON has them, or undefined if one of them is none or has an exponent. */
export function sumDecimals(values: readonly unknown[]): string | undefined {
  const texts = values.map(value => (typeof value === 'number' ? String(value) : ''))
  const parts = texts.map(text => /^(-?)(\d+)(?:\.(\d+))?$/.exec(text))
  const decimals = Math.max(0, ...parts.map(part => part?.[3]?.length ?? 0))
  let sum = 0n
  for (const part of parts) {
    if (part === null) return undefined
    const [, sign, whole = '', fraction = ''] = part
    const scaled = BigInt(whole + fraction.padEnd(decimals, '0'))
    sum += sign === '-' ? -scaled : scaled
  }
  const digits = (sum < 0n ? -sum : sum).toString().padStart(decimals + 1, '0')
  const text =
    decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals).replace(/0+$/, '')}`
  return `${sum < 0n ? '-' : ''}${text.replace(/\.$/, '')}`
}
