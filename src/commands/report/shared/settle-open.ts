import {openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {areSentAgain, requestState} from '../../../output/outcome.ts'
import {asksService} from '../../a2a/shared/ask-service.ts'
import {recentBatches} from '../../a2a/shared/recent-batches.ts'
import {setOf} from '../../a2a/shared/reference.ts'
import {type SaidBatch, saidAgain, saidByBatch} from '../../a2a/shared/said-again.ts'
import type {MachineSource} from './shift-machines.ts'
import {batchEnd, madeBatch, type OpenJob, type ShiftEntry, type WaitingProposal} from './shift-types.ts'

interface Sent extends SaidBatch {
  /** The set that it is of, as the machine that sent it knows it. */
  readonly job?: string | undefined
}

interface Shift {
  readonly entries: readonly ShiftEntry[]
  readonly openJobs: readonly OpenJob[]
}

/**
 * What a machine left open may have been finished from another one: sets of transfers, and failed transfers. Batches say
 * so in their descriptions: those of the entries, and those of the service unless the report is `local`.
 */
export async function settleOpen(
  context: Context,
  {entries, openJobs}: Shift,
  {local}: {readonly local: boolean},
): Promise<Shift> {
  const isOpen = openJobs.some(({sets = []}) => sets.length > 0) || entries.some(hasFailed)
  if (!isOpen) return {entries, openJobs}
  const own = entries.flatMap(sentBy)
  const known = new Set(own.map(({batch}) => batch))
  const listed = local ? [] : await listedBatches(context)
  const sent = [...own, ...listed.filter(({batch}) => !known.has(batch))]
  return {
    entries: entries.map(entry => withSentAgain(entry, sent)),
    openJobs: openJobs.flatMap(job => whatIsLeft(job, sent) ?? []),
  }
}

function hasFailed(entry: ShiftEntry): boolean {
  const failed = batchEnd(entry)?.failed ?? 0
  return failed > 0 && !areSentAgain(entry, failed)
}

function sentBy(entry: ShiftEntry): Sent | [] {
  if (!madeBatch(entry)) return []
  const end = batchEnd(entry)
  const transfers = (entry.amounts ?? []).reduce((all, one) => all + one.transfers, 0)
  return {
    ...marksIn(entry.marks ?? ''),
    batch: entry.replyId ?? '',
    job: entry.job,
    // What failed once more is told of the newer batch, which is in the report.
    transfers: end?.transfers ?? transfers,
    ended: requestState({...entry, batchEnd: end}).text,
  }
}

async function listedBatches(context: Context): Promise<readonly Sent[]> {
  const client = await openClient(context, await context.service.target())
  try {
    if (!asksService(client, undefined)) return []
    return (await recentBatches(client, context.surroundings.now())).map(saidByBatch)
  } catch (error) {
    if (isInterruption(error) || !(error instanceof Failure)) throw error
    context.printer.warn(`Could not read what other machines have finished: ${error.message}`)
    return []
  } finally {
    await client.close()
  }
}

/** The entry of a batch with failed transfers, with the batches that sent those again, as they are or corrected. */
function withSentAgain(entry: ShiftEntry, sent: readonly Sent[]): ShiftEntry {
  const {replyId: batch, sentAgain = []} = entry
  if (batch === undefined || !hasFailed(entry)) return entry
  const more = saidAgain(batch, sent, sentAgain)
  return more.length === 0 ? entry : {...entry, sentAgain: [...sentAgain, ...more]}
}

const PLACE = /\/(\d+)of(\d+)$/

/** The job without the batches that other machines have sent; undefined if nothing is left. */
function whatIsLeft(job: OpenJob, sent: readonly Sent[]): OpenJob | undefined {
  const {batches, missing = [], sets = []} = job
  if (sets.length === 0) return job
  const names = new Set([job.job, ...sets])
  // Each machine has references of its own, and a batch names one of those that it goes on with.
  for (let before = 0; before < names.size; ) {
    before = names.size
    for (const {reference, restOf, job: own} of sent) {
      const all = [setOf(reference), restOf, own].filter(name => name !== undefined)
      if (all.some(name => names.has(name))) for (const name of all) names.add(name)
    }
  }
  const numbers = new Set(
    sent.flatMap(({reference = ''}) => {
      const [, number, of] = PLACE.exec(reference) ?? []
      return Number(of) === batches && names.has(setOf(reference) ?? '') ? [Number(number)] : []
    }),
  )
  const still = missing.filter(number => !numbers.has(number))
  return still.length === 0 ? undefined : {...job, missing: still, left: still.length}
}

/** The open jobs of all machines. One that was moved to another machine is told by that one. */
export function jobsOf(sources: readonly MachineSource[]): readonly OpenJob[] {
  const elsewhere = (source: MachineSource, {job}: OpenJob): boolean =>
    sources.some(other => other !== source && other.source.entries.some(entry => entry.job === job))
  const all = sources.flatMap(source =>
    source.openJobs.filter(job => job.state !== 'exported' || !elsewhere(source, job)),
  )
  return [...new Map(all.map(job => [job.job, job])).values()]
}

/** What nobody has decided anywhere. Two machines may share a folder. */
export function stillWaiting(
  sources: readonly MachineSource[],
  entries: readonly ShiftEntry[],
  now: number,
): readonly WaitingProposal[] {
  const settled = new Set([
    ...sources.flatMap(one => one.settled),
    ...entries.flatMap(({proposal}) => proposal ?? []),
  ])
  const open = sources
    .flatMap(one => one.waiting)
    .filter(({proposal, expiresAt}) => !settled.has(proposal) && Date.parse(expiresAt) > now)
  return [...new Map(open.map(each => [each.proposal, each])).values()]
}
