import {quotedLines} from '../../../cli/sheet/column-words.ts'
import {inAllSpellings} from '../../../cli/sheet/spellings.ts'
import {labelWords, readSumLabel, type SumLabel} from '../../../cli/sheet/sum-label.ts'
import {Failure} from '../../../errors/failure.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import type {Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {type Columns, cellIn} from './field-cells.ts'
import type {TransferField} from './transfer-headings.ts'

/** The rows of a table, and lines among and below them that are none. */
export interface SplitRows {
  readonly rows: Table['rows']
  readonly others: readonly SheetRow[]
}

/** An account is one word. `Summe` is none without a digit, nor are some words with a date in them. */
const mayBeAccount = (text: string): boolean => /\d/.test(text) && !/\p{L}{3}.*\s|\s.*\p{L}{3}/u.test(text)

/** Whether a row names an account. What can't be read may be one. */
export function namesAccount(row: SheetRow | FaultyRecord, columns: Columns): boolean {
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
export function summaryOf(
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
const NO_PAYMENTS = inAllSpellings(
  /refund|reversal|credit (?:note|memo)|chargeback|direct debit|incoming|receipts|gutschrift|storn|rückzahl|erstatt|lastschrift|einnahm|eingänge|återbetal|kreditnot|inbetaln|palautu|hyvity|saapuv|rembours|avoirs?(?!\p{L})|encaiss|reembols|devoluc|abonos?(?!\p{L})|cobros|ingresos|refunder|tilbagebetal|tilbakebetal|indbetal|innbetal/iu,
)

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

export const titleWords = (rows: Table['rows'], columns: Columns): ReadonlySet<string> =>
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
export function labelOf(
  row: SheetRow,
  columns: Columns,
  count: number,
  titles: ReadonlySet<string>,
): SumLabel | undefined {
  const labels = wordsOf(row, columns).map(word => readSumLabel(word, count, titles))
  if (labels.length === 0 || !labels.every(label => label !== undefined)) return undefined
  return {currencies: labels.flatMap(({currencies}) => currencies), isBare: labels.every(one => one.isBare)}
}
