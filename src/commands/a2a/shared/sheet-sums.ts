import {quotedLines} from '../../../cli/sheet/column-words.ts'
import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {Failure} from '../../../errors/failure.ts'
import {type ReadNumber, readColumn} from '../../../money/column-numbers.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {DecimalSigns} from '../../../money/decimal-sign.ts'
import type {Row} from '../../../rows/problems.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import {cellFault, DoubtfulCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {type Columns, cellIn} from './field-cells.ts'
import {currencyIn} from './row-currency.ts'
import {splitAmount} from './sheet-columns.ts'
import {labelWords, readSumLabel, type SumLabel} from './sum-label.ts'
import type {TransferField} from './transfer-headings.ts'

/** The rows of a table, and lines among and below them that are none. */
export interface SplitRows {
  readonly rows: Table['rows']
  readonly others: readonly SheetRow[]
}

/** An account is one word. `Summe` is none without a digit, nor are some words with a date in them. */
const mayBeAccount = (text: string): boolean => /\d/.test(text) && !/\p{L}{3}.*\s|\s.*\p{L}{3}/u.test(text)

/** Whether a row names an account. What can't be read may be one. */
function namesAccount(row: SheetRow | FaultyRecord, columns: Columns): boolean {
  if ('fault' in row) return true
  const accounts = (['fromAccountId', 'toAccountId'] as const).map(field => cellIn(row, columns, field))
  return (
    accounts.some(cell => typeof cell === 'object' || mayBeAccount(String(cell))) ||
    accounts.every(cell => cellText(cell) !== '')
  )
}

/** Whether a row has nothing but a title, or a word and what it is of: `Office Turku`, `Approved by:` and a name. */
export function isTitle(row: SheetRow, columns: Columns): boolean {
  const filled = row.fields.map(cellText).filter(text => text !== '')
  const [first = ''] = filled
  const has = (field: TransferField): boolean => cellText(cellIn(row, columns, field)) !== ''
  const accounts = (['fromAccountId', 'toAccountId'] as const).map(field => cellIn(row, columns, field))
  const isWords = /\p{L}{2}/u.test(first) && row.fields.every(cell => typeof cell !== 'object')
  if (!isWords || has('amount') || has('currency')) return false
  if (accounts.some(cell => mayBeAccount(String(cell)))) return false
  // If an account comes from elsewhere, a title may say which one its rows have.
  const isAllSaid = columns.has('fromAccountId') && columns.has('toAccountId')
  if (!isAllSaid && filled.some(text => /\d{3}/.test(text))) return false
  return filled.length === 1 || (filled.length === 2 && first.endsWith(':'))
}

