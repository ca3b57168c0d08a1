import {checkOptions, members, must, wholeNumber} from '../errors/check-options.ts'
import {type BytesLike, openBytes} from './bytes.ts'

/** ISO 9564-1. */
export const SHORTEST_PIN = 4
export const LONGEST_PIN = 12

export type PinProblemReason =
  | 'length'
  | 'digits'
  | 'all-equal'
  | 'ascending'
  | 'descending'
  | 'card-number'
  | 'expiry'

export interface PinProblem {
  /** `malformed`: not a PIN. `weak`: a PIN that is easy to guess; it can be allowed. */
  readonly kind: 'malformed' | 'weak'
  readonly reason: PinProblemReason
  /** A sentence for people; never holds the PIN. */
  readonly message: string
}

export interface CardOfPin {
  /** The last four digits of the card number. */
  readonly lastFour?: string | undefined
  readonly expiry?: {readonly year: number; readonly month: number} | undefined
}

const WEAK: Record<Exclude<PinProblemReason, 'length' | 'digits'>, string> = {
  'all-equal': 'All digits of the PIN are equal.',
  ascending: 'The PIN is an ascending series.',
  descending: 'The PIN is a descending series.',
  'card-number': 'The PIN is the end of the card number.',
  expiry: 'The PIN is the expiry date of the card.',
}

/**
 * What is wrong with a PIN that a cardholder chose, or undefined. Refuses a malformed PIN, and what a thief tries
 * first: equal digits, series (0 follows 9), the end of the card number, and the expiry date as MMYY, YYMM, MMYYYY or
 * YYYYMM. Takes the PIN as bytes, so that it can be wiped.
 */
export function pinProblem(pin: BytesLike, card: CardOfPin = {}): PinProblem | undefined {
  checkOptions<CardOfPin>('pinProblem', card, {lastFour: FOUR_DIGITS, expiry: EXPIRY})
  const digits = openBytes(pin, 'The PIN')
  const malformed = pinFormProblem(digits)
  if (malformed !== undefined) return malformed
  const reason = weakness(digits, card)
  return reason === undefined ? undefined : {kind: 'weak', reason, message: WEAK[reason]}
}

const FOUR_DIGITS = must('four digits', value => typeof value === 'string' && /^\d{4}$/.test(value))
const EXPIRY = members<NonNullable<CardOfPin['expiry']>>(
  {year: wholeNumber(2000, 2099), month: wholeNumber(1, 12)},
  ['year', 'month'],
)

/** Checks only the form: 4 to 12 ASCII digits. */
export function pinFormProblem(pin: Uint8Array): PinProblem | undefined {
  if (!pin.every(byte => byte >= 0x30 && byte <= 0x39)) {
    return {kind: 'malformed', reason: 'digits', message: 'A PIN has digits only.'}
  }
  if (pin.length < SHORTEST_PIN || pin.length > LONGEST_PIN) {
    return {
      kind: 'malformed',
      reason: 'length',
      message: `A PIN has ${SHORTEST_PIN} to ${LONGEST_PIN} digits.`,
    }
  }
  return undefined
}

function weakness(digits: Uint8Array, card: CardOfPin): keyof typeof WEAK | undefined {
  if (stepsBy(0, digits)) return 'all-equal'
  if (stepsBy(1, digits)) return 'ascending'
  if (stepsBy(9, digits)) return 'descending'
  if (card.lastFour !== undefined && isText(digits, card.lastFour)) return 'card-number'
  if (card.expiry !== undefined && expiryTexts(card.expiry).some(text => isText(digits, text)))
    return 'expiry'
  return undefined
}

function stepsBy(step: number, digits: Uint8Array): boolean {
  return digits.every((digit, i) => i === 0 || (digit - (digits[i - 1] ?? 0) + 10) % 10 === step)
}

function isText(digits: Uint8Array, text: string): boolean {
  return digits.length === text.length && digits.every((digit, i) => digit === text.charCodeAt(i))
}

function expiryTexts({year, month}: {year: number; month: number}): string[] {
  const mm = String(month).padStart(2, '0')
  const yyyy = String(year).padStart(4, '0')
  const yy = yyyy.slice(-2)
  return [mm + yy, yy + mm, mm + yyyy, yyyy + mm]
}
