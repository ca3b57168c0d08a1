import {Failure} from '../errors/failure.ts'
import {minorToText, parseAmount} from '../money/amount.ts'
import {exponentOf} from '../money/exponents.ts'
import {badRequest} from './problems.ts'

/**
 * The minor units of an amount in a request.
 * @param where JSON pointer, for the detail.
 * @throws Problem 400 if it has more decimals than its currency, or more digits than a double.
 */
export function minorOf(amount: number, currency: string, where: string): bigint {
  try {
    return parseAmount(amount, currency).minor
  } catch (error) {
    if (error instanceof Failure) throw badRequest('invalid-amount', `${where}: ${error.message}.`)
    throw error
  }
}

/** The number for the wire. Exact up to 15 significant digits, and the sandbox accepts no more. */
export function amountOf(minor: bigint, currency: string): number {
  return Number(minorToText(minor, exponentOf(currency)))
}
