import type {Job, JobStore, Jobs} from '../../../bulk/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import type {Context} from '../../../cli/context.ts'
import {type Advice, advice, nextAdvice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {errnoOf} from '../../../errors/system-reason.ts'
import {canonicalJson} from '../../../journal/key-rules.ts'
import type {RowsFound} from '../../../profiles/index.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {type LoadOptions, readJobRows} from './load-rows.ts'
import {isPlanKey} from './planned-job.ts'
import {correctedWords, newKeyWords, SharedRows, sharedWords} from './shared-rows.ts'
import {type BulkSummary, countsOf, nextWords, summaryOf, toNext} from './summary.ts'

/** A journal that is younger may be that of a machine or container that was made for this run. */
const SETTLED_MS = 60 * 60_000

/** What is wrong with a job key, for a sentence that begins with its flag. */
export function jobKeyProblem(jobKey: string): string | undefined {
  if (!/^[\w.:/@+-]{1,100}$/.test(jobKey))
    return 'takes 1 to 100 letters, digits and the characters . _ - : / @ +'
  if (isPlanKey(jobKey)) return 'belongs to a plan, which apply sends'
  return maskText(jobKey) === jobKey ? undefined : 'holds a card number or credentials'
}

/** @throws Failure USAGE */
export function checkJobKey(jobKey: string | undefined): void {
  const problem = jobKey === undefined ? undefined : jobKeyProblem(jobKey)
  if (problem !== undefined) throw new Failure('USAGE', {message: `--job-key ${problem}.`})
}

/**
 * The job of a job key, or undefined if it is to be started. A job whose rows were never read is removed: it sent
 * nothing.
 *
 * @throws Failure JOB_RUNNING
 */
export function keyedJob(store: JobStore, id: string): Job | undefined {
  const job = store.findIdle(id)
  if (job?.state !== 'unread') return job
  store.remove(id)
  return undefined
}

/**
 * Without an honoured key, only the journal knows which rows were sent. On a live profile a new one isn't trusted.
 *
 * @throws Failure CONFIRMATION_REQUIRED
 */
export function requireMemory(
  context: Context,
  store: JobStore,
  {target}: Pick<Client, 'target'>,
  {operation, honoured}: RowSender,
  {isFirst}: {readonly isFirst: boolean},
): void {
  if (operation.effect === 'read' || honoured) return
  const {journal} = store
  const since = journal.requests.since()
  const isNew =
    since === undefined || journal.store.span().from - since < SETTLED_MS || !journal.store.isBelieved()
  if (target.kind !== 'live' || !isNew || isFirst) return
  throw new Failure('CONFIRMATION_REQUIRED', {
    message: `The service does not honour idempotency keys for ${operation.id}, so only the journal knows which rows were sent, and the one in ${context.folders.data} is new.`,
    hint: 'Run the job where its data folder is kept (CARDCTL_DATA_DIR). If the job has never run elsewhere, add --first-run, once and by hand.',
    effect: 'none',
  })
}

/** Before the file is read, which may not fit the other operation. @throws Failure JOB_DIFFERS */
export function refuseOtherOperation({id, operation, settings}: Job, other: string): void {
  if (operation === other) return
  throw jobDiffers(id, settings.jobKey, `which runs ${operation}, not ${other}`)
}

const jobDiffers = (
  id: string,
  jobKey: string | undefined,
  what: string,
  data?: Readonly<Record<string, unknown>>,
): Failure =>
  new Failure('JOB_DIFFERS', {
    message: `The job key ${jobKey ?? ''} belongs to bulk job ${id}, ${what}. This command sent nothing.`,
    effect: 'none',
    data: {job: id, jobKey, ...data},
  })

/** What is said of a file that can't be read, or differs from the job's: a job that was begun has its rows without it. */
export async function withoutFile(context: Context, store: Jobs, job: Job, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure)) return error
  const isMissing = error.code === 'INPUT_INVALID' && errnoOf(error.cause) !== undefined
  if (!isMissing && error.code !== 'JOB_DIFFERS') return error
  const summary = await summaryOf(context, store, job)
  if (job.state === 'cancelled') return ofCancelled(job, error, summary)
  const corrected = correctedWords(context.commandLine, job.id, error.details.data)
  if (corrected !== undefined) return ofCorrected(context, job, error, summary, corrected)
  const next = toNext(summary)
  const hint = next === undefined ? '' : advice`${nextWords(context, summary, undefined)}${next}`
  return error.with({
    message: `${error.message} Bulk job ${job.id} has its rows without the file: ${countsOf(summary)}.`,
    hint: isMissing ? hint : advice`${newKeyWords(error.details.data)} ${hint}`,
    data: {...summary, ...error.details.data},
  })
}

/** For rows that were corrected before they were sent: the job only has the old values, so what is left of it is cancelled. */
function ofCorrected(
  {commandLine}: Context,
  {id}: Job,
  error: Failure,
  summary: BulkSummary,
  words: Advice,
): Failure {
  const next = commandLine('bulk', 'cancel', {value: id})
  return error.with({
    message: `${error.message} Bulk job ${id} has its rows without the file: ${countsOf(summary)}.`,
    hint: advice`${words} ${nextAdvice(next, undefined)}`,
    data: {...summary, ...error.details.data, next, nextWhen: undefined, nextAfter: undefined},
  })
}

/** A job that was given up sends nothing more, whatever file comes. */
const ofCancelled = ({id}: Job, error: Failure, summary: BulkSummary): Failure =>
  error.with({
    message: `${error.message} Bulk job ${id} was cancelled: ${countsOf(summary)}. It sends nothing more.`,
    hint: summary.replaced
      ? 'What each row sets that it has not sent was changed from here since: nothing of it is left to send.'
      : advice`To send the rows that it has not sent, write them to a file, correct them there if need be, and run that file with the same flags and another --job-key. ${toNext(summary) ?? ''}`,
    data: {...summary, ...error.details.data},
  })

/**
 * Compares a job with what its command would start now.
 *
 * @throws Failure JOB_DIFFERS, which says what differs; INPUT_INVALID
 */
export async function compareJob(
  store: JobStore,
  {id, settings}: Job,
  options: LoadOptions,
): Promise<RowsFound> {
  const {jobKey, map} = settings
  const differs = (what: string, data?: Readonly<Record<string, unknown>>): Failure =>
    jobDiffers(id, jobKey, what, data)
  if (canonicalJson(map) !== canonicalJson(options.file.map)) throw differs('which has another --map')
  const name = options.source === '-' ? 'stdin' : options.source
  const shared = new SharedRows(store.results(id))
  const found = await readJobRows({...options, check: false}, row => shared.add(row))
  const {given, same, first, different, changed, unsent} = shared
  const rows = Object.values(store.counts(id)).reduce((all, one) => all + one, 0)
  shared.close()
  if (given === rows && different === undefined) return found
  const which =
    given === rows
      ? `and row ${different} of ${name} is different now`
      : `which has ${rows} rows, but ${name} has ${given}`
  const data = given === rows ? {row: different, given, same, changed, unsent} : {rows, given, same}
  throw differs(`${which}${sharedWords({rows, given, same, first})}`, data)
}
