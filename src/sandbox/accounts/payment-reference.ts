type ReferenceType = 'MOD10' | 'FINNISH_7_3_1'

/** Minimum and maximum number of digits, with the check digit. */
const LENGTHS: Readonly<Record<ReferenceType, readonly [number, number]>> = {
  MOD10: [2, 25],
  FINNISH_7_3_1: [4, 20],
}

/** Whether a payment reference has the number of digits of its type. */
export function hasRightLength(type: ReferenceType, reference: string): boolean {
  const [least, most] = LENGTHS[type]
  return reference.length >= least && reference.length <= most
}

/** Whether a payment reference ends in the check digit of its type. */
export function hasCheckDigit(type: ReferenceType, reference: string): boolean {
  const digits = [...reference].map(Number)
  const given = digits.pop()
  return given !== undefined && digits.length > 0 && given === checkDigits[type](digits.reverse())
}

/** Each function computes the check digit. The digits before it are in reverse order. */
const checkDigits = {
  MOD10: luhnDigit,
  /** The Finnish reference number: weights 7, 3, 1 from the right. */
  FINNISH_7_3_1: (digits: readonly number[]) =>
    upToTen(digits.map((digit, index) => digit * ([7, 3, 1][index % 3] ?? 0))),
}

/**
 * Computes the Luhn check digit. The digits before it are in reverse order: doubles the first and every second one
 * after it.
 */
export function luhnDigit(digits: readonly number[]): number {
  const weighted = digits.map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
  return upToTen(weighted.map(digit => (digit > 9 ? digit - 9 : digit)))
}

const upToTen = (terms: readonly number[]) => (10 - (terms.reduce((sum, term) => sum + term, 0) % 10)) % 10
