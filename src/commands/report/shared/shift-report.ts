import type {AuditRecord} from '../../../audit/index.ts'
import type {Context} from '../../../cli/context.ts'
import type {Period} from '../../../cli/moment.ts'
import {wordsFor} from '../../../cli/request-words.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {CurrencySums} from '../../../money/sum-by-currency.ts'
import type {ShiftEntry, ShiftReport} from '../../../output/views/report.ts'

/** Whose work, and what for. */
export interface ShiftFilter extends Period {
  readonly auditUser?: string | undefined
  readonly ticket?: string | undefined
}

/** What was done with one service in a period: the requests of its journal, and the reveals of the audit trail. */
export async function shiftReport(context: Context, filter: ShiftFilter): Promise<ShiftReport> {
  using journal = await context.journal()
  using audit = await context.audit('list')
  const {name: profile} = await context.chosen()
  const {words: service} = await context.service()
  const {since, until, ticket, auditUser} = filter
  const isOfUser = (one: {readonly auditUser?: string | undefined}): boolean =>
    auditUser === undefined || one.auditUser === auditUser
  const requests = journal.list({since, until, ticket}).filter(isOfUser)
  const profiles = new Set([profile, ...requests.map(one => one.profile)])
  const reveals = [...audit.newest({since, until, ticket, kind: 'reveal'})].filter(
    one => isOfUser(one) && profiles.has(one.profile ?? ''),
  )
  const money = new CurrencySums()
  const entries = [
    ...requests.map(record =>
      requestEntry(record, journal.sent(record.id), totalsOf(journal, record, money)),
    ),
    ...reveals.map(revealEntry),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const count = (kind: ShiftEntry['kind']): number => entries.filter(entry => entry.kind === kind).length
  return {
    profile,
    service,
    since: since === undefined ? undefined : iso(since),
    until: iso(until ?? context.surroundings.now()),
    auditUsers: [...new Set(entries.map(entry => entry.auditUser))].sort(),
    writes: count('write'),
    deletions: count('destroy'),
    disclosures: count('disclose'),
    reveals: count('reveal'),
    failed: entries.filter(({state}) => FAILED.includes(state)).length,
    open: entries.filter(({state}) => OPEN.includes(state)).length,
    money: money.totals().map(({currency, count: transfers, text: total}) => ({currency, transfers, total})),
    entries,
  }
}

/** How a request ended that had no effect, or may have had one that nobody knows. */
const FAILED: readonly string[] = ['refused', 'failed', 'none']
const OPEN: readonly string[] = ['unknown', 'unfinished', 'running']

function requestEntry(record: RequestRecord, sent: unknown, totals: string | undefined): ShiftEntry {
  const {id, begunAt, effectMark, operation, resources, auditUser, profile, ticket, note} = record
  return {
    at: iso(begunAt),
    kind: effectMark === 'read' ? 'write' : effectMark,
    did: wordsFor(operation, effectMark, resources, sent),
    operation,
    resources,
    auditUser,
    profile,
    ticket,
    note,
    state: record.state,
    status: record.status,
    request: id,
    created: record.replyId,
    totals,
    problem: record.said,
    evidence: record.evidence,
  }
}

const revealEntry = ({
  at,
  operation,
  resources,
  auditUser,
  profile,
  ticket,
  note,
}: AuditRecord): ShiftEntry => ({
  at,
  kind: 'reveal',
  did: wordsFor(operation, 'reveal', resources ?? []),
  operation: operation ?? '',
  resources: resources ?? [],
  auditUser: auditUser ?? '',
  profile: profile ?? '',
  ticket,
  note,
  state: 'done',
})

/** The money of a batch of transfers, as the journal keeps it; added to the sums if it was sent. */
function totalsOf(
  journal: Journal,
  {id, operation, state}: RequestRecord,
  money: CurrencySums,
): string | undefined {
  if (operation !== 'a2a.create.v1') return undefined
  const sent = journal.sent(id)
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
