import type {Context} from '../../../cli/context.ts'
import {operationOf, setsFields} from '../../../cli/former-values.ts'
import type {Period} from '../../../cli/moment.ts'
import {RequestWords} from '../../../cli/request-words.ts'
import {isObject} from '../../../errors/is-object.ts'
import {CurrencySums} from '../../../money/sum-by-currency.ts'
import {type HistoryEntry, historyEntries} from '../../history/shared/history-entries.ts'
import {readSums, sumsByStatus} from './transfer-sums.ts'
import {failedEntries, openEntries, type ShiftEntry, type ShiftReport} from './views.ts'

/** Whose work, and what for. */
export interface ShiftFilter extends Period {
  readonly auditUser?: string | undefined
  readonly ticket?: string | undefined
}

/**
 * What was done with one service in a period: the requests of its journal, and the reveals of the audit trail. What
 * became of transfers is read from the service, unless it is `local`.
 */
export async function shiftReport(
  context: Context,
  filter: ShiftFilter,
  {local}: {readonly local: boolean},
): Promise<ShiftReport> {
  const {name: profile} = await context.service.chosen()
  const {words: service} = await context.service.identity()
  const {since, until} = filter
  const money = new CurrencySums()
  const done = await entriesOf(context, filter, money)
  const batches = done.flatMap(({operation, replyId}) =>
    operation === 'a2a.create.v1' && replyId !== undefined ? [replyId] : [],
  )
  const read = local ? new Map<string, never>() : await readSums(context, batches)
  const entries = done.map(entry => ({...entry, sums: read.get(entry.replyId ?? '')}))
  const count = (kind: ShiftEntry['kind']): number => entries.filter(entry => entry.kind === kind).length
  return {
    profile,
    service,
    since: since === undefined ? undefined : iso(since),
    until: iso(until ?? context.surroundings.now()),
    auditUsers: [...new Set(entries.map(entry => entry.auditUser ?? ''))].sort(),
    writes: count('write'),
    deletions: count('destroy'),
    disclosures: count('disclose'),
    reveals: count('reveal'),
    failed: failedEntries({entries}).length,
    open: openEntries({entries}).length,
    money: money.totals().map(({currency, count: transfers, text: total}) => ({currency, transfers, total})),
    sums: sumsByStatus([...read.values()].flat().map(({total, ...sum}) => ({...sum, amount: total}))),
    unreadBatches: batches.length - read.size,
    entries,
  }
}

/** Oldest first. Closes the journal before the requests that follow. */
async function entriesOf(
  context: Context,
  {since, until, ticket, auditUser}: ShiftFilter,
  money: CurrencySums,
): Promise<readonly ShiftEntry[]> {
  using journal = await context.stores.journal()
  using audit = await context.stores.audit('list')
  const words = await RequestWords.open(journal)
  const entries: ShiftEntry[] = []
  for (const entry of historyEntries(journal, audit, words, {since, until, ticket})) {
    if (auditUser !== undefined && entry.auditUser !== auditUser) continue
    const {sent, before, fields: _, ...rest} = entry
    // What was sent is in the words, and of a batch in the totals.
    const values = setsNamedFields(entry) ? {sent, before} : {}
    entries.push({...rest, ...values, totals: totalsOf(entry, sent, money)})
  }
  return entries.reverse()
}

function setsNamedFields({operation = ''}: HistoryEntry): boolean {
  const known = operationOf({operation})
  return known !== undefined && setsFields(known)
}

/** The money of a batch of transfers, as the journal keeps it; added to the sums if it was sent. */
function totalsOf({operation, state}: HistoryEntry, sent: unknown, money: CurrencySums): string | undefined {
  if (operation !== 'a2a.create.v1') return undefined
  const own = new CurrencySums()
  for (const {amount, currency, count} of amountsIn(isObject(sent) ? sent.transfers : undefined)) {
    own.add(amount, currency, count)
    if (state === 'done') money.add(amount, currency, count)
  }
  const totals = own.totals()
  return totals.length === 0 ? undefined : totals.map(({currency, text}) => `${currency} ${text}`).join(', ')
}

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
  const count = totals.length === 1 && typeof transfers.count === 'number' ? transfers.count : 0
  return totals.flatMap(([currency, amount]) =>
    typeof amount === 'string' ? [{amount, currency, count}] : [],
  )
}

const iso = (millis: number): string => new Date(millis).toISOString()
