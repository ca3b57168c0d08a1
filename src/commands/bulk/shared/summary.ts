import type {ExplainedReason, Job, Jobs, RowCounts} from '../../../bulk/index.ts'
import type {CommandLine} from '../../../cli/command-line.ts'
import type {Context} from '../../../cli/context.ts'
import {type PauseFacts, pauseNow} from '../../../cli/pace.ts'
import type {Effect} from '../../../contract/operation.ts'
import {type Advice, nextAdvice} from '../../../errors/advice.ts'
import {PUT_RIGHT, whenOf} from '../../../errors/blame.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import {countRows} from '../../../profiles/index.ts'
import {aheadWords, CLOCK_RIGHT, isKeyAlive, keyEnd, onlyAheadMs} from './key-life.ts'
import {namedRows} from './named-rows.ts'
import {areAllReplaced, UNSENT} from './newer-writes.ts'
import {effectOfJob} from './operation.ts'
import {isPlanKey, resumeLine} from './planned-job.ts'
import {isShared} from './with-jobs.ts'

/** The progress of a job. */
export interface BulkSummary extends RowCounts {
  readonly job: string
  readonly operation: string
  readonly state: Job['state']
  /** All rows were done before, so nothing was sent. */
  readonly already?: true
  readonly jobKey?: string | undefined
  /** Name of the file that the rows came from. */
  readonly source?: string | undefined
  /** When the job was created, in ISO 8601. */
  readonly createdAt: string
  /** The audit user who started it. */
  readonly user?: string | undefined
  /** Processes that work on a shared job. */
  readonly workers?: number | undefined
  readonly rows: number
  /** Rows that were sent and whose effect is unknown: in the journal, `requests list --open` has their requests. */
  readonly open: number
  /** Rows without an effect that `bulk resume` sends. */
  readonly left: number
  /** Number of completed rows whose responses differ from the contract. */
  readonly odd: number
  /** Why rows are not done: the most frequent reasons, each with its first row. */
  readonly reasons?: readonly ExplainedReason[] | undefined
  /** The pause that the service has asked for, if rows are left. */
  readonly paused?: PauseFacts | undefined
  /** Until then, in ISO 8601, the service knows the keys of the rows that were on their way. */
  readonly keysUntil?: string | undefined
  /** How far the clock of this machine is ahead of the service's, in ms, if only that keeps rows from being sent again. */
  readonly clockAheadMs?: number | undefined
  /** Other commands have changed what each failed row sets since the job was made, so none is to be sent again. */
  readonly replaced?: true | undefined
  /** The command to run next. */
  readonly next?: SuggestedCommand | undefined
  /** The condition for that, in words. */
  readonly nextWhen?: string | undefined
  /** The time before which it is of no use, in ISO 8601. */
  readonly nextAfter?: string | undefined
}

/** When the command to run next is of use, if not at once. */
export type NextCondition = Pick<BulkSummary, 'nextWhen' | 'nextAfter'>

/** The command to run next, with its condition. */
export const toNext = ({next, nextWhen}: Pick<BulkSummary, 'next' | 'nextWhen'>): Advice | undefined =>
  next && nextAdvice(next, nextWhen)

