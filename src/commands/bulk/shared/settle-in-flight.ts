import {type InFlight, type Job, JobStore, type Jobs} from '../../../bulk/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {CLOCK_HINT, confirmClock} from '../../../cli/doubtful-clock.ts'
import {advice, nextAdvice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {aheadWords, CLOCK_RIGHT, isKeyAlive, isToCome, keyEnd, onlyAheadMs} from './key-life.ts'
import {resumable, resumeLine} from './planned-job.ts'

/**
 * What becomes of rows whose process ended before the response. A retry with the same key is safe as long as the service
 * knows the key; to send others again, a person types the job's id, or passes it with --confirm.
 */
export async function settleInFlight(
  context: Context,
  store: Jobs,
  job: Job,
  client: Client,
  {operation, honoured}: RowSender,
  confirmed: readonly string[] | undefined,
): Promise<InFlight> {
  const {id} = job
  if (operation.effect === 'read') return 'again'
  const found = await store.inFlight(id)
  if (!honoured) {
    if (found) {
      context.printer.warn(
        `${found.rows} rows were on their way and are not sent again: the service does not honour a key here. See: ${context.commandLine('bulk', 'results', {value: id}, '--state', 'unknown')}`,
      )
    }
    return 'unknown'
  }
  const {auditUser} = client.target
  const user = store instanceof JobStore ? store.otherUser(job, auditUser) : undefined
  if (user !== undefined) {
    throw new Failure('JOB_DIFFERS', {
      message: `Rows of bulk job ${id} were on their way with the audit user ${user}. From ${auditUser} they would be other requests with the same keys. Nothing was sent.`,
      hint: `Resume it with --audit-user ${user}.`,
      effect: 'none',
      data: {job: id},
    })
  }
  if (found === undefined) return 'again'
  const {store: records} = store.journal
  // A clock that says that the keys are forgotten may be ahead without anything here that tells.
  const isBelieved = await confirmClock(context, client, !isKeyAlive(found.since, records.span().until))
  const now = records.span().until
  if (isBelieved && isKeyAlive(found.since, now)) return 'again'
  const wasAhead = isBelieved && isToCome(found.since, now)
  const isOld = now >= keyEnd(found.since)
  const list = cardctl('requests', 'list', '--job', {value: id}, '--open')
  const resolve = 'find out what became of each, and say so with requests resolve'
  const resume = nextAdvice(resumeLine(context.commandLine, resumable(job)), CLOCK_RIGHT)
  const aheadMs = onlyAheadMs(found.since, records)
  const {why, what, next} =
    aheadMs !== undefined
      ? {
          why: `${aheadWords(aheadMs)}, which may have forgotten their keys if its own is wrong`,
          what: 'Set the clock of this machine right, and run the same command again: it sends them once.',
          next: resume,
        }
      : wasAhead
        ? {
            why: 'That time is still to come: the clock of this machine was wrong, so the service may have forgotten their keys',
            what: `First ${resolve}.`,
            next: nextAdvice(list, undefined),
          }
        : isOld
          ? {
              why: 'By the clock of this machine, the service has forgotten their keys',
              what: `If that time is wrong, set the clock right, and run the same command again: it sends them once. Otherwise ${resolve}.`,
              next: nextAdvice(list, undefined),
            }
          : {
              why: "The clock of this machine can't be believed, so the service may have forgotten their keys",
              what: advice`With the right clock, the same command sends them once. ${CLOCK_HINT} Otherwise ${resolve}: ${list}`,
              next: resume,
            }
  // --yes was given before anybody knew of this.
  await confirm(context, {
    place: await context.service.place(),
    action: `send rows again that were sent at ${context.when(found.since)} and may have had their effect`,
    consequence: `${why}, and they can take effect twice. It says ${context.when(now)} now.`,
    demands: [{name: id, yes: false}],
    confirm: confirmed,
    otherwise: advice`Nothing was sent. ${what} To send them once more in any case: ${cardctl('bulk', 'resume', {value: id}, '--confirm', {value: id})} ${next}`,
  })
  return 'even-old'
}
