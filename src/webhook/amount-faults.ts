import type {Violation} from '../contract/violation.ts'
import {findExponent} from '../money/exponents.ts'
import {partOf, type ReceivedCall, readAmount} from './received-call.ts'

const AMOUNTS = [
  ...['transactionAmount', 'billingAmount', 'settlementAmount'],
  ...['replacementAmount', 'cashbackAmount'],
] as const

/** Amounts of a call that their currencies can't have. */
export function amountFaults(call: ReceivedCall): readonly Violation[] {
  const data = partOf(call, 'transactionData')
  return AMOUNTS.flatMap(name => {
    const read = readAmount(data[name])
    const exponent = read && findExponent(read.currency)
    if (!read || exponent === undefined) return []
    const [, fraction = ''] = read.text.split('.')
    const message = read.text.startsWith('-')
      ? 'an amount is not negative'
      : fraction.replace(/0+$/, '').length > exponent
        ? `${read.currency} has ${exponent} decimals`
        : undefined
    return message === undefined ? [] : [{pointer: `/transactionData/${name}/amount`, message}]
  })
}
