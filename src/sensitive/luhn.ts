/**
 * The check digit of card numbers (ISO/IEC 7812-1 annex B): from the right every second digit is doubled, the digits
 * of all products are summed, and the sum must be a multiple of ten. Anything but ASCII digits fails.
 */
export function isLuhnValid(digits: string): boolean {
  if (!/^[0-9]+$/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const weighted = place % 2 === 0 ? digit : digit * 2
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
