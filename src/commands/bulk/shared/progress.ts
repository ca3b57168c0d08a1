import type {EndedRow, Job, Jobs, RowCounts, RowReason, RowState} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {pauseNow, pauseWait} from '../../../cli/pace.ts'
import {stoppable} from '../../../cli/waiting.ts'
import {advice} from '../../../errors/advice.ts'
import {type BoardContent, dim, type ProgressState} from '../../../output/index.ts'
import {effectOfJob} from './operation.ts'
import {type BulkSummary, sum, summaryOf, tallyOf} from './summary.ts'

/** A row whose effect is unknown ends as `sent` if its key is honoured. */
const WITH_REASON: ReadonlySet<RowState> = new Set(['failed', 'unknown', 'sent', 'held'])

/** What the board of a job shows. */
export interface JobBoard {
  /** Counts the reasons of rows that have ended. */
  ended(rows: readonly EndedRow[]): void
  /** @param note what the job does, if it isn't sending rows. */
  state(counts: RowCounts, note?: () => string | undefined): ProgressState
}

/**
 * @param reasons of the rows that have ended before.
 * @param isFollowed other processes run the job, so its rows that were sent are on their way.
 */
export function jobBoard(
  job: Pick<Job, 'id' | 'operation' | 'settings'>,
  reasons: readonly RowReason[],
  {isFollowed = false} = {},
): JobBoard {
  const {id, operation} = job
  const effect = effectOfJob(job)
  const tally = new Map<string, RowReason>()
  const add = ({code, status, count}: RowReason): void => {
    const key = `${code} ${status}`
    tally.set(key, {code, status, count: count + (tally.get(key)?.count ?? 0)})
  }
  for (const reason of reasons) add(reason)
  return {
    ended(rows) {
      for (const {state, code, status} of rows)
        if (WITH_REASON.has(state) && code !== undefined) add({code, status, count: 1})
    },
    state(counts, note) {
      const {done, failed, held} = counts
      const {open} = tallyOf(counts, {effect, isRunning: isFollowed})
      const total = sum(counts)
      const ended = done + failed + open + held
      return {
        done: ended,
        total,
        failed,
        unknown: open,
        held,
        of: `Bulk job ${id}`,
        board: (): BoardContent => ({
          title: [`${operation}  `, dim(`job ${id}`), ...[note?.() ?? []].flat().map(text => `  ${text}`)],
          counts: [
            {name: 'Done', style: 'ok', count: done},
            {name: 'Failed', style: 'bad', count: failed},
            {name: 'Unknown', style: 'bad', count: open},
            {name: 'Held back', style: 'warn', count: held},
            // What is on its way is left until it has ended.
            {name: 'Left', style: 'dim', count: total - ended},
          ],
          reasons: [...tally.values()]
            .sort((one, other) => other.count - one.count)
            .map(({code, status, count}) => ({
              reason: status === undefined ? code : `${code} (HTTP ${status})`,
              count,
            })),
        }),
      }
    },
  }
}

/** Pause between two looks at the journal, and how much longer than a look it is at least. */
const LOOK_EVERY_MS = 500
const LOOK_SHARE = 10

/** Shows the progress of a job that another process runs, until it ends. Only reads the journal. */
export function followJob(context: Context, store: Jobs, id: string): Promise<BulkSummary> {
  const next = context.commandLine('bulk', 'watch', {value: id})
  const stopped = {
    message: `Stopped following bulk job ${id}; it is not affected.`,
    hint: advice`Follow it again with: ${next}`,
    next,
  }
  return stoppable(context.surroundings, stopped, async () => {
    const {now, sleep, signal} = context.surroundings
    let job = await store.get(id)
    if (job.state !== 'running') return summaryOf(context, store, job)
    const progress = await context.printer.progress('rows')
    let paused: {readonly until: string; end(): void} | undefined
    try {
      while (job.state === 'running') {
        const startedAt = now()
        const counts = await store.counts(id)
        const board = jobBoard(job, await store.reasons(id), {isFollowed: true})
        progress.update({...board.state(counts, () => context.printer.waitingFor), since: job.claimedAt})
        const pause = await pauseNow(context, store.journal)
        if (pause?.until !== paused?.until) {
          paused?.end()
          paused = pause && {until: pause.until, end: context.printer.waiting(pauseWait(pause))}
        }
        // A look at a job with millions of rows takes time, which its own process needs too.
        await sleep(Math.max(LOOK_EVERY_MS, LOOK_SHARE * (now() - startedAt)), signal)
        signal.throwIfAborted()
        job = await store.get(id)
      }
    } finally {
      paused?.end()
      progress.stop()
    }
    return summaryOf(context, store, job)
  })
}
