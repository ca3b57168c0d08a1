import {isLuhnValid} from '../sensitive/luhn-windows.ts'
import {openText, type PanLike} from './bytes.ts'

export interface PanProblem {
  readonly reason: 'digits' | 'length' | 'check-digit'
  /** A sentence for people; never holds the number. */
  readonly message: string
}

/**
 * What is wrong with a card number, or undefined. A correct one has 13 to 19 ASCII digits without spaces (ISO/IEC
 * 7812-1), and the last one is the Luhn check digit.
 */
export function panProblem(pan: PanLike): PanProblem | undefined {
  const digits = openText(pan, 'The card number')
  if (!/^[0-9]*$/.test(digits)) return {reason: 'digits', message: 'A card number has digits only.'}
  if (digits.length < 13 || digits.length > 19) {
    return {reason: 'length', message: 'A card number has 13 to 19 digits.'}
  }
  if (!isLuhnValid(digits)) {
    return {reason: 'check-digit', message: 'The check digit of the card number is wrong. Check the number.'}
  }
  return undefined
}
