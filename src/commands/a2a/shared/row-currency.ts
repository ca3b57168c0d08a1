import {Failure} from '../../../errors/failure.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import type {Row} from '../../../rows/problems.ts'
import {splitAmount} from './sheet-columns.ts'

/** The amount without the currency beside it, which has to be the row's. */
export function withCurrency(row: Row, units: readonly string[], problems: RowProblem[]): Row {
  const {amount, currency} = row.values
  const {number, word} = typeof amount === 'string' ? splitAmount(amount.trim()) : {number: amount, word: ''}
  const own = typeof currency === 'string' ? currency : ''
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
    else report(`may be ${codes.join(', ')}; add --fill currency=CODE`)
  }
  return {...row, values: {...row.values, amount: number, ...(chosen === '' ? {} : {currency: chosen})}}
}

export function currencyIn(text: unknown): string | undefined {
  try {
    return typeof text === 'string' && text !== '' ? readCurrency(text) : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}
