import {isSameAccount} from '../../../cli/check-input.ts'
import type {TypedNumbers} from '../../../cli/typed-numbers.ts'
import {Failure} from '../../../errors/failure.ts'
import {decimalText, parseAmount} from '../../../money/amount.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {type DecimalSigns, typedNumber} from '../../../money/decimal-sign.ts'
import {findExponent} from '../../../money/exponents.ts'
import {idText, type ProblemFacts, shownValue} from '../../../rows/problems.ts'
import {REPLACES} from './replaced-rows.ts'

export interface Transfer {
  readonly fromAccountId: string
  readonly toAccountId: string
  readonly amount: number
  readonly currency: string
  readonly text?: string
}

const FIELDS = ['fromAccountId', 'toAccountId', 'amount', 'currency', 'text'] as const
/** Other names that users may write in a header. */
const ALIASES: Readonly<Record<string, string>> = {
  from: 'fromAccountId',
  fromAccount: 'fromAccountId',
  to: 'toAccountId',
  toAccount: 'toAccountId',
  description: 'text',
}
/** The transfers of `--transfer`. On a terminal, asks about amounts that may be meant in thousands. */
export async function readTransfers(
  texts: readonly string[],
  numbers: Pick<TypedNumbers, 'settle' | 'signs'>,
  unchecked?: boolean,
): Promise<Transfer[]> {
  const settled: string[] = []
  for (const text of texts) {
    const [from = '', to = '', amount, ...rest] = text.split(':')
    settled.push(
      amount === undefined ? text : [from, to, await numbers.settle(amount, rest[0]), ...rest].join(':'),
    )
  }
  return parseTransfers(settled, await numbers.signs(), unchecked)
}

/**
 * The transfers of `--transfer`, each `from:to:amount:currency[:text]`. The text may contain colons.
 *
 * @param unchecked accepts any text as the id of an account.
 * @throws Failure USAGE, which lists all bad ones by position and doesn't quote them.
 */
export function parseTransfers(
  texts: readonly string[],
  signs: DecimalSigns,
  unchecked?: boolean,
): Transfer[] {
  const wrong: string[] = []
  const transfers = texts.flatMap((text, at) => {
    const [from = '', to = '', amount, currency, ...words] = text.split(':')
    const flag = texts.length === 1 ? '--transfer' : `--transfer ${at + 1} of ${texts.length}`
    const values = {from, to, amount, currency, text: words.join(':')}
    return (
      toTransfer(
        values,
        (column, message) =>
          wrong.push(
            `${flag}, ${column.replace('AccountId', '')}: ${message}${/[.]$/.test(message) ? '' : '.'}`,
          ),
        (typed, currency) => typedAmount(typed, signs, currency),
        unchecked,
      ) ?? []
    )
  })
  if (wrong.length === 0) return transfers
  throw new Failure('USAGE', {
    message: wrong.join(' '),
    hint: 'Write FROM:TO:AMOUNT:CURRENCY, and :TEXT if you like, for example --transfer 2006:2007:12.50:EUR:rent.',
    effect: 'none',
  })
}

/** @throws Failure that also says what to do: the hint is about all of `--transfer`. */
function typedAmount(text: string, signs: DecimalSigns, currency: string): string {
  try {
    return typedNumber(text, 'it', signs, findExponent(currency))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {hint} = error.details
    throw hint === undefined ? error : error.with({message: `${error.message} ${hint}`})
  }
}

/** Checks a part of a transfer beside the parts before it. @throws Failure USAGE */
export function checkTransferPart(
  name: string,
  values: Readonly<Record<string, string>>,
  signs: DecimalSigns,
): void {
  const report = (column: string, message: string): void => {
    if (column !== (ALIASES[name] ?? name)) return
    const sentence = /^(?:[A-Z]|it )/.test(message) ? message : `it ${message}`
    throw new Failure('USAGE', {
      message: `${sentence[0]?.toUpperCase()}${sentence.slice(1).replace(/[.]$/, '')}.`,
    })
  }
  toTransfer(values, report, (typed, currency) => typedAmount(typed, signs, currency))
}

