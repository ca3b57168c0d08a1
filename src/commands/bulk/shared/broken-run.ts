import {type Job, JobStore, type Jobs, type RowCounts} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {advice, type Hint, nextAdvice} from '../../../errors/advice.ts'
import {whenOf} from '../../../errors/blame.ts'
import {Failure} from '../../../errors/failure.ts'
import type {ErrorCode} from '../../../errors/registry.ts'
import {countRows} from '../../../profiles/index.ts'
import {namedRows} from './named-rows.ts'
import {effectOfJob} from './operation.ts'
import type {OwnRows} from './own-rows.ts'
import {resumeLine} from './planned-job.ts'
import {type BulkSummary, countsWithRows, nextWords, sum, summaryOf, tallyOf} from './summary.ts'
import {isShared} from './with-jobs.ts'

/** Codes of what can't be written on this machine. Another data folder would know nothing of what was sent. */
const OWN_FILES: ReadonlySet<string> = new Set([
  'CONFIG_UNREADABLE',
  'DISK_FULL',
  'STORE_UNAVAILABLE',
  'OUTPUT_UNWRITABLE',
])

/** In the middle of a job, where the general hint says too much. */
const remedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  DISK_FULL: 'Free space on that disk.',
  OUTPUT_UNWRITABLE: 'Put that right first.',
}

interface Broken {
  readonly error: Failure
  /** The counts that the run showed last, in case the records can't be read either. */
  readonly seen: RowCounts | undefined
  /** What this process did. */
  readonly own: OwnRows
  /** The service honours the keys of rows that are sent again. */
  readonly isHonoured: boolean
}

/**
 * What ends a run in the middle, such as a full disk, with the numbers of the job and how it goes on.
 */
export async function brokenRun(
  context: Context,
  store: Jobs,
  job: Job,
  {error, seen, own, isHonoured}: Broken,
): Promise<Failure> {
  const {id, settings, source} = job
  const summary = await readSummary(context, store, id)
  const resume = resumeLine(context.commandLine, {job: id, jobKey: settings.jobKey, source})
  const next = summary?.next ?? resume
  const nextWhen = whenOf(error.code, error.details.blame)
  const hint: Hint = OWN_FILES.has(error.code)
    ? `${remedies[error.code] ?? error.hint} Delete nothing in ${context.folders.data}: only the journal there knows what was sent.`
    : error.advice
  const lost = summary === undefined ? 0 : unrecorded(summary, seen)
  const open = summary === undefined ? openIn(job, seen, own) : summary.open - lost
  const counts =
    summary === undefined ? asSeen(job, seen, own) : `${await countsWithRows(store, summary, lost)}.`
  const ofUnknown = lost > 0 ? 'whose end is not recorded' : undefined
  return error.with({
    message: `The run stopped: ${error.message} ${counts}`,
    hint: advice`${hint} ${summary ? nextWords(context, summary, isHonoured, ofUnknown) : ''}${nextAdvice(next, nextWhen)}`,
    // What ended the run may not know what became of its own record: the rows do.
    effect: open === 0 ? undefined : 'unknown',
    data: {
      ...error.details.data,
      ...(summary ?? {job: id, next: resume, worker: own.known}),
      nextWhen,
      // A row without a message has no recorded end, which the counts say.
      ...(lost > 0 && {reasons: summary?.reasons?.filter(({example}) => example.message !== undefined)}),
    },
  })
}