/** What every command says about a job: its numbers, why rows are not done, and what to do. */
export async function summaryOf(context: Context, store: Jobs, job: Job): Promise<BulkSummary> {
  const {id, operation, state, workers} = job
  const isRunning = state === 'running' || (workers ?? 0) > 0
  const {prepared, effect, ...origin} = originOf(job)
  // What was found out about a row counts at once; the next run records it.
  const counts = await (isRunning ? store.counts(id) : store.countsAsFound(id))
  const tally = tallyOf(counts, {effect, isRunning})
  const isOnTheWay = isRunning || effect === 'read'
  const states = isOnTheWay ? UNDONE : ([...UNDONE, 'sent'] as const)
  const reasons = states.some(state => counts[state] > 0) ? await store.topReasons(id, states) : []
  const pause = tally.left > 0 ? await pauseNow(context, store.journal) : undefined
  const keyed = tally.open - counts.unknown
  const since = keyed > 0 ? (await store.inFlight(id))?.since : undefined
  const {store: records} = store.journal
  const clockAheadMs = since === undefined ? undefined : onlyAheadMs(since, records)
  const isOver = !RESUMED.includes(state)
  const isCurable =
    mostCanBeCured(reasons, counts.failed) && !isRunning && !isOver && tally.left + tally.open === 0
  const isCancelled = state === 'cancelled'
  const mayBeReplaced = isCurable || (isCancelled && tally.left + counts.held > 0)
  const areReplaced =
    mayBeReplaced &&
    !isPlanKey(origin.jobKey) &&
    (await areAllReplaced(context, store, job, isCancelled ? UNSENT : ['failed']))
  const next = nextStep(context.commandLine, {
    areKeysOld: since !== undefined && clockAheadMs === undefined && !isKeyAlive(since, records.span().until),
    ...counts,
    ...tally,
    ...origin,
    job: id,
    isRunning,
    isOver,
    isCancelled: isCancelled && !areReplaced,
    request: openRequest(reasons),
    isCurable: isCurable && !areReplaced,
  })
  return {
    job: id,
    operation,
    state,
    ...origin,
    createdAt: new Date(job.createdAt).toISOString(),
    workers,
    rows: prepared ?? sum(counts),
    ...counts,
    ...tally,
    odd: await store.odd(id),
    reasons: reasons.length > 0 ? reasons : undefined,
    paused: pause,
    keysUntil: since === undefined ? undefined : new Date(keyEnd(since)).toISOString(),
    clockAheadMs,
    replaced: areReplaced || undefined,
    next,
    ...(isContinued(next) ? conditionOf(context, {...counts, reasons, pause, next, clockAheadMs}) : {}),
  }
}

/** Whether the command sends rows. */
export const isContinued = (next: SuggestedCommand | undefined): boolean =>
  next !== undefined && (next.argv[0] === 'apply' || next.argv[1] === 'resume')

interface Unsent extends RowCounts, Pick<BulkSummary, 'clockAheadMs'> {
  readonly reasons: readonly ExplainedReason[]
  readonly pause: PauseFacts | undefined
  readonly next: SuggestedCommand | undefined
}

/** A run stops after this many rows or fewer that all fail alike. */
const FEW = 5

/** When rows can be sent again: after the pause, or when that is gone which most of them met. */
function conditionOf(
  context: Context,
  {next, reasons, pause, waiting, done, clockAheadMs}: Unsent,
): NextCondition {
  if (clockAheadMs !== undefined) return {nextWhen: CLOCK_RIGHT}
  if (pause !== undefined)
    return {nextWhen: `after ${context.when(Date.parse(pause.until))}`, nextAfter: pause.until}
  // Nothing but rows that failed is left.
  if (isRetry(next)) {
    const cured = reasons.find(isCurable)
    return {nextWhen: (cured && whenOf(cured.code, cured.blame)) ?? PUT_RIGHT}
  }
  const found = reasons.find(({code, blame}) => whenOf(code, blame) !== undefined)
  // What a single row of many met says nothing about the others.
  if (found === undefined || (found.count < FEW && waiting > 0 && done > 0)) return {}
  return {nextWhen: whenOf(found.code, found.blame)}
}

/** States of rows that were tried, or held back, and are not done. */
const UNDONE = ['failed', 'unknown', 'held', 'again'] as const

const RESUMED: readonly Job['state'][] = ['running', 'stopped', 'done']

interface Undone extends RowCounts, Pick<BulkSummary, 'job' | 'jobKey' | 'source' | 'open' | 'left'> {
  readonly isRunning: boolean
  /** It isn't continued here. */
  readonly isOver: boolean
  readonly isCancelled: boolean
  /** `bulk resume` doesn't send these rows without being told so. */
  readonly areKeysOld: boolean
  /** Most failed rows may be done once something is put right at the service. */
  readonly isCurable: boolean
  /** A request with an unknown effect. */
  readonly request: string | undefined
}

