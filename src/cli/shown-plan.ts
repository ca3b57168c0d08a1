import {irreversibleIn} from '../contract/marked-values.ts'
import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {sumByCurrency} from '../money/sum-by-currency.ts'
import {sumDecimals} from '../money/sum-decimals.ts'
import {actionOf} from './action-words.ts'
import type {KeptPlan, PlanRow, SOURCES} from './kept-plan.ts'
import type {KeptRequest, KeptRequests} from './proposal-content.ts'
import {transfersIn} from './second-person.ts'
import {fieldsSetBy} from './seen-state.ts'
import type {KnownOperations} from './shown-proposal.ts'

/** One change of a plan. */
export interface PlannedRow extends PlanRow {
  readonly operation: string
  /** `change credit account 2001` */
  readonly action: string
  readonly from: (typeof SOURCES)[number]
  readonly changes: readonly {
    readonly field: string
    /** Missing if it isn't known. */
    readonly before?: unknown
    readonly after: unknown
  }[]
  /** What can't be undone. */
  readonly warning?: string | undefined
}

export interface PlannedTransfer {
  readonly row: number
  readonly from: unknown
  readonly to: unknown
  readonly amount: unknown
  readonly currency: unknown
  readonly text?: unknown
}

/** The sums of a number field over the rows that set it. */
export interface PlannedSum {
  readonly field: string
  readonly rows: number
  /** Of the rows whose value before is known; missing if that isn't all. */
  readonly before?: string | undefined
  readonly after: string
}

/** What is shown of a plan, for people and programs. */
export interface ShownPlan {
  readonly plan: string
  readonly profile: string
  readonly service: string
  readonly at: string
  readonly expiresAt: string
  /** What this machine has sent of it; missing if nothing was. */
  readonly applied?: {readonly at: string; readonly requests: number} | undefined
  readonly auditUser: string
  readonly note?: string | undefined
  readonly ticket?: string | undefined
  readonly source?: KeptPlan['source']
  readonly counts: {
    readonly changes: number
    /** Changes whose value before was read from the service, is the one last sent from here, or isn't known. */
    readonly read: number
    readonly lastSentFromHere: number
    readonly notReadable: number
    readonly unchanged: number
    readonly refused: number
  }
  readonly sums: readonly PlannedSum[]
  readonly rows: readonly PlannedRow[]
  readonly unchanged: KeptPlan['unchanged']
  readonly refused: KeptPlan['refused']
  readonly transfers?:
    | {
        readonly count: number
        readonly batches: number
        readonly totals: readonly {readonly currency: string; readonly amount: string}[]
        readonly rows: readonly PlannedTransfer[]
      }
    | undefined
}

export function shownPlan(
  id: string,
  content: Omit<KeptRequests, 'format' | 'nonce'> & {readonly plan: KeptPlan},
  known: KnownOperations,
): ShownPlan {
  const {requests, plan, transfers} = content
  const rows = transfers === undefined ? requests.map((one, at) => plannedRow(one, plan.seen[at], known)) : []
  const from = (source: PlannedRow['from']): number => rows.filter(row => row.from === source).length
  return {
    plan: id,
    profile: plan.profile,
    service: content.serviceWords,
    at: content.at,
    expiresAt: content.expiresAt,
    auditUser: content.auditUser,
    ...(content.note === undefined ? {} : {note: content.note}),
    ...(content.ticket === undefined ? {} : {ticket: content.ticket}),
    ...(plan.source && {source: plan.source}),
    counts: {
      changes: rows.length,
      read: from('service'),
      lastSentFromHere: from('journal'),
      notReadable: from('nothing'),
      unchanged: plan.unchanged.length,
      refused: plan.refused.length,
    },
    sums: sumsOf(rows),
    rows,
    unchanged: plan.unchanged,
    refused: plan.refused,
    ...(transfers === undefined ? {} : {transfers: plannedTransfers(requests)}),
  }
}

function plannedRow(
  {operation: id, input}: KeptRequest,
  seen: KeptPlan['seen'][number] | undefined,
  known: KnownOperations,
): PlannedRow {
  const operation: Operation | undefined = known.get(id)
  const before = seen?.before ?? {}
  const set = Object.entries(fieldsSetBy(input))
  const lasting = operation && irreversibleIn(operation, input)[0]
  return {
    row: seen?.row ?? 1,
    line: seen?.line ?? 1,
    ...(seen?.resource === undefined ? {} : {resource: seen.resource}),
    operation: id,
    action: operation === undefined ? id : actionOf(operation, input),
    from: seen?.from ?? 'nothing',
    changes: set
      .map(([field, after]) =>
        Object.hasOwn(before, field) ? {field, before: before[field], after} : {field, after},
      )
      .filter(
        change => !('before' in change) || JSON.stringify(change.before) !== JSON.stringify(change.after),
      ),
    ...(lasting === undefined ? {} : {warning: lasting.warning}),
  }
}

/** A row that changes what an earlier row changed counts from that row's end: once before, and once after. */
function sumsOf(rows: readonly PlannedRow[]): readonly PlannedSum[] {
  const fields = new Map<string, {rows: number; ends: Map<string, {before: unknown; after: unknown}>}>()
  for (const [at, {resource = String(at), changes}] of rows.entries()) {
    for (const change of changes) {
      const field = fields.get(change.field) ?? {rows: 0, ends: new Map()}
      fields.set(change.field, field)
      field.rows++
      const first = field.ends.get(resource)
      field.ends.set(resource, {
        before: first === undefined ? change.before : first.before,
        after: change.after,
      })
    }
  }
  return [...fields].flatMap(([field, {rows: count, ends}]): readonly PlannedSum[] => {
    const all = [...ends.values()]
    const after = sumDecimals(all.map(one => one.after))
    if (after === undefined) return []
    const before = sumDecimals(all.map(one => one.before))
    return [{field, rows: count, ...(before === undefined ? {} : {before}), after}]
  })
}

function plannedTransfers(requests: readonly KeptRequest[]): ShownPlan['transfers'] {
  const all = requests.flatMap(({input: {body}}) => transfersIn(body) ?? [])
  return {
    count: all.length,
    batches: requests.length,
    totals: totalsOf(all),
    rows: all.map((one, at) => {
      const {
        fromAccountId: from,
        toAccountId: to,
        amount,
        currency,
        text,
      } = one as unknown as Readonly<Record<string, unknown>>
      return {row: at + 1, from, to, amount, currency, ...(text === undefined ? {} : {text})}
    }),
  }
}

function totalsOf(all: Parameters<typeof sumByCurrency>[0]) {
  try {
    return sumByCurrency(all).map(({currency, text}) => ({currency, amount: text}))
  } catch (error) {
    // What isn't an amount is refused before it is sent.
    if (error instanceof Failure) return []
    throw error
  }
}