async function readSummary(context: Context, store: Jobs, id: string): Promise<BulkSummary | undefined> {
  try {
    if (isShared({job: id})) {
      // What this worker had comes back to the job, with what became of it.
      await store.leave(id)
      await store.settleFindings(id)
    }
    const job = await store.get(id)
    // It could not record that it ends, and would look as if it were still on its way.
    const isOurs = job.state === 'running' && !isShared({job: id})
    return await summaryOf(context, store, isOurs ? {...job, state: 'stopped'} : job)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** What is true when the process ends in the middle of a run, such as by a second signal. Waits for nothing. */
export function sayCutOff(context: Context, store: Jobs, job: Job, seen: RowCounts | undefined): void {
  const {id, settings, source} = job
  const next = resumeLine(context.commandLine, {job: id, jobKey: settings.jobKey, source})
  const recorded = recordedNow(store, id)
  const facts = seen && cutOff(job, seen, recorded)
  const counts = facts === undefined ? 'before its first row' : cutOffWords(facts, recorded === undefined)
  const data = {code: 'CUT_OFF', job: id, ...facts, next}
  context.printer.fact(`Bulk job ${id} was cut off: ${counts}.\n  ${nextAdvice(next, undefined)}`, data)
}

function cutOffWords(facts: RowCounts, isGuess: boolean): string {
  const [left, open] = [facts.waiting + facts.again, facts.sent + facts.unknown]
  const sent = isGuess && left > 0 ? 'some of which may be on their way' : `${open} sent, effect unknown`
  return `${facts.done} of ${sum(facts)} rows done, ${facts.failed} failed, ${left} left, ${sent}`
}

/** Those of this machine can be read at once. */
function recordedNow(store: Jobs, id: string): RowCounts | undefined {
  try {
    return store instanceof JobStore ? store.counts(id) : undefined
  } catch {
    return undefined
  }
}

/**
 * A row on its way counts as waiting for the run, and as sent in the records, which learn a moment later how it ended.
 */
function cutOff(job: Job, seen: RowCounts, recorded: RowCounts | undefined): RowCounts {
  if (effectOfJob(job) === 'read' || recorded === undefined) return seen
  const left = seen.waiting + seen.again
  const ended = (['done', 'failed', 'unknown', 'held'] as const).map(state => seen[state] - recorded[state])
  const late = ended.reduce((all, one) => all + Math.max(0, one), 0)
  const onTheWay = Math.max(0, recorded.sent - seen.sent - late)
  return {
    ...seen,
    waiting: Math.max(0, left - onTheWay),
    again: 0,
    sent: seen.sent + Math.min(left, onTheWay),
  }
}

/** A disk that is full takes no record of the last rows. How many of those that it has as sent were seen done. */
const unrecorded = ({done, open}: BulkSummary, seen: RowCounts | undefined): number =>
  seen === undefined ? 0 : Math.min(Math.max(0, seen.done - done), open)

/** Every row that was on its way has ended for the run, whatever the records have of it. */
const openIn = (job: Job, seen: RowCounts | undefined, own: OwnRows): number | undefined =>
  isShared({job: job.id})
    ? own.known.unknown
    : seen && Math.max(own.known.unknown, tallyOf(seen, {effect: effectOfJob(job), isRunning: false}).open)

/** What the run showed last may be seconds old. What it sent itself, it knows to the row. */
function asSeen(job: Job, seen: RowCounts | undefined, own: OwnRows): string {
  if (isShared({job: job.id})) return asSent(job, own)
  const {sent, done, failed, unknown} = own.known
  if (sent === 0) return `This run sent no row. The records of bulk job ${job.id} can't be read now.`
  const of = seen === undefined ? countRows(sent) : `${sent} of ${countRows(sum(seen))}`
  return `This run sent ${of}: ${done} done, ${failed} failed, ${unknown} without a known effect. The records of bulk job ${job.id} can't be read now, and may lack the end of the rows that were sent last.`
}

/** Others work on the job too, so what this process saw of all its rows is old. Of its own it knows everything. */
function asSent({id}: Job, own: OwnRows): string {
  const {sent, done, failed, unknown, recorded, here, unsent} = own.known
  const whole = `How far bulk job ${id} came as a whole can't be read now.`
  if (sent === 0) return `This worker sent no row. ${whole}`
  const rest =
    here.length > 0
      ? ` The end of ${namedRows(here)} is recorded on this machine, and bulk resume here takes it over.`
      : ''
  const kept =
    unsent.length > 0
      ? ` It had also taken ${namedRows(unsent)}, and did not send ${unsent.length === 1 ? 'it' : 'them'}.`
      : ''
  return `This worker sent ${countRows(sent)}: ${done} done, ${failed} failed, ${unknown} without a known effect. The database has confirmed the end of ${recorded}.${rest}${kept} ${whole}`
}
