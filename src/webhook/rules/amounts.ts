import {Failure} from '../../errors/failure.ts'
import {parseAmount} from '../../money/amount.ts'
import {
  kindOf,
  type Minor,
  minorOf,
  partOf,
  type ReceivedCall,
  readAmount,
  saysItsKind,
} from '../received-call.ts'
import type {Place} from './rule-file.ts'

/** Stands for a value that is there and cannot be read as what it should be. */
export const UNREADABLE = Symbol('unreadable')

/** The value under a name in a call. */
export interface Values {
  /** The items of lists one by one; nothing for what is absent or null. */
  readonly found: readonly unknown[]
  /** Whether something is not there that every call should have: what it would be nobody knows. */
  readonly lacking: boolean
}

/** An amount of a rule file. Reports a value that is none, at its place. */
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

/** `12.50 EUR`; undefined for text of another form, and for values that were reported. */
export function readMoney(text: string, place: Place): Minor | undefined {
  const [, amount, currency] = AMOUNT.exec(text) ?? []
  if (amount === undefined || currency === undefined) return undefined
  const minor = readMinor(amount, currency, place)
  return minor === undefined ? undefined : {minor, currency}
}

/**
 * How an amount of a call stands to a currency: what it is there, `elsewhere` for another currency, undefined where that
 * cannot be told.
 */
export function amountIn(value: unknown, currency: string): bigint | 'elsewhere' | undefined {
  const amount = readAmount(value)
  if (amount === undefined) return undefined
  return amount.currency === currency ? minorOf(amount)?.minor : 'elsewhere'
}

/**
 * What a call is about: as the merchant asks it, as it is billed, as it is settled; each currency once. What cannot be read
 * is `UNREADABLE`, an amount below zero too: which way its money goes nobody says.
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

/** What is about no money needs no amount. */
export const isAboutMoney = (call: ReceivedCall): boolean =>
  !saysItsKind(call) || !['balance-inquiry', 'pin-management'].includes(kindOf(call))
