import type {Context} from '../../../cli/context.ts'
import {plainId} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {amount, counted, decimalText} from '../../../money/amount.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import type {Transfer} from './read-transfers.ts'

/** Rows that are the same transfer, by their places in the set, from 1. */
export interface SameRows {
  readonly transfer: Transfer
  readonly rows: readonly number[]
}

/**
 * A transfer as one line that is the same for every way to write it: 55, "55" and 55.00, account 2006 and "02006", and
 * texts that differ only in how their letters are encoded or in spaces at their ends. All that compares transfers goes
 * by it.
 */
export function rowLine({fromAccountId, toAccountId, amount, currency, text}: Transfer): string {
  const comment = String(text ?? '')
    .normalize('NFC')
    .trim()
  return JSON.stringify([
    plainId(fromAccountId),
    plainId(toAccountId),
    plainDecimal(amount),
    String(currency).trim(),
    comment,
  ])
}

/** Unchecked input may have text for an amount. */
export function plainDecimal(amount: unknown): string {
  const text = typeof amount === 'number' ? decimalText(amount) : String(amount).trim()
  const [, sign = '', whole = '', fraction = ''] = /^([-+]?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  if (whole === '') return text
  return `${sign === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

export function sameRows(transfers: readonly Transfer[]): readonly SameRows[] {
  const numbered = transfers.map((transfer, at) => ({transfer, row: at + 1}))
  const alike = Map.groupBy(numbered, ({transfer}) => rowLine(transfer))
  return [...alike.values()].flatMap(some => {
    const [first, second] = some
    if (first === undefined || second === undefined) return []
    return {transfer: first.transfer, rows: some.map(({row}) => row)}
  })
}

/** How many rows repeat an earlier one. */
export const repeatsIn = (same: readonly SameRows[]): number =>
  same.reduce((sum, {rows}) => sum + rows.length - 1, 0)

/** Rows, and groups of them, that are named. */
const MOST = 5

/** "Rows 1 and 2 are the same: from 2006 to 2007, EUR 55.00, Rent". */
export function sameRowsWords(same: readonly SameRows[]): readonly string[] {
  const lines = same.slice(0, MOST).map(({transfer, rows}) => {
    return `Rows ${listed(rows)} are the same: ${transferWords(transfer)}`
  })
  const more = repeatsIn(same.slice(MOST))
  return more === 0 ? lines : [...lines, `${counted(more, 'more row')} ${repeat(more)} an earlier one`]
}

/** "from 2006 to 2007, EUR 55.00, Rent" */
export function transferWords({fromAccountId, toAccountId, amount: sum, currency, text}: Transfer): string {
  const comment = text === undefined || text === '' ? '' : `, ${maskText(text)}`
  return `from ${fromAccountId} to ${toAccountId}, ${amount(sum, currency)}${comment}`
}

const repeat = (rows: number): string => (rows === 1 ? 'repeats' : 'repeat')

function listed(rows: readonly number[]): string {
  const named = rows.slice(0, MOST).map(String)
  const more = rows.length - named.length
  const last = more > 0 ? `${more} more` : named.pop()
  return `${named.join(', ')} and ${last}`
}

/**
 * A row that is there twice by mistake moves money twice. A person sees such rows in the question; where nobody is
 * asked, their number shows that they are known.
 *
 * @param given `--same-rows`.
 * @throws Failure USAGE
 */
export function agreeOnSameRows(
  same: readonly SameRows[],
  {given, isAsked}: {readonly given: number | undefined; readonly isAsked: boolean},
): void {
  const repeats = repeatsIn(same)
  if (given === repeats || (given === undefined && (isAsked || repeats === 0))) return
  const words = sameRowsWords(same).map(line => `${line}.`)
  const count = `${counted(repeats, 'row')} ${repeat(repeats)} an earlier one`
  throw new Failure('USAGE', {
    message: [...words, given === undefined ? undefined : `${count}, not ${given} as --same-rows says.`]
      .filter(line => line !== undefined)
      .join(' '),
    hint:
      repeats === 0
        ? 'Leave --same-rows out.'
        : `Nothing was sent. If the rows are meant, add --same-rows ${repeats}; --yes does not cover it.`,
    effect: 'none',
    data: {sameRows: same.map(({rows}) => rows), repeats},
  })
}

/** For what sends nothing yet. */
export function noteSameRows({printer}: Pick<Context, 'printer'>, same: readonly SameRows[]): void {
  if (same.length === 0) return
  const words = sameRowsWords(same).join('. ')
  printer.warn(`${words}. Outside a terminal, sending them needs --same-rows ${repeatsIn(same)}.`)
}
