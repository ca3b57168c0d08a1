import type {EndedRow, Job, Jobs, RowCounts, RowReason, RowState} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {stoppable} from '../../../cli/waiting.ts'
import {type BoardContent, dim, type ProgressState, type Style} from '../../../output/index.ts'
import {type BulkSummary, sum, summaryOf} from './jobs.ts'

const STATES = [
  {name: 'Done', states: ['done'], style: 'ok'},
  {name: 'Failed', states: ['failed'], style: 'bad'},
  {name: 'Unknown', states: ['unknown'], style: 'bad'},
  {name: 'Held back', states: ['held'], style: 'warn'},
  {name: 'Left', states: ['waiting', 'sent', 'again'], style: 'dim'},
] as const satisfies readonly {name: string; states: readonly RowState[]; style: Style}[]

const WITH_REASON: ReadonlySet<RowState> = new Set(['failed', 'unknown', 'held'])

/** What the board of a job shows. */
export interface JobBoard {
  /** Counts the reasons of rows that have ended. */
  ended(rows: readonly EndedRow[]): void
  /** @param note what the job does, if it isn't sending rows. */
  state(counts: RowCounts, note?: string): ProgressState
}

/** @param reasons of the rows that have ended before. */
export function jobBoard(
  {id, operation}: Pick<Job, 'id' | 'operation'>,
  reasons: readonly RowReason[],
): JobBoard {
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
      const {done, failed, unknown, held} = counts
      return {
        done: done + failed + unknown + held,
        total: sum(counts),
        failed,
        unknown,
        held,
        board: (): BoardContent => ({
          title: [`${operation}  `, dim(`job ${id}`), ...(note === undefined ? [] : [`  ${note}`])],
          counts: STATES.map(({name, states, style}) => ({
            name,
            style,
            count: states.reduce((all, state) => all + counts[state], 0),
          })),
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
  const stopped = {
    message: `Stopped following bulk job ${id}; it is not affected.`,
    hint: `Follow it again with: ${context.commandLine('bulk', 'watch', id)}`,
  }
  return stoppable(context.surroundings, stopped, async () => {
    const {now, sleep, signal} = context.surroundings
    let job = await store.get(id)
    if (job.state !== 'running') return summaryOf(store, job)
    const progress = await context.printer.progress('rows')
    try {
      while (job.state === 'running') {
        const startedAt = now()
        const counts = await store.counts(id)
        progress.update({...jobBoard(job, await store.reasons(id)).state(counts), since: job.claimedAt})
        // A look at a job with millions of rows takes time, which its own process needs too.
        await sleep(Math.max(LOOK_EVERY_MS, LOOK_SHARE * (now() - startedAt)), signal)
        signal.throwIfAborted()
        job = await store.get(id)
      }
    } finally {
      progress.stop()
    }
    return summaryOf(store, job)
  })
}
