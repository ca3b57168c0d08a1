import {Failure} from '../../errors/failure.ts'
import {parseAmount} from '../../money/amount.ts'
import {
  kindOf,
  type Minor,
  minorOf,
  namesItsKind,
  partOf,
  type ReceivedCall,
  readAmount,
} from '../received-call.ts'
import type {Place} from './rule-file.ts'

/** Stands for a value that is present but can't be read as the right type. */
export const UNREADABLE = Symbol('unreadable')

/** The value of a dotted name in a call. */
export interface Values {
  /** The items of lists one by one; nothing for absent or null. */
  readonly found: readonly unknown[]
  /** Whether a field is missing that every call should have, so that its value is unknown. */
  readonly lacking: boolean
}

/** An amount of a rule file. Reports an invalid value at its place. */
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

/** `12.50 EUR`; undefined for text of another form, and for values that were already reported. */
export function readMoney(text: string, place: Place): Minor | undefined {
  const [, amount, currency] = AMOUNT.exec(text) ?? []
  if (amount === undefined || currency === undefined) return undefined
  const minor = readMinor(amount, currency, place)
  return minor === undefined ? undefined : {minor, currency}
}

/**
 * An amount of a call in a currency: the amount, `elsewhere` if it is in another currency, undefined if that is
 * unknown.
 */
export function amountIn(value: unknown, currency: string): bigint | 'elsewhere' | undefined {
  const amount = readAmount(value)
  if (amount === undefined) return undefined
  return amount.currency === currency ? minorOf(amount)?.minor : 'elsewhere'
}

/**
 * The amounts of a call: requested, billed and settled, each currency once. An unreadable one is `UNREADABLE`, also one
 * below zero, because its direction is unknown.
 */
export function amountsOf(call: ReceivedCall): readonly unknown[] {
  const {transactionAmount, billingAmount, settlementAmount} = partOf(call, 'transactionData')
  const seen = new Set<string>()
  return [transactionAmount, billingAmount, settlementAmount].flatMap(value => {
    if (value === undefined || value === null) return []
    const amount = readAmount(value)
    if (amount === undefined || amount.text.startsWith('-')) return [UNREADABLE]
    if (seen.has(amount.currency)) return []
    seen.add(amount.currency)
    return [value]
  })
}

/** A call without money needs no amount. */
export const isAboutMoney = (call: ReceivedCall): boolean =>
  !namesItsKind(call) || !['balance-inquiry', 'pin-management'].includes(kindOf(call))
