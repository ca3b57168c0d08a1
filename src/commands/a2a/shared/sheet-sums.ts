import {quotedLines} from '../../../cli/sheet/column-words.ts'
import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {readSumLabel} from '../../../cli/sheet/sum-label.ts'
import {Failure} from '../../../errors/failure.ts'
import {formatAmount} from '../../../money/amount.ts'
import {type ReadNumber, readColumn} from '../../../money/column-numbers.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {DecimalSigns} from '../../../money/decimal-sign.ts'
import type {Row} from '../../../rows/problems.ts'
import {cellFault, DoubtfulCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {type Columns, cellIn} from './field-cells.ts'
import {currencyIn, splitAmount} from './row-currency.ts'
import {labelOf, namesAccount, summaryOf, titleWords} from './row-kinds.ts'

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

const numberOf = (read: ReadNumber): number =>
  read && 'number' in read ? (read.isNegative ? -1 : 1) * Number(read.number) : Number.NaN

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
  // What the rows come to is known, so it says which of two readings a sum has.
  const totals = last && 'readings' in last ? last.readings.map(text => Number(text)) : [numberOf(last)]
  const isTotal = (sum: number): boolean => totals.some(total => isSame(total, sum))
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
  const isSumOf = (part: readonly Row[]): boolean => isOne(part) && isTotal(sumOf(part, amounts))
  const isEqual = parts.some(isSumOf)
  if (isEqual && isLabelled) return 'is left out: it is the sum of the rows.'
  if (isLabelled && partsOf(all).some(isSumOf))
    return 'is left out: it is the sum of the rows, with those that are left out.'
  const below = rows.filter(({line}) => line > row.line).filter(isOf)
  if (isLabelled && all.length === 0 && isSumOf(below)) return 'is left out: it is the sum of the rows below.'
  if (label !== undefined && isTotal(0) && all.every(one => !isOf(one)))
    return 'is left out: it is the sum of no rows.'
  if (isLabelled && parts.some(part => !isOne(part) && isTotal(sumOf(part, amounts)))) {
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
  const part = parts.find(isOne)
  const compared =
    part === undefined ? undefined : comparedSums(totals[0], part, [...rows, ...leftOut], amounts)
  return refuse(
    `has an amount and no account, and is not the sum of the rows${compared === undefined ? '' : `: ${compared}`}`,
    'If it is a transfer, write its accounts. If it is a sum, a row may be missing or wrong. If you removed a row, correct the sum or remove its line.',
  )
}

/** `it says 130.00, and the rows come to 100.00, which is 30.00 less, the amount of line 4 (left out)`. */
function comparedSums(
  total: number | undefined,
  part: readonly Row[],
  all: readonly Row[],
  amounts: ReadRows['amounts'],
): string | undefined {
  const sum = sumOf(part, amounts)
  if (total === undefined || Number.isNaN(total) || Number.isNaN(sum)) return undefined
  const shown = (value: number): string =>
    formatAmount(Number(value.toFixed(3)), currencyIn(part[0]?.values.currency) ?? 'EUR')
  const less = total - sum
  // What is too much is a row that the sum doesn't count; what is missing is one that isn't sent.
  const same = all.find(one => isSame((part.includes(one) ? -1 : 1) * numberOf(amounts.get(one.row)), less))
  const known = same && `, the amount of line ${same.line}${same.row < 0 ? ', which is left out' : ''}`
  return `it says ${shown(total)}, and the rows come to ${shown(sum)}, which is ${shown(Math.abs(less))} ${less > 0 ? 'less' : 'more'}${known ?? ''}`
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
