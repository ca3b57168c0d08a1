import {isLuhnValid} from './luhn.ts'

/** Whether a whole text looks like a card number: 13 to 19 digits that pass Luhn, also in groups. */
export function looksLikeCardNumber(text: string): boolean {
  return /^[0-9](?:[ -]?[0-9]){12,18}$/.test(text) && isLuhnValid(text.replace(/[ -]/g, ''))
}

/** Whether a member or parameter of this name holds a reference: those of payments pass Luhn by construction. */
export function isReferenceName(name: string): boolean {
  return /^ref|reference/i.test(name)
}
