import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {Failure} from '../../../errors/failure.ts'
import {currencyWords, readCurrency} from '../../../money/currency-name.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import {escapeText} from '../../../output/styled.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import type {Row} from '../../../rows/problems.ts'

const amountOf = ({amount}: Row['values']) =>
  typeof amount === 'string' ? splitAmount(amount.trim()) : {number: amount, word: ''}
const ownOf = ({currency}: Row['values']): string => (typeof currency === 'string' ? currency : '')

/**
 * What a person means by a sign such as `kr`, asked once for all rows that have it. Undefined if no row needs it, and for
 * signs that no currency shares.
 */
export async function askCurrency(
  rows: readonly Row[],
  unitsOf: (row: Row) => readonly string[],
  {prompter, answered}: SheetSource,
): Promise<string | undefined> {
  const signs = rows.flatMap(row => {
    const own = ownOf(row.values)
    const written = own === '' ? [amountOf(row.values).word, ...unitsOf(row)] : [own]
    return written.find(sign => currenciesOf(sign).length > 0) ?? []
  })
  const open = [...new Set(signs.filter(sign => currenciesOf(sign).length > 1))]
  const [first] = open
  const codes = currenciesOf(first ?? '').filter(code =>
    open.every(sign => currenciesOf(sign).includes(code)),
  )
  if (first === undefined || codes.length === 0 || prompter === undefined) return undefined
  const choices = codes.map(code => ({value: code, name: `${code}: ${currencyWords(code)}`}))
  const chosen = await prompter.choose(`Which currency is ${escapeText(first)}?`, choices)
  answered?.('--fill', `currency=${chosen}`)
  return chosen
}

/**
 * The amount without the currency beside it, which has to be the row's.
 *
 * @param said what the user says that a sign of several currencies means
 */
export function withCurrency(
  row: Row,
  units: readonly string[],
  problems: RowProblem[],
  said: string | undefined,
): Row {
  const {number, word} = amountOf(row.values)
  const written = ownOf(row.values)
  const meant = (codes: readonly string[]): boolean =>
    codes.length > 1 && said !== undefined && codes.includes(said)
  const own = said !== undefined && meant(currenciesOf(written)) ? said : written
  const report = (message: string) =>
    void problems.push({row: row.row, line: row.line, column: 'currency', message})
  let chosen = own
  for (const sign of [word, ...units]) {
    const codes = currenciesOf(sign)
    if (codes.length === 0) continue
    const known = currencyIn(chosen)
    if (known !== undefined && !codes.includes(known))
      report(`is ${known}, but ${codes.join(' or ')} is beside the amount`)
    const [only, another] = codes
    if (chosen !== '') continue
    if (only !== undefined && another === undefined) chosen = only
    else if (said !== undefined && meant(codes)) chosen = said
    else report(severalOf(codes))
  }
  if (currenciesOf(own).length > 1) report(severalOf(currenciesOf(own)))
  return {...row, values: {...row.values, amount: number, ...(chosen === '' ? {} : {currency: chosen})}}
}

const severalOf = (codes: readonly string[]): string => `may be ${codes.join(', ')}; add --fill currency=CODE`

export function currencyIn(text: unknown): string | undefined {
  try {
    return typeof text === 'string' && text !== '' ? readCurrency(text) : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

/** `12,50 €`, `EUR 12.50`: the number, and the currency beside it. */
export function splitAmount(text: string): {readonly number: string; readonly word: string} {
  const match =
    /^(?<word>[A-Za-z]{2,7}\.?|[€£¥$₹₺₩]|zł|Kč)?\s*(?<number>[-−–+(]?\s*[\d].*?)\s*(?<after>[A-Za-z]{2,7}\.?|[€£¥$₹₺₩]|zł|Kč)?$/u.exec(
      text,
    )
  const {word = '', after = '', number = text} = match?.groups ?? {}
  const unit = word || after
  return currenciesOf(unit).length > 0 ? {number, word: unit} : {number: text, word: ''}
}