/** The one command that helps most: first what sends rows, then what finds out about them, then what shows them. */
function nextStep(commandLine: CommandLine, undone: Undone): SuggestedCommand | undefined {
  const {job, isRunning, isOver, request, left, open, unknown, failed, held} = undone
  if (undone.isCancelled && left + held > 0 && !isPlanKey(undone.jobKey))
    return commandLine('bulk', 'results', {value: job}, '--unsent-rows', {value: `unsent-${job}.csv`})
  if (isRunning) return left > 0 ? commandLine('bulk', 'watch', {value: job}) : undefined
  // Rows that are sent again with their key, which has no second effect.
  const keyed = open - unknown
  if (keyed > 0 && undone.areKeysOld && !isShared({job}))
    return commandLine('requests', 'list', '--job', {value: job}, '--open')
  if (left + keyed > 0 && !isOver) return resumeLine(commandLine, undone)
  // Another machine may have the request of a shared job.
  if (unknown === 1 && request !== undefined && !isShared({job}))
    return commandLine('requests', 'resolve', {value: request})
  if (unknown === 0 && undone.isCurable && !isOver && !isPlanKey(undone.jobKey))
    return commandLine('bulk', 'resume', {value: job}, '--retry-failed')
  const all = unknown > 0 ? {unknown} : {failed, held}
  const states = Object.entries(all).filter(([, count]) => count > 0)
  if (states.length === 0) return undefined
  return commandLine(
    'bulk',
    'results',
    {value: job},
    ...states.flatMap(([value]) => ['--state', {value}] as const),
  )
}

/** Whether the command sends rows that failed. */
export const isRetry = (next: SuggestedCommand | undefined): boolean =>
  next?.argv.includes('--retry-failed') === true

/** The service refused who asked, or what state a resource is in: not what the row says. */
const isCurable = ({code, status}: ExplainedReason): boolean =>
  code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || (code === 'REFUSED' && status === 409)

const mostCanBeCured = (reasons: readonly ExplainedReason[], failed: number): boolean =>
  reasons.filter(isCurable).reduce((all, {count}) => all + count, 0) * 2 > failed && failed > 0

const openRequest = (reasons: readonly ExplainedReason[]): string | undefined =>
  reasons.find(({code}) => code === 'EFFECT_UNKNOWN')?.example.request

interface Origin extends Pick<BulkSummary, 'jobKey' | 'source' | 'user'> {
  readonly prepared?: number | undefined
  readonly effect: Effect
}

function originOf(job: Job): Origin {
  try {
    const {source, settings} = job
    const {jobKey, user, rows: prepared} = settings
    return {jobKey, source: source === '-' ? 'stdin' : source, user, prepared, effect: effectOfJob(job)}
  } catch (error) {
    // A shared job of another team key.
    if (error instanceof Failure && error.code === 'PROFILE_INVALID')
      return {effect: effectOfJob({operation: job.operation, settings: {map: {}}})}
    throw error
  }
}

interface Counted {
  readonly effect: Effect
  /** Another process has rows on their way. */
  readonly isRunning: boolean
}

/** What the states of the rows come to. Every table, message and summary of a job takes its numbers from here. */
export function tallyOf(
  {waiting, sent, again, unknown}: RowCounts,
  {effect, isRunning}: Counted,
): Pick<BulkSummary, 'open' | 'left'> {
  // What was on its way when a run ended may have had its effect, unless it reads.
  const isRead = effect === 'read'
  const open = unknown + (isRead || isRunning ? 0 : sent)
  return {open, left: waiting + again + (isRead && !isRunning ? sent : 0)}
}

/** The number of rows that `bulk resume` sends or checks again. */
export const remainingOf = ({waiting, sent, again, held}: RowCounts): number => waiting + sent + again + held

export const sum = ({waiting, sent, again, done, failed, unknown, held}: RowCounts): number =>
  waiting + sent + again + done + failed + unknown + held

/** How many rows with an unknown effect a message names. */
const MOST_UNKNOWN = 5

/**
 * The numbers of a summary, with the rows whose effect is unknown, as the end of a message.
 *
 * @param lost rows that were seen done, but are recorded as sent.
 */
export async function countsWithRows(store: Jobs, summary: BulkSummary, lost = 0): Promise<string> {
  const counts = countsOf(summary, lost)
  if (summary.unknown < 2 || summary.open !== summary.unknown) return counts
  const rows: number[] = []
  for await (const {row} of store.ends(summary.job, ['unknown'])) {
    rows.push(row)
    if (rows.length === MOST_UNKNOWN) break
  }
  return `${counts} (${namedRows(rows, summary.unknown)})`
}

