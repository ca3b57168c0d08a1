import {isObject} from '../../../errors/is-object.ts'
import {CurrencySums} from '../../../money/sum-by-currency.ts'
import type {HistoryEntry} from '../../history/shared/history-entries.ts'
import type {SentSum, ShiftEntry} from './shift-types.ts'

/** The money of a batch of transfers, as the journal keeps it. */
export function amountsOf({operation}: HistoryEntry, sent: unknown): Pick<ShiftEntry, 'totals' | 'amounts'> {
  if (operation !== 'a2a.create.v1') return {}
  const own = new CurrencySums()
  for (const one of amountsIn(isObject(sent) ? sent.transfers : undefined))
    own.add(one.amount, one.currency, one.count)
  const amounts = own.totals().map(toSum)
  if (amounts.length === 0) return {}
  return {totals: amounts.map(({currency, total}) => `${currency} ${total}`).join(', '), amounts}
}

/** What was sent, by currency. */
export function moneyOf(entries: readonly ShiftEntry[]): readonly SentSum[] {
  const sums = new CurrencySums()
  for (const {state, amounts = []} of entries) {
    if (state !== 'done') continue
    for (const {currency, transfers, total} of amounts) sums.add(total, currency, transfers)
  }
  return sums.totals().map(toSum)
}

const toSum = ({currency, count, text}: {currency: string; count: number; text: string}): SentSum => ({
  currency,
  transfers: count,
  total: text,
})

interface SentAmount {
  readonly amount: string | number
  readonly currency: string
  /** The number of transfers in the amount. */
  readonly count: number
}

/** A short list of transfers is kept whole, of a long one the totals. */
function amountsIn(transfers: unknown): readonly SentAmount[] {
  if (Array.isArray(transfers)) {
    return transfers.flatMap(transfer => {
      if (!isObject(transfer) || typeof transfer.currency !== 'string') return []
      const {amount, currency} = transfer
      return typeof amount === 'number' ? [{amount, currency, count: 1}] : []
    })
  }
  if (!isObject(transfers) || !isObject(transfers.totals)) return []
  const totals = Object.entries(transfers.totals)
  // The number by currency isn't kept.
  const all = totals.length === 1 && typeof transfers.count === 'number' ? transfers.count : 0
  return totals.flatMap(([currency, amount]) =>
    typeof amount === 'string' ? [{amount, currency, count: all}] : [],
  )
}
