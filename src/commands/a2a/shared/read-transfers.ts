import {type DecimalReading, isWorthAsking, MOST_EXAMPLES, mayBeShown} from '../../../cli/ask-decimal.ts'
import {isSameAccount} from '../../../cli/check-input.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'
import type {TypedNumbers} from '../../../cli/typed-numbers.ts'
import {Failure} from '../../../errors/failure.ts'
import {isStreamed, readInput, unreadableInput, untilAborted} from '../../../input/read-input.ts'
import {parseAmount} from '../../../money/amount.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {type Decimal, type DecimalSigns, decimalPoint, typedNumber} from '../../../money/decimal-sign.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import {amount, counted} from '../../../output/amount.ts'
import {columnNames, type Encoding} from '../../../rows/dialect.ts'
import {idText, type Row, type RowProblem, RowProblems} from '../../../rows/problems.ts'
import {formatOfName, readRows} from '../../../rows/read-rows.ts'

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
const nameOf = columnNames([...FIELDS, ...Object.keys(ALIASES)])

/** How the file is written. */
export interface FileDialect extends DecimalSigns {
  readonly encoding?: Encoding | undefined
  readonly 'no-final-newline'?: boolean | undefined
  /** Accept any text as the id of an account. */
  readonly 'no-check-input'?: boolean | undefined
}

/** Asks a person how decimals are written, if there is one to ask. */
export type ChooseDecimal = (readings: readonly DecimalReading[]) => Promise<Decimal>

/**
 * Transfers from a CSV or NDJSON file, or from stdin (`-`). Every row is checked before any is sent.
 *
 * @param chooseDecimal called if amounts of a CSV file have a decimal comma, or a point that may be meant in thousands.
 * @throws Failure INPUT_INVALID, which lists all bad rows by number.
 */
export async function readTransferFile(
  source: string,
  {stdin, signal}: Surroundings,
  {encoding, 'no-final-newline': mayBeCut, 'no-check-input': unchecked, ...signs}: FileDialect = {},
  chooseDecimal?: ChooseDecimal,
): Promise<Transfer[]> {
  const name = source === '-' ? 'stdin' : source
  const bytes = source === '-' ? untilAborted(stdin, signal) : readInput(source, signal)
  const broken: RowProblem[] = []
  const rows: Row[] = []
  const format = formatOfName(source)
  try {
    const problems = {add: (problem: RowProblem) => void broken.push(problem)}
    const finalNewline = !mayBeCut && (await isStreamed(source, stdin))
    const options = {source: name, format, problems, nameOf: fieldOf, encoding, finalNewline}
    for await (const row of readRows(bytes, options)) rows.push(row)
  } catch (error) {
    throw unreadableInput(name, error)
  }
  // Programs write NDJSON, and mean a decimal point.
  const written = format === 'csv' ? signs : {decimal: signs.decimal ?? ('point' as const)}
  let read = transfersIn(rows, written, unchecked)
  if (written.decimal === undefined && chooseDecimal) {
    const readings = readingsOf(rows, read)
    if (readings.length > 0) read = transfersIn(rows, {decimal: await chooseDecimal(readings)}, unchecked)
  }
  const problems = new RowProblems({source: name})
  for (const problem of [...broken, ...read.problems].toSorted((a, b) => a.row - b.row)) problems.add(problem)
  if (problems.count > 0) throw problems.toFailure()
  return read.transfers
}

interface ReadTransfers {
  readonly transfers: Transfer[]
  readonly problems: readonly RowProblem[]
}

function transfersIn(rows: readonly Row[], signs: DecimalSigns, unchecked?: boolean): ReadTransfers {
  const problems: RowProblem[] = []
  const transfers = rows.flatMap(({row, line, values}) => {
    const report = (column: string, message: string) => void problems.push({row, line, column, message})
    return toTransfer(values, report, text => decimalPoint(text, signs), unchecked) ?? []
  })
  return {transfers, problems}
}

/** What each sign makes of the rows; nothing if neither reads an amount that can't be read without it. */
function readingsOf(rows: readonly Row[], {problems}: ReadTransfers): readonly DecimalReading[] {
  const unread = new Set(problems.filter(({column}) => column === 'amount').map(({row}) => row))
  const examples = new Map<string, Row>()
  for (const row of rows) {
    const written = row.values.amount
    if (examples.size === MOST_EXAMPLES) break
    if (unread.has(row.row) && typeof written === 'string' && mayBeShown(written.trim()))
      examples.set(written.trim(), row)
  }
  const readings = (['comma', 'point'] as const).map(
    (decimal): DecimalReading => ({
      decimal,
      examples: [...examples].map(([written, row]) => {
        const [read] = transfersIn([row], {decimal}).transfers
        return {written, read: read && amount(read.amount, read.currency)}
      }),
      sum: sumOf(transfersIn(rows, {decimal}).transfers),
    }),
  )
  return isWorthAsking(readings) ? readings : []
}

function sumOf(transfers: readonly Transfer[]): string | undefined {
  if (transfers.length === 0) return undefined
  const totals = sumByCurrency(transfers).map(({currency, text}) => amount(text, currency))
  return `${counted(transfers.length, 'transfer')}, ${totals.join(', ')}`
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
    settled.push(amount === undefined ? text : [from, to, await numbers.settle(amount), ...rest].join(':'))
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
        typed => typedAmount(typed, signs),
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
function typedAmount(text: string, signs: DecimalSigns): string {
  try {
    return typedNumber(text, 'it', signs)
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
  toTransfer(values, report, typed => typedAmount(typed, signs))
}

/** The field that a column of a CSV header stands for. */
function fieldOf(column: string): string {
  const name = nameOf(column)
  return ALIASES[name] ?? name
}

const plainText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * The transfer in these values. If something is wrong with them, calls `report` and returns undefined.
 *
 * @param plain a number with a decimal point, as it is written in this place. @throws Failure
 */
function toTransfer(
  values: Readonly<Record<string, unknown>>,
  report: (column: string, message: string) => void,
  plain: (text: string) => string,
  isUnchecked = false,
): Transfer | undefined {
  let isGood = true
  const bad = (column: string, message: string): void => {
    isGood = false
    report(column, message)
  }
  const named = new Map(Object.entries(values).map(([name, value]) => [ALIASES[name] ?? name, value]))
  for (const name of named.keys()) {
    // From a file of failed transfers.
    if (name === 'reason') continue
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
  const money = amountOf(named.get('amount'), currency, message => bad('amount', message), plain)
  if (!isGood || money === undefined || fromAccountId === undefined || toAccountId === undefined)
    return undefined
  if (comment === undefined) return undefined
  return {fromAccountId, toAccountId, amount: money, currency, ...(comment === '' ? {} : {text: comment})}
}

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
  bad: (message: string) => void,
  plain: (text: string) => string,
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
    const {minor, text} = parseAmount(typeof value === 'string' ? plain(value) : value, currency)
    if (minor <= 0n) bad('must be more than 0')
    return Number(text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    bad(error.message)
    return undefined
  }
}
