import {maskDigitRuns} from './mask-digit-runs.ts'
import {type MaskStyle, SHOWN_FIRST, SHOWN_LAST} from './mask-style.ts'
import {MASK} from './secret.ts'

/** A number that somebody masked already, e.g. the service's own `41111111____1111`. */
const MASKED_ALREADY = /^(?=.*[_*•Xx#])[0-9_*•Xx# -]{8,}$/

/**
 * A card number for people: `411111••••••1111`, its spaces and dashes kept. A number that is masked already passes
 * unchanged; what is not a card number at all (other than 13 to 19 digits) becomes `[masked]`, so that a mistake of
 * the caller hides too much rather than too little.
 */
export function maskPan(pan: string, style: MaskStyle = {}): string {
  // Somebody's mask that still shows a whole number hides nothing: that goes through the scanner.
  if (MASKED_ALREADY.test(pan)) return maskDigitRuns(pan, style)
  const digits = pan.replace(/[ -]/g, '')
  if (!/^[0-9]{13,19}$/.test(digits)) return MASK
  const filler = style.filler ?? '•'
  let place = 0
  return pan.replace(/[0-9]/g, digit => {
    place += 1
    return place <= SHOWN_FIRST || place > digits.length - SHOWN_LAST ? digit : filler
  })
}
