import type {Job, Jobs, RowCounts} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isShared} from './jobs.ts'
import {effectOfJob} from './operation.ts'
import {resumeLine} from './planned-job.ts'
import {type BulkSummary, countsWithRows, nextWords, sum, summaryOf, tallyOf} from './summary.ts'

/** Codes of what can't be written on this machine. Another data folder would know nothing of what was sent. */
const OWN_FILES: ReadonlySet<string> = new Set([
  'CONFIG_UNREADABLE',
  'STORE_UNAVAILABLE',
  'OUTPUT_UNWRITABLE',
])

interface Broken {
  readonly error: Failure
  /** The counts that the run showed last, in case the records can't be read either. */
  readonly seen: RowCounts | undefined
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
  {error, seen, isHonoured}: Broken,
): Promise<Failure> {
  const {id, settings, source} = job
  const summary = await readSummary(context, store, id)
  const resume = resumeLine(context.commandLine, {job: id, jobKey: settings.jobKey, source})
  const next = summary?.facts.next ?? resume
  const hint: Hint = OWN_FILES.has(error.code)
    ? 'First put right what the message names, and keep the data folder: only the journal in it knows what was sent.'
    : error.advice
  const counts =
    summary === undefined ? asSeen(job, seen) : `${summary.words}.${unrecorded(summary.facts, seen)}`
  return error.with({
    message: `The run stopped: ${error.message} ${counts}`,
    hint: advice`${hint} ${summary ? nextWords(summary.facts, isHonoured) : ''}Next: ${next}`,
    effect: summary?.facts.open === 0 ? error.details.effect : 'unknown',
    data: {...error.details.data, ...(summary?.facts ?? {job: id, next: resume})},
  })
}

async function readSummary(context: Context, store: Jobs, id: string) {
  try {
    const job = await store.get(id)
    // It could not record that it ends, and would look as if it were still on its way.
    const isOurs = job.state === 'running' && !isShared({job: id})
    const summary = await summaryOf(context, store, isOurs ? {...job, state: 'stopped'} : job)
    return {facts: summary, words: await countsWithRows(store, summary)}
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** A disk that is full takes no record of the last rows. */
const unrecorded = ({done}: BulkSummary, seen: RowCounts | undefined): string =>
  seen !== undefined && seen.done > done
    ? ` This run saw ${seen.done - done} of these done, but could not record it.`
    : ''

function asSeen(job: Job, seen: RowCounts | undefined): string {
  if (seen === undefined) return `How far bulk job ${job.id} came can't be read now.`
  const {open} = tallyOf(seen, {effect: effectOfJob(job), isRunning: false})
  return `This run saw ${seen.done} of ${sum(seen)} rows done, ${seen.failed} failed, ${open} with an unknown effect; the records of bulk job ${job.id} can't be read now and may say less.`
}