const plainText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * The transfer in these values. If something is wrong with them, calls `report` and returns undefined.
 *
 * @param plain an amount with a decimal point, as it is written in this place. @throws Failure
 */
export function toTransfer(
  values: Readonly<Record<string, unknown>>,
  report: (column: string, message: string, facts: ProblemFacts) => void,
  plain: (text: string, currency: string) => string,
  isUnchecked = false,
): Transfer | undefined {
  let isGood = true
  const bad = (column: string, message: string, facts: ProblemFacts = {}): void => {
    isGood = false
    report(column, message, facts)
  }
  const named = new Map<string, unknown>()
  for (const [name, value] of Object.entries(values)) {
    const field = ALIASES[name] ?? name
    if (named.has(field)) bad(field, 'is given twice, under two names')
    named.set(field, value)
  }
  for (const name of named.keys()) {
    // From a file of failed transfers.
    if (name === 'reason' || name === REPLACES) continue
    if (!FIELDS.some(field => field === name))
      bad(name, `is not a field of a transfer (${FIELDS.join(', ')})`)
  }
  /** Empty if absent. If it isn't text, reports it and returns undefined. */
  const text = (name: string, read = idText): string | undefined => {
    const value = named.get(name)
    if (value === undefined || value === null) return ''
    const found = read(value)
    if (found === undefined) bad(name, read === idText ? 'is neither text nor a whole number' : 'is not text')
    // Spreadsheets keep spaces that nobody sees.
    return name === 'text' ? found : found?.trim()
  }
  const fromAccountId = text('fromAccountId')
  const toAccountId = text('toAccountId')
  const currency = currencyOf(text('currency', plainText), message => bad('currency', message))
  for (const [column, id] of [
    ['fromAccountId', fromAccountId],
    ['toAccountId', toAccountId],
  ] as const) {
    if (id === '') bad(column, 'is missing')
    else if (id !== undefined && !isUnchecked && !/^\d+$/.test(id))
      bad(column, 'is not an account id (digits only)')
  }
  if (toAccountId && isSameAccount(fromAccountId, toAccountId))
    bad('toAccountId', 'is the account that the transfer comes from')
  const comment = text('text', plainText)
  const money = amountOf(
    named.get('amount'),
    currency,
    (message, facts) => bad('amount', message, facts),
    plain,
  )
  if (!isGood || money === undefined || fromAccountId === undefined || toAccountId === undefined)
    return undefined
  if (comment === undefined) return undefined
  return {fromAccountId, toAccountId, amount: money, currency, ...(comment === '' ? {} : {text: comment})}
}

export const negativeAmount = (): Failure =>
  new Failure('INPUT_INVALID', {
    message:
      'is negative. A transfer moves a positive amount; to send it the other way, exchange the accounts',
  })

/** The code of a currency, which a person may write in any case or by its name; empty if it isn't one. */
function currencyOf(text: string | undefined, bad: (message: string) => void): string {
  if (text === undefined) return ''
  try {
    if (text !== '') return readCurrency(text)
    bad('is missing')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    bad(error.message)
  }
  return ''
}

function amountOf(
  value: unknown,
  currency: string,
  bad: (message: string, facts?: ProblemFacts) => void,
  plain: (text: string, currency: string) => string,
): number | undefined {
  if (value === undefined || value === null || value === '') {
    bad('is missing')
    return undefined
  }
  if (currency === '') return undefined
  if (typeof value !== 'string' && typeof value !== 'number') {
    bad('is neither text nor a number')
    return undefined
  }
  try {
    const {minor, text} = parseAmount(typeof value === 'string' ? plain(value, currency) : value, currency)
    if (minor <= 0n) bad('must be more than 0')
    return Number(text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const written = typeof value === 'number' ? decimalText(value) : value
    const {kind} = error.details.data ?? {}
    bad(error.message, {value: shownValue(written), ...(typeof kind === 'string' && {kind})})
    return undefined
  }
}
