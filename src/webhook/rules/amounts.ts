import {Failure} from '../../errors/failure.ts'
import {findExponent, parseAmount} from '../../money/index.ts'
import type {AuthCall} from '../call-kind.ts'
import type {Place} from './place.ts'

export interface Money {
  readonly amount: number
  readonly currency: string
}

/** An amount in the minor unit of its currency. */
export interface Minor {
  readonly minor: bigint
  readonly currency: string
}

export const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Money>).amount === 'number' &&
  typeof (value as Partial<Money>).currency === 'string'

/**
 * An amount of a call, exactly. One with more digits than its currency has counts as the next larger amount, so that it slips
 * past no limit. Undefined where nobody knows the currency.
 */
export function minorOf({amount, currency}: Money): Minor | undefined {
  const exponent = findExponent(currency)
  if (exponent === undefined) return undefined
  try {
    return {minor: parseAmount(amount, currency).minor, currency}
  } catch {
    return {minor: BigInt(Math.ceil(amount * 10 ** exponent)), currency}
  }
}

/** An amount of a rule file, told of at its place where it is none. */
export function readMinor(amount: string | number, currency: string, place: Place): bigint | undefined {
  try {
    return parseAmount(amount, currency).minor
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    place.report(place.pointer, error.message)
    return undefined
  }
}

const AMOUNT = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/

/** `12.50 EUR`; undefined for text of another form, and for what is told of. */
export function readMoney(text: string, place: Place): Minor | undefined {
  const [, amount, currency] = AMOUNT.exec(text) ?? []
  if (amount === undefined || currency === undefined) return undefined
  const minor = readMinor(amount, currency, place)
  return minor === undefined ? undefined : {minor, currency}
}

/** What a call is about: as the merchant asks it, as it is billed, as it is settled; each currency once. */
export function amountsOf({transactionData}: AuthCall): readonly Money[] {
  const {transactionAmount, billingAmount, settlementAmount} = transactionData
  const all = [transactionAmount, billingAmount, settlementAmount].filter(isMoney)
  return all.filter(({currency}, at) => all.findIndex(other => other.currency === currency) === at)
}
