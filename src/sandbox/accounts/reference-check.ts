type ReferenceType = 'MOD10' | 'FINNISH_7_3_1'

/** Check digit included: the Finnish standard has 4 to 20 digits, references by the Luhn algorithm have 2 to 25. */
const LENGTHS: Readonly<Record<ReferenceType, readonly [number, number]>> = {
  MOD10: [2, 25],
  FINNISH_7_3_1: [4, 20],
}

/** Whether a payment reference has as many digits as its type allows. */
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

/** The check digit over the digits before it, the last of them first. */
const checkDigits = {
  /** The Luhn algorithm: every other digit doubled. */
  MOD10: (digits: readonly number[]) =>
    upToTen(
      digits.map((digit, index) => {
        const weighted = index % 2 === 0 ? digit * 2 : digit
        return weighted > 9 ? weighted - 9 : weighted
      }),
    ),
  /** The Finnish reference number: weights 7, 3, 1 from the right. */
  FINNISH_7_3_1: (digits: readonly number[]) =>
    upToTen(digits.map((digit, index) => digit * ([7, 3, 1][index % 3] ?? 0))),
}

const upToTen = (terms: readonly number[]) => (10 - (terms.reduce((sum, term) => sum + term, 0) % 10)) % 10
