import {isObject} from '../errors/is-object.ts'
import {decimalText, minorToText} from '../money/amount.ts'
import {findExponent} from '../money/exponents.ts'
import type {Form} from './dialect-file.ts'

/** What a form needs besides the value. */
export interface Around {
  /** Decimals of an amount; undefined if its currency isn't known. */
  readonly exponent?: number | undefined
  /** Items in a page, for `offset`. */
  readonly size?: number | undefined
}

/** Why a value can't be written on the other side, as a clause about it: "is no amount". */
export class Unwritable extends Error {}

interface Both {
  toTheirs(value: unknown, around: Around): unknown
  toOurs(value: unknown, around: Around): unknown
}

const asText = (value: unknown, problem: string): string => {
  if (typeof value === 'string') return value
  // JSON has lost digits of it.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new Unwritable('is too large to be read exactly')
  if (typeof value === 'number') return decimalText(value)
  throw new Unwritable(problem)
}

const NO_AMOUNT = 'is no amount'

/** A decimal number as a double keeps it, else its text. */
function decimal(text: string): number | string {
  const number = Number(text)
  return text.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? number : text
}

function exponent({exponent: known}: Around): number {
  if (known === undefined) throw new Unwritable('is an amount, and its currency is not known')
  return known
}

/** Integers of a currency's minor unit. Never by way of a double. */
const minor: Both = {
  toTheirs(value, around) {
    const decimals = exponent(around)
    const text = asText(value, NO_AMOUNT)
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
    if (match === null) throw new Unwritable(NO_AMOUNT)
    const [, sign = '', whole = '', fraction = ''] = match
    if (fraction.length > decimals) throw new Unwritable(`has more than ${decimals} decimals`)
    const number = Number(sign + whole + fraction.padEnd(decimals, '0'))
    if (!Number.isSafeInteger(number)) throw new Unwritable('is too large to be sent exactly')
    return number === 0 ? 0 : number
  },
  toOurs(value, around) {
    const decimals = exponent(around)
    const text = asText(value, NO_AMOUNT)
    if (!/^-?\d+$/.test(text)) throw new Unwritable('is no whole number of minor units')
    return decimal(minorToText(BigInt(text), decimals))
  },
}

const textual: Both = {
  toTheirs(value, {exponent: decimals}) {
    const text = asText(value, NO_AMOUNT)
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Unwritable(NO_AMOUNT)
    if (decimals === undefined) return text
    const [whole = '', fraction = ''] = text.split('.')
    if (fraction.length > decimals) throw new Unwritable(`has more than ${decimals} decimals`)
    return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
  },
  toOurs(value) {
    const text = asText(value, NO_AMOUNT)
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Unwritable(NO_AMOUNT)
    return decimal(text)
  },
}

/** Text of ours that is a number there, such as an id. */
const number: Both = {
  toTheirs(value) {
    const text = asText(value, 'is no number')
    const written = Number(text)
    if (!/^-?(0|[1-9]\d*)$/.test(text) || !Number.isSafeInteger(written)) throw new Unwritable('is no number')
    return written
  },
  toOurs: value => asText(value, 'is no number'),
}

/** A masked card number of which they have the last four digits. */
const last4: Both = {
  toTheirs: value => asText(value, 'is no card number').slice(-4),
  toOurs: value => `____________${asText(value, 'is no last four digits')}`,
}

/** A local date and time of ours is one of UTC there. */
const utc: Both = {
  toTheirs: value => `${asText(value, 'is no date').replace(/Z$/, '')}Z`,
  toOurs(value) {
    const text = asText(value, 'is no date')
    if (/Z$/.test(text)) return text.slice(0, -1)
    const time = Date.parse(text)
    if (!/[+-]\d\d:?\d\d$/.test(text) || Number.isNaN(time)) throw new Unwritable('is no date of UTC')
    return new Date(time).toISOString().slice(0, -1)
  },
}

/** `{year, month}` of ours in one text. */
const expiration = (write: (year: number, month: string) => string, read: RegExp, century: number): Both => ({
  toTheirs(value) {
    const {year, month} = isObject(value) ? value : {}
    if (typeof year !== 'number' || typeof month !== 'number') throw new Unwritable('is no year and month')
    return write(year, String(month).padStart(2, '0'))
  },
  toOurs(value) {
    const {year, month} = read.exec(asText(value, 'is no year and month'))?.groups ?? {}
    if (year === undefined || month === undefined || Number(month) < 1 || Number(month) > 12)
      throw new Unwritable('is no year and month')
    return {year: century + Number(year), month: Number(month)}
  },
})

const short = (year: number): string => {
  if (year < 2000 || year > 2099) throw new Unwritable('is no year of this century')
  return String(year - 2000).padStart(2, '0')
}

/** Our page, from 0, as the number of items before it. */
const offset: Both = {
  toTheirs(value, {size}) {
    if (size === undefined) throw new Unwritable('needs a size of pages')
    return Number(value) * size
  },
  toOurs(value, {size}) {
    const page = Number(value) / (size ?? 0)
    if (!Number.isInteger(page)) throw new Unwritable('is no beginning of a page')
    return page
  },
}

const pageFrom1: Both = {
  toTheirs: value => Number(value) + 1,
  toOurs: value => Number(value) - 1,
}

const forms: Readonly<Record<Form, Both>> = {
  minor,
  'decimal-text': textual,
  number,
  last4,
  utc,
  MMYY: expiration((year, month) => `${month}${short(year)}`, /^(?<month>\d\d)(?<year>\d\d)$/, 2000),
  'MM/YY': expiration((year, month) => `${month}/${short(year)}`, /^(?<month>\d\d)\/(?<year>\d\d)$/, 2000),
  'YYYY-MM': expiration((year, month) => `${year}-${month}`, /^(?<year>\d{4})-(?<month>\d\d)/, 0),
  offset,
  'page-from-1': pageFrom1,
}

/** A value of ours as they write it. @throws Unwritable */
export const toTheirForm = (form: Form, value: unknown, around: Around): unknown =>
  value === null ? null : forms[form].toTheirs(value, around)

/** A value of theirs as we write it. @throws Unwritable */
export const toOurForm = (form: Form, value: unknown, around: Around): unknown =>
  value === null ? null : forms[form].toOurs(value, around)

/** The decimals of a currency; undefined for one that ISO 4217 doesn't have. */
export const decimalsOf = (currency: unknown): number | undefined =>
  typeof currency === 'string' ? findExponent(currency) : undefined
