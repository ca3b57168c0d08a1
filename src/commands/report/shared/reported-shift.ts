import {isObject} from '../../../errors/is-object.ts'
import {parseAmount} from '../../../money/amount.ts'
import {textAt} from '../../../output/fields.ts'
import type {OpenJob, ShiftEntry, WaitingProposal} from './shift-types.ts'

/** What one machine says about a shift, to be signed. */
export interface Reported {
  /** The host name, as the machine says itself. */
  readonly machine: string
  /** ISO 8601, UTC. */
  readonly madeAt: string
  /** Of cardctl. */
  readonly version: string
  readonly profile: string
  /** For people. */
  readonly service: string
  /** Identifies the service, whoever signs in to it. */
  readonly place: string
  readonly since: string | undefined
  readonly until: string
  /** Only what this audit user did, or what was done for this ticket. */
  readonly by: string | undefined
  readonly ticket: string | undefined
  readonly entries: readonly ShiftEntry[]
  /** Undefined in a report of an older version. */
  readonly openJobs?: readonly OpenJob[] | undefined
  /** The same. */
  readonly waiting?: readonly WaitingProposal[] | undefined
  /** Proposals that were decided, or that nobody decided in time. */
  readonly settled?: readonly string[] | undefined
}

type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isTime: Check = value => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const isNumber: Check = value => typeof value === 'number'
const isFlag: Check = value => typeof value === 'boolean'
const isAny: Check = () => true
const oneOf =
  (...words: readonly string[]): Check =>
  value =>
    typeof value === 'string' && words.includes(value)
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

/** An object with these fields and no others. */
const shaped =
  (fields: Readonly<Record<string, Check>>): Check =>
  value =>
    isObject(value) &&
    Object.keys(value).every(name => Object.hasOwn(fields, name)) &&
    Object.entries(fields).every(([name, check]) => check(value[name]))

const isCount: Check = value => Number.isSafeInteger(value) && Number(value) >= 0
const isSum = shaped({status: isText, currency: isText, count: isCount, total: isText})
const isAmount: Check = value => isSentSum(value) && isMoney(value)

const isSentSum = shaped({currency: isText, transfers: isCount, total: isText})

/** Whether it can be added up. */
function isMoney(value: unknown): boolean {
  try {
    parseAmount(textAt(value, 'total'), textAt(value, 'currency'))
    return true
  } catch {
    return false
  }
}

const text = optional(isText)

const isBatchEnd = shaped({
  state: isText,
  transfers: optional(isCount),
  booked: optional(isCount),
  failed: optional(isCount),
})

const isFailedTransfer = shaped({
  from: isText,
  to: isText,
  amount: isText,
  currency: isText,
  text: isText,
  reason: isText,
})

const isSentAgain = shaped({batch: text, transfers: isCount, ended: isText})

const isEntry = shaped({
  at: isTime,
  kind: oneOf('write', 'destroy', 'disclose', 'reveal'),
  did: isText,
  operation: text,
  resources: listOf(isText),
  auditUser: text,
  osUser: text,
  caller: text,
  profile: text,
  state: optional(oneOf('done', 'refused', 'none', 'unknown', 'failed', 'running', 'unfinished')),
  status: optional(isNumber),
  request: text,
  replyId: text,
  replayed: optional(isFlag),
  sent: isAny,
  before: isAny,
  said: text,
  evidence: text,
  undoOf: text,
  undoneBy: text,
  retryOf: text,
  job: text,
  exchange: text,
  note: text,
  ticket: text,
  proposal: text,
  proposedBy: text,
  proposedNote: text,
  totals: text,
  amounts: optional(listOf(isAmount)),
  sums: optional(listOf(isSum)),
  failedTransfers: optional(listOf(isFailedTransfer)),
  batchEnd: optional(isBatchEnd),
  sentAgain: optional(listOf(isSentAgain)),
  neverSent: optional(isCount),
  marks: text,
  next: text,
})

const isOpenJob = shaped({
  batches: optional(isCount),
  missing: optional(listOf(isCount)),
  sets: optional(listOf(isText)),
  job: isText,
  operation: isText,
  createdAt: isTime,
  auditUser: text,
  rows: isCount,
  left: isCount,
  state: isText,
  next: isText,
})

const isWaiting = shaped({
  proposal: isText,
  at: isTime,
  expiresAt: isTime,
  action: isText,
  proposedBy: isText,
  note: text,
  ticket: text,
})

const isShift = shaped({
  machine: value => typeof value === 'string' && /^[\w.-]{1,63}$/.test(value),
  madeAt: isTime,
  version: isText,
  profile: isText,
  service: isText,
  place: isText,
  since: optional(isTime),
  until: isTime,
  by: text,
  ticket: text,
  entries: listOf(isEntry),
  openJobs: optional(listOf(isOpenJob)),
  waiting: optional(listOf(isWaiting)),
  settled: optional(listOf(isText)),
})

/** A signature says who wrote it, and not that it makes sense. */
export const isReported = (value: unknown): value is Reported => isShift(value)
