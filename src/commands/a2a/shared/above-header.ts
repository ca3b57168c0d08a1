import {quotedLines} from '../../../cli/sheet/column-words.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {type Columns, cellIn} from './field-cells.ts'

/** @throws Failure INPUT_INVALID if a row above the header may be a transfer */
export function aboveNotes({above, line}: Table, columns: Columns, source: string): readonly string[] {
  const mayBeRows = above.filter(row => {
    const [from, to, amount] = (['fromAccountId', 'toAccountId', 'amount'] as const).map(field =>
      cellText(cellIn(row, columns, field)),
    )
    const ids = [from, to].filter(id => /^\d+$/.test(id ?? '')).length
    return ids === 2 || (ids === 1 && /\d/.test(amount ?? ''))
  })
  if (mayBeRows.length > 0) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} names its columns on line ${line}, and what is above them may be rows: ${linesOf(mayBeRows)}.`,
      hint: 'Move the line with the headings to the top, or remove what is above it.',
      effect: 'none',
    })
  }
  if (above.length === 0) return []
  return [
    `Above the header, ${linesOf(above)} ${above.length === 1 ? 'is' : 'are'} left out.${quotedLines(above)}`,
  ]
}

/**
 * A title that names a currency which no row has may mean all amounts: `All amounts in USD`.
 *
 * @throws Failure INPUT_INVALID
 */
export function refuseOtherCurrency(
  lines: readonly SheetRow[],
  currencies: ReadonlySet<string>,
  source: string,
): void {
  const names = (text: string): boolean => {
    const codes = (text.match(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? []).filter(code => COMMON.has(code))
    return codes.length > 0 && !codes.some(code => currencies.has(code))
  }
  const others = lines.filter(({fields}) => fields.some(cell => names(cellText(cell))))
  if (others.length === 0 || currencies.size === 0) return
  throw new Failure('INPUT_INVALID', {
    message: `${source}: beside the table, ${linesOf(others)} ${others.length === 1 ? 'names' : 'name'} a currency that no row has.`,
    hint: 'Nothing was sent. Make sure that the currencies of the rows are right, then remove the line.',
    effect: 'none',
  })
}

/** Codes that are hardly a word or an abbreviation in a title. */
const COMMON = new Set(
  'EUR USD GBP CHF SEK NOK DKK ISK PLN CZK HUF RON BGN JPY CNY CAD AUD NZD INR TRY ZAR MXN BRL SGD HKD KRW'.split(
    ' ',
  ),
)
