import {Failure} from '../errors/failure.ts'
import {minorToText, parseAmount} from '../money/amount.ts'
import {exponentOf} from '../money/exponents.ts'
import {badRequest} from './problems.ts'

/**
 * Converts an amount of a request to minor units.
 * @param where JSON pointer of the amount, for the problem's detail.
 * @throws Problem 400 if it has more decimals than its currency allows, or more digits than a double can hold.
 */
export function minorOf(amount: number, currency: string, where: string): bigint {
  try {
    return parseAmount(amount, currency).minor
  } catch (error) {
    if (error instanceof Failure) throw badRequest('invalid-amount', `${where}: ${error.message}.`)
    throw error
  }
}

/** The amount as a JSON number. Exact up to 15 significant digits; the sandbox accepts no more. */
export function amountOf(minor: bigint, currency: string): number {
  return Number(minorToText(minor, exponentOf(currency)))
}
