import {Failure} from '../errors/failure.ts'
import {openText, type PanLike} from './opened.ts'

/** How many digits of the card number take part: the rightmost 12 without the check digit. */
const ACCOUNT_DIGITS = 12

/**
 * The PAN field of formats 0 and 3 (ISO 9564-1:2017, 9.3): four zero nibbles and the rightmost 12 digits of the
 * card number without its check digit. Eight bytes.
 * @throws Failure INPUT_INVALID unless the card number has 13 to 19 digits.
 */
export function panField(pan: PanLike): Buffer {
  const digits = digitsOf(pan, ACCOUNT_DIGITS + 1)
  return accountNumberField(digits.slice(-ACCOUNT_DIGITS - 1, -1))
}

/** The same from the 12 digits themselves, for sources that give the number without its check digit. */
export function accountNumberField(twelveDigits: string): Buffer {
  return Buffer.from(twelveDigits.padStart(16, '0'), 'hex')
}

/**
 * The plain text PAN field of format 4 (ISO 9564-1:2017, 9.4): a nibble that says by how much the card number is
 * longer than 12 digits, the number with its check digit (a shorter one filled with zeros on the left), and zeros.
 * 16 bytes.
 * @throws Failure INPUT_INVALID unless the card number has 1 to 19 digits.
 */
export function panField4(pan: PanLike): Buffer {
  const digits = digitsOf(pan, 1).padStart(ACCOUNT_DIGITS, '0')
  return Buffer.from(`${digits.length - ACCOUNT_DIGITS}${digits}`.padEnd(32, '0'), 'hex')
}

function digitsOf(pan: PanLike, shortest: number): string {
  const digits = openText(pan, 'The card number')
  if (/^[0-9]{1,19}$/.test(digits) && digits.length >= shortest) return digits
  throw new Failure('INPUT_INVALID', {
    message: `The card number of a PIN block must have ${shortest} to 19 digits and nothing else.`,
  })
}
