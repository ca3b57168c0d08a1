import type {Journal, RequestRecord} from '../../journal/index.ts'
import type {Context} from '../context.ts'

/** Says which requests of processes that are gone never ended. Each is said once, and how it ended is not guessed. */
export function tellUnfinished(journal: Journal, context: Context): void {
  const {printer} = context
  const rows = new Map<string, number>()
  for (const request of journal.unfinished()) {
    const {job} = request
    if (job !== undefined && isBulk(job)) rows.set(job, (rows.get(job) ?? 0) + 1)
    else printer.warn(oneOf(request, context))
  }
  for (const [job, count] of rows) {
    printer.warn(
      `${count} ${count === 1 ? 'row' : 'rows'} of bulk job ${job} never ended: its process is gone. Go on with: ${context.commandLine('bulk', 'resume', job)}`,
    )
  }
}

function oneOf({id, operation, begunAt}: RequestRecord, {when, commandLine}: Context): string {
  return `Request ${id} (${operation}, begun ${when(begunAt)}) never ended: its process is gone. Find out with: ${commandLine('requests', 'resolve', id)}`
}

/** Other jobs are sets of transfers, whose requests are looked at one by one. */
const isBulk = (job: string): boolean => /^j_[0-9A-Z]{26}$/.test(job)
