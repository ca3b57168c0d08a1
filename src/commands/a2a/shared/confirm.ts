import {confirm, consequenceOf} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {compareAmounts} from '../../../money/amount.ts'
import {type CurrencySum, sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {Target} from '../../../profiles/target.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'

export interface ExpectedTotals {
  readonly 'confirm-count'?: number | undefined
  /** `EUR:148220.50`, one per currency. */
  readonly 'confirm-total'?: readonly string[] | undefined
}

/**
 * Money moves at once and can't be called back, so this shows count, totals and split and asks before sending anything.
 * On a live profile `--yes` isn't enough: a user types the count, a script passes the expected count and totals.
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
  const split = splitOf(parts)
  const agreed = expected['confirm-count'] !== undefined && expected['confirm-total'] !== undefined
  if (agreed || (context.flags.yes && target.kind !== 'live')) {
    context.printer.note(`${count}: ${sums}`, ...(split === undefined ? [] : [split]))
  }
  const {'confirm-count': wantedCount, 'confirm-total': wantedTotals} = expected
  if (wantedCount !== undefined && wantedCount !== transfers.length) {
    refuse(
      `There ${transfers.length === 1 ? 'is' : 'are'} ${count}, not ${wantedCount} as --confirm-count says.`,
    )
  }
  if (wantedTotals !== undefined) refuseOtherTotals(totals, wantedTotals)
  if (wantedCount !== undefined && wantedTotals !== undefined) return
  await confirm(context, {
    place: target,
    action: `send ${count}: ${sums}`,
    consequence: consequenceOf(operations['a2a.create.v1']),
    details: split === undefined ? [] : [split],
    ...(target.kind === 'live'
      ? {
          // --yes doesn't show that the user knows what is sent.
          demands: [{name: String(transfers.length), yes: false}],
          otherwise: `Add --confirm-count and, for each currency, --confirm-total as you expect them, for example --confirm-count 312 --confirm-total EUR:148220.50; --yes does not cover it.`,
        }
      : {}),
  })
}

function splitOf(parts: readonly Part[]): string | undefined {
  const [first] = parts
  if (first === undefined || first.of <= 1) return undefined
  const each = parts.map(part => `${part.transfers.length} (${part.number} of ${part.of})`)
  return `In ${parts.length} batches: ${each.join(', ')}`
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