/** A word for a sum or a count with its number beside it, as below a table: `Gesamtbetrag` and 1.262,50. */
function summaryOf(
  row: SheetRow,
  columns: Columns,
): {readonly word: string; readonly value: string} | undefined {
  const [word = '', value = '', ...others] = row.fields.map(cellText).filter(text => text !== '')
  const hasAmount = cellText(cellIn(row, columns, 'amount')) !== ''
  if (hasAmount || others.length > 0 || !/^\D{0,5}\d[\d\s.,'’]*\D{0,5}$/u.test(value)) return undefined
  const count = Number(value)
  const isLabel =
    readSumLabel(word, -1) !== undefined || readSumLabel(`${word} ${value}`, count) !== undefined
  return isLabel ? {word, value} : undefined
}

/** Titles among rows, and what rows below them may be because of it. */
const NO_PAYMENTS =
  /refund|reversal|credit (?:note|memo)|chargeback|direct debit|incoming|receipts|gutschrift|storn|rückzahl|erstatt|lastschrift|einnahm|eingäng|återbetal|kreditnot|inbetaln|palautu|hyvity|saapuv|rembours|avoirs?(?!\p{L})|encaiss|reembols|devoluc|abonos?(?!\p{L})|cobros|ingresos|refunder|tilbagebetal|tilbakebetal|indbetal|innbetal/iu

/** @throws Failure INPUT_INVALID for titles that say that rows below them are no payments */
export function refuseTitles(
  others: readonly SheetRow[],
  {rows}: Pick<SplitRows, 'rows'>,
  source: string,
): void {
  const last = rows.at(-1)?.line ?? 0
  const found = others.filter(
    ({line, fields}) => line < last && fields.some(cell => NO_PAYMENTS.test(cellText(cell))),
  )
  if (found.length === 0) return
  throw new Failure('INPUT_INVALID', {
    message: `${source}: among the rows, ${linesOf(found)} may say that those below are no payments.${quotedLines(found)}`,
    hint: 'Nothing was sent. Remove the rows that are none, then the title.',
    effect: 'none',
  })
}

/**
 * Rows name an account. What doesn't is none below the last of them, and among them if it is labelled or computed as a
 * sum. A title is none anywhere.
 *
 * @param isComputed whether the amount of a line is a formula that adds others of its column
 */
export function splitRows(
  rows: Table['rows'],
  columns: Columns,
  isComputed: (row: SheetRow) => boolean,
): SplitRows {
  const titles = titleWords(rows, columns)
  const last = rows.findLastIndex(
    row =>
      'fault' in row || (namesAccount(row, columns) && !isTitle(row, columns) && !summaryOf(row, columns)),
  )
  const isOther = (row: SheetRow, at: number): boolean =>
    isTitle(row, columns) ||
    (at > last && summaryOf(row, columns) !== undefined) ||
    (!namesAccount(row, columns) &&
      (at > last || isComputed(row) || labelOf(row, columns, at, titles) !== undefined))
  const others = rows.filter((row, at): row is SheetRow => !('fault' in row) && isOther(row, at))
  return {rows: rows.filter((row, at) => 'fault' in row || !isOther(row, at)), others}
}

const titleWords = (rows: Table['rows'], columns: Columns): ReadonlySet<string> =>
  new Set(
    rows.flatMap(row =>
      'fields' in row && isTitle(row, columns) ? row.fields.flatMap(cell => labelWords(cellText(cell))) : [],
    ),
  )

/** The cells of a row beside its amount, its currency and numbers that nothing uses. */
function wordsOf(row: SheetRow, columns: Columns): readonly string[] {
  const [amount, currency] = [columns.get('amount')?.place, columns.get('currency')?.place]
  return row.fields.flatMap((cell, place) => {
    const text = cellText(cell)
    const isCurrency = place === currency && currenciesOf(text).length > 0
    const isUsed = [...columns.values()].some(column => column.place === place)
    const isNumber = !isUsed && /^[-−(]?[\d\s.,'’]+\)?$/u.test(text)
    return text === '' || place === amount || isCurrency || isNumber ? [] : [text]
  })
}

/** What the words of a row say of a sum, all together; undefined if one of them says something else. */
function labelOf(
  row: SheetRow,
  columns: Columns,
  count: number,
  titles: ReadonlySet<string>,
): SumLabel | undefined {
  const labels = wordsOf(row, columns).map(word => readSumLabel(word, count, titles))
  if (labels.length === 0 || !labels.every(label => label !== undefined)) return undefined
  return {currencies: labels.flatMap(({currencies}) => currencies), isBare: labels.every(one => one.isBare)}
}

/** The rows that were read, and what they say. */
export interface ReadRows {
  readonly rows: readonly Row[]
  /** Rows that are not sent. */
  readonly leftOut: readonly Row[]
  readonly records: Table['rows']
  readonly amounts: ReadonlyMap<number, ReadNumber>
  readonly columns: Columns
  readonly signs: DecimalSigns
  readonly source: SheetSource['source']
  /** Whether the amount of a line is a formula that adds others of its column. */
  isComputed(row: SheetRow): boolean
}

const numberOf = (read: ReadNumber): number => Number(read && 'number' in read ? read.number : Number.NaN)

const sumOf = (rows: readonly Row[], amounts: ReadRows['amounts']): number =>
  rows.reduce((total, {row}) => total + numberOf(amounts.get(row)), 0)

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.0005

/**
 * What is said of lines that are no rows.
 *
 * @throws Failure INPUT_INVALID for a sum that the rows don't come to, and for what may be a row.
 */
export function sumNotes(others: readonly SheetRow[], read: ReadRows): readonly string[] {
  const titles = titleWords(others, read.columns)
  let previous = 0
  return others.map(row => {
    const after = previous
    // What has no amount begins no other sum.
    if (cellText(cellIn(row, read.columns, 'amount')) !== '') previous = row.line
    return `Line ${row.line} ${noteOf(row, {after, titles}, read)}${quotedLines([row])}`
  })
}

function noteOf(
  row: SheetRow,
  {after, titles}: {readonly after: number; readonly titles: ReadonlySet<string>},
  read: ReadRows,
): string {
  const {rows, leftOut, amounts, columns, signs, source} = read
  const summary = summaryOf(row, columns)
  if (
    summary &&
    readSumLabel(`${summary.word} ${summary.value}`, rows.length) &&
    Number(summary.value) === rows.length
  )
    return 'is left out: it is the number of the rows.'
  const cell = summary?.value ?? cellIn(row, columns, 'amount')
  const written = cellText(cell)
  const refuse = (message: string, hint: string): never => {
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${row.line} ${message}.`,
      hint,
      effect: 'none',
    })
  }
  if (cell instanceof DoubtfulCell && cell.doubt === 'formula' && read.isComputed(row))
    return 'is left out: it is a sum, whose value was not saved.'
  if (cellFault(cell, 'number') !== undefined) {
    return refuse(
      'below the rows has an amount that cannot be read, so it cannot be checked as their sum',
      'Open the file in a spreadsheet and save it, or remove the line.',
    )
  }
  if (written === '') return 'is left out: it names no account and no amount.'
  const {number, word} = splitAmount(written)
  const texts = [...rows.map(({values}) => String(values.amount)), number]
  const [last] =
    typeof cell === 'number'
      ? [{number: String(Math.abs(cell)), isNegative: cell < 0}]
      : readColumn(
          texts.map(text => ({text, decimals: undefined})),
          signs,
        ).slice(-1)
  const total = numberOf(last) * (last && 'isNegative' in last && last.isNegative ? -1 : 1)
  const isAbove = ({line}: Row): boolean => line < row.line
  const above = rows.filter(isAbove)
  const all = [...above, ...leftOut.filter(isAbove)]
  const label = summary
    ? readSumLabel(summary.word, -1)
    : [above, all].map(({length}) => labelOf(row, columns, length, titles)).find(one => one !== undefined)
  // Without a word, a number of an invoice beside the amount may be what is left of a row.
  const isBare = row.fields.every(
    (each, place) =>
      cellText(each) === '' ||
      (['amount', 'currency'] as const).some(field => columns.get(field)?.place === place),
  )
  const isLabelled = label !== undefined || isBare || read.isComputed(row)
  const own = currencyIn(cellText(cellIn(row, columns, 'currency')))
  const codes = new Set([...(label?.currencies ?? []), ...(own ? [own] : []), ...currenciesOf(word)])
  // Of rows whose currency is still asked for, `kr` in each says enough.
  const isOf = ({values}: Row): boolean => {
    const currency = currencyIn(values.currency)
    return codes.size === 0 || currency === undefined || codes.has(currency)
  }
  const partsOf = (some: readonly Row[]) =>
    [some, some.filter(({line}) => line > after)].map(part => part.filter(isOf))
  const parts = partsOf(above)
  const isOne = (part: readonly Row[]): boolean =>
    part.length > 0 && new Set(part.map(({values}) => currencyIn(values.currency))).size === 1
  const isSumOf = (part: readonly Row[]): boolean => isOne(part) && isSame(total, sumOf(part, amounts))
  const isEqual = parts.some(isSumOf)
  if (isEqual && isLabelled) return 'is left out: it is the sum of the rows.'
  if (isLabelled && partsOf(all).some(isSumOf))
    return 'is left out: it is the sum of the rows, with those that are left out.'
  const below = rows.filter(({line}) => line > row.line).filter(isOf)
  if (isLabelled && all.length === 0 && isSumOf(below)) return 'is left out: it is the sum of the rows below.'
  if (label !== undefined && total === 0 && all.every(one => !isOf(one)))
    return 'is left out: it is the sum of no rows.'
  if (isLabelled && parts.some(part => !isOne(part) && isSame(total, sumOf(part, amounts)))) {
    return refuse(
      'has a sum of amounts in several currencies',
      'If it is a transfer, write its accounts. If it is a sum, remove the line.',
    )
  }
  if (isEqual) {
    return refuse(
      'has an amount and no account. It is as much as the rows above it, but its words may be of a transfer',
      'If it is a transfer, write its accounts. If it is a sum, remove the line.',
    )
  }
  const lost = read.records.filter(one => one.line < row.line && !namesAccount(one, columns))
  const lines = new Set(lost.map(({line}) => line))
  const others = parts.map(part => part.filter(({line}) => !lines.has(line)))
  if (lost.length > 0 && others.some(isSumOf)) {
    return refuse(
      `is the sum of the rows if ${linesOf(lost)}, without an account, ${lost.length === 1 ? 'is' : 'are'} no transfer`,
      'If it is a transfer, write its accounts. If it is a sum, write only "Subtotal" beside its amount, or remove the line.',
    )
  }
  if (lost.length > 0) {
    return refuse(
      `has an amount and no account, as ${linesOf(lost)} ${lost.length === 1 ? 'has' : 'have'} no account: sums and lost rows are not told apart`,
      'If it is a transfer, write its accounts. If it is a sum, write "Subtotal" beside its amount, or remove the line.',
    )
  }
  return refuse(
    'has an amount and no account, and is not the sum of the rows',
    'If it is a transfer, write its accounts. If it is a sum, a row may be missing or wrong; remove the line once that is clear.',
  )
}

/**
 * Sums that have accounts, as spreadsheets fill them down: called so, or computed from other rows.
 *
 * @throws Failure INPUT_INVALID
 */
export function refuseSumRows(read: ReadRows): void {
  const {rows, leftOut, records, amounts, columns, source} = read
  const byLine = new Map(rows.map(row => [row.line, row]))
  let before = 0
  const used = [...columns].flatMap(([field, {place}]) => (field === 'text' ? [] : [place]))
  for (const [at, record] of records.entries()) {
    if ('fault' in record) continue
    const labels = record.fields.flatMap((cell, place) =>
      used.includes(place) ? [] : (readSumLabel(cellText(cell), at) ?? []),
    )
    const amount = numberOf(amounts.get(byLine.get(record.line)?.row ?? 0))
    const lost = sumOf(
      leftOut.filter(({line}) => line < record.line),
      amounts,
    )
    const isEqual = at > 0 && [before, before + lost].some(sum => isSame(amount, sum))
    before += amount
    const isLast = at === records.length - 1 && at > 0 && labels.some(({isBare}) => isBare)
    const isSum = read.isComputed(record) || (labels.length > 0 && (isEqual || isLast))
    if (!isSum) continue
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${record.line} may be the sum of other rows, although it has accounts.`,
      hint: 'Nothing was sent. If it is a sum, remove the line. If it is a transfer, write its amount as a number and give it another text.',
      effect: 'none',
    })
  }
}
