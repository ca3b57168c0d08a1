import {Failure} from '../../errors/failure.ts'
import {type CurrencySum, compareAmounts, sumByCurrency} from '../../money/index.ts'
import type {Target} from '../../profiles/target.ts'
import {nameOf} from '../confirm.ts'
import type {Context} from '../context.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'

export interface ExpectedTotals {
  readonly 'confirm-count'?: number | undefined
  /** `EUR:148220.50`, one per currency. */
  readonly 'confirm-total'?: readonly string[] | undefined
}

/**
 * Money moves at once and can't be called back, so count, totals and split are shown before anything is sent, and asked
 * about. On a live profile without a terminal the caller says which count and totals it expects; `--yes` is no knowledge.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmTransfers(
  context: Context,
  target: Target,
  {transfers, parts}: {transfers: readonly Transfer[]; parts: readonly Part[]},
  expected: ExpectedTotals,
): Promise<void> {
  const totals = sumByCurrency(transfers)
  const count = `${transfers.length} ${transfers.length === 1 ? 'transfer' : 'transfers'}`
  const sums = totals.map(({currency, text}) => `${currency} ${text}`).join(', ')
  context.printer.note([...nameOf(target), `  ${count}: ${sums}`])
  const [first] = parts
  if (first !== undefined && first.of > 1) {
    context.printer.note(
      `in ${parts.length} batches: ${parts.map(part => `${part.count} (${part.number} of ${part.of})`).join(', ')}`,
    )
  }
  const {'confirm-count': wantedCount, 'confirm-total': wantedTotals} = expected
  if (wantedCount !== undefined && wantedCount !== transfers.length) {
    refuse(`There are ${transfers.length} transfers, not ${wantedCount} as --confirm-count says.`)
  }
  if (wantedTotals !== undefined) refuseOtherTotals(totals, wantedTotals)
  if (wantedCount !== undefined && wantedTotals !== undefined) return
  if (target.kind !== 'live') return context.confirmYes('Send them?')
  if (!context.interactive) {
    throw new Failure('CONFIRMATION_REQUIRED', {
      message: `Transfers on profile ${target.name} must be confirmed by their count and totals, and there is no terminal to ask on.`,
      hint: 'Add --confirm-count and, for each currency, --confirm-total as you expect them, e.g. --confirm-count 312 --confirm-total EUR:148220.50; --yes does not cover it.',
      effect: 'none',
    })
  }
  if (context.flags.yes) return
  const typed = await context.prompter.text('Type the number of transfers to go on:')
  if (typed.trim() !== String(transfers.length)) refuse('Not confirmed.')
}

function refuseOtherTotals(totals: readonly CurrencySum[], wanted: readonly string[]): void {
  const open = new Map(totals.map(sum => [sum.currency, sum]))
  for (const argument of wanted) {
    const [currency = '', amount = ''] = argument.split(':')
    const sum = open.get(currency)
    if (amount === '') {
      throw new Failure('USAGE', {
        message: '--confirm-total takes CURRENCY:AMOUNT, e.g. EUR:148220.50.',
        effect: 'none',
      })
    }
    if (sum === undefined) refuse(`There is no total in ${currency} but --confirm-total names one.`)
    if (compareAmounts(amount, sum.text, currency) !== 0) {
      refuse(`The total is ${currency} ${sum.text}, not ${amount} as --confirm-total says.`)
    }
    open.delete(currency)
  }
  const [missing] = open.values()
  if (missing !== undefined) refuse(`--confirm-total leaves out ${missing.currency} ${missing.text}.`)
}

function refuse(message: string): never {
  throw new Failure('CONFIRMATION_DECLINED', {message, hint: 'Nothing was sent.', effect: 'none'})
}
