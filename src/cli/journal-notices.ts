import {Failure} from '../errors/failure.ts'
import type {Journal, RequestRecord} from '../journal/index.ts'
import {auditEntryOf} from './audit-entries.ts'
import type {Context} from './context.ts'

/**
 * Reports the unfinished requests of processes that are gone, each once, and writes them into the audit trail, which
 * their processes no longer could. Their effect stays unknown.
 */
export async function reportUnfinished(journal: Journal, context: Context): Promise<void> {
  const {printer} = context
  const rows = new Map<string, number>()
  const unfinished = journal.unfinished()
  if (unfinished.length === 0) return
  await recordUnfinished(unfinished, context)
  for (const request of unfinished) {
    const {job} = request
    if (job !== undefined && isBulk(job)) rows.set(job, (rows.get(job) ?? 0) + 1)
    else printer.warn(oneOf(request, context), {code: 'UNFINISHED', requestId: request.id})
  }
  for (const [job, count] of rows) {
    printer.warn(
      `${count} ${count === 1 ? 'row' : 'rows'} of bulk job ${job} did not finish: the process ended first. Continue with: ${context.commandLine('bulk', 'resume', {value: job})}`,
      {code: 'UNFINISHED', job, rows: count},
    )
  }
}

/** A trail that can't be written must not keep anybody from reading. */
async function recordUnfinished(unfinished: readonly RequestRecord[], context: Context): Promise<void> {
  try {
    using audit = await context.stores.audit()
    audit.append(unfinished.map(request => auditEntryOf(context, request, {outcome: 'unknown'})))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.printer.warn(`Unfinished requests could not be written to the audit trail. ${error.message}`)
  }
}

function oneOf({id, operation, begunAt}: RequestRecord, {when, commandLine}: Context): string {
  return `Request ${id} (${operation}, begun ${when(begunAt)}) is unfinished: its process ended before the response. Check what happened: ${commandLine('requests', 'resolve', {value: id})}`
}

/** Other jobs are sets of transfers, whose requests are checked one by one. */
const isBulk = (job: string): boolean => /^j_[0-9A-Z]{26}$/.test(job)

/** Reports, until something is sent, that a profile leads to another service than before, with a journal of its own. */
export function reportMoved(journal: Journal, profile: string, {printer, commandLine}: Context): void {
  const before = journal.others.before()
  if (before.length === 0) return
  const services = before.map(({service}) => service).join('; ')
  printer.warn(
    `Profile ${profile} now leads to ${journal.service.words}. Its earlier requests and bulk jobs belong to ${services}, and do not prevent repeats here. If that service has moved here, run: ${commandLine('requests', 'rebind')}. If the base URL is wrong, correct the profile.`,
    {code: 'SERVICE_MOVED'},
  )
}