/**
 * What the next command does with the rows, and what it leaves.
 *
 * @param isHonoured whether the service honours the keys of rows that are sent again, if that is known.
 * @param ofUnknown what the rows are whose effect the records don't have.
 */
export function nextWords(
  context: Context,
  {next, job, left, open, unknown, failed, keysUntil, clockAheadMs, replaced}: BulkSummary,
  isHonoured: boolean | undefined,
  ofUnknown = 'of unknown effect',
): string {
  if (next === undefined) return ''
  const [topic, verb] = next.argv
  if (verb === 'results' && unknown > 1)
    return isShared({job})
      ? 'Find out what became of each unknown row, and record it with bulk resolve. '
      : 'It lists the request of each unknown row, for requests resolve. '
  if (replaced && left === 0)
    return `What ${failed === 1 ? 'the row that failed sets' : `each of the ${failed} that failed sets`} was changed from here since, by other commands, so none is left to send. `
  if (verb === 'list')
    return 'The service may have forgotten the keys of the rows that were on their way. Find out what became of each, and say so with requests resolve; then bulk resume sends the rest. '
  if (isRetry(next))
    return `bulk resume --retry-failed sends the ${failed} that failed once more; bulk results --state failed lists them. `
  if (topic !== 'apply' && verb !== 'resume') return ''
  const onTheWay = open - unknown
  const isAgain = onTheWay > 0 && isHonoured !== false
  const how = isHonoured ? 'under their idempotency keys' : 'if the service honours their idempotency keys'
  const sent = [
    ...(left > 0 ? [`the ${left} left`] : []),
    ...(isAgain ? [`once more, ${how}, the ${onTheWay} ${ofUnknown}`] : []),
  ]
  const kept = unknown + (isHonoured === false ? onTheWay : 0)
  const leaves = [
    ...(failed > 0 ? [`the ${failed} that failed`] : []),
    ...(kept > 0 ? [`the ${kept} ${ofUnknown}`] : []),
  ]
  const name = topic === 'apply' ? 'apply' : 'bulk resume'
  const until = keysUntil === undefined ? '' : ` before ${context.when(Date.parse(keysUntil))}`
  if (sent.length === 0) return `${name} sends none of the rows again. `
  const clock = clockAheadMs === undefined ? '' : `${aheadWords(clockAheadMs)}: first set it right. Then `
  return `${clock}${name} sends ${sent.join(', and ')}${leaves.length === 0 ? '' : `, but not ${leaves.join(' and ')}`}. ${isAgain && isHonoured ? `No row has its effect twice${until}. ` : ''}`
}

/** The numbers of a summary, as the end of a message. */
export function countsOf(summary: BulkSummary, lost = 0): string {
  const {rows, odd, failed, held, left, again} = summary
  const [done, open] = [summary.done + lost, summary.open - lost]
  // Unknown rows are none of those left; rows that were tried are.
  const unaffected = left > 0 && again + open > 0 ? ' without an effect' : ''
  const tried = `${unaffected}${again > 0 ? ` (${again} of them tried so far)` : ''}`
  const parts = [`${done} of ${rows} rows done`, `${failed} failed`, `${left} left${tried}`]
  if (odd > 0) parts.splice(1, 0, `${odd} of them although the response differs from the contract`)
  if (lost > 0) parts.splice(1, 0, `${lost} of them not recorded as done`)
  if (held > 0) parts.push(`${held} held back`)
  if (open > 0) parts.push(`${open} sent, effect unknown`)
  const there = sum(summary)
  if (there !== rows)
    parts.push(`${there} of them in the records of the job: rows were removed or added there`)
  return parts.join(', ')
}

/** What is said of the rows of a cancelled job whose effect is unknown, which nothing sends again. */
export function openWords({commandLine}: Context, {job, open}: BulkSummary): readonly string[] {
  if (open === 0) return []
  const [was, it] = open === 1 ? ['was', 'it'] : ['were', 'them']
  const list = isShared({job})
    ? commandLine('bulk', 'results', {value: job}, '--state', 'unknown', '--state', 'sent')
    : commandLine('requests', 'list', '--job', {value: job}, '--open')
  return [`${countRows(open)} ${was} sent, and the effect is unknown. Find out what became of ${it}: ${list}`]
}
