import type {Journal, RequestRecord} from '../../journal/index.ts'
import type {Printer} from '../../output/index.ts'

/** Says which requests of processes that are gone never ended. Each is said once, and how it ended is not guessed. */
export function tellUnfinished(journal: Journal, printer: Printer, when: (millis: number) => string): void {
  const rows = new Map<string, number>()
  for (const request of journal.unfinished()) {
    const {job} = request
    if (job !== undefined && isBulk(job)) rows.set(job, (rows.get(job) ?? 0) + 1)
    else printer.warn(oneOf(request, when(request.begunAt)))
  }
  for (const [job, count] of rows) {
    printer.warn(
      `${count} ${count === 1 ? 'row' : 'rows'} of bulk job ${job} never ended: its process is gone. Go on with bulk resume ${job}.`,
    )
  }
}

function oneOf({id, operation, profile}: RequestRecord, at: string): string {
  return `Request ${id} (${operation}, begun ${at}) never ended: its process is gone. Find out with requests resolve ${id} -p ${profile}.`
}

/** Other jobs are sets of transfers, whose requests are looked at one by one. */
const isBulk = (job: string): boolean => /^j_[0-9A-Z]{26}$/.test(job)
