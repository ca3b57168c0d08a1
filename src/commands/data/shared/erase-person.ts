import {existsSync} from 'node:fs'
import {eraseRows, rowsOf} from '../../../bulk/erase-rows.ts'
import {JobStore} from '../../../bulk/index.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {plainId} from '../../../contract/resource.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {eraseRequests, idsIn, leaveNoBytes, requestsOf} from '../../../journal/erase-person.ts'
import type {Journal} from '../../../journal/index.ts'
import {counted} from '../../../money/amount.ts'
import {openRecording, type Recording, recordingFile} from '../../../webhook/index.ts'
import {entryOf} from './export-data.ts'
import {removeKilled} from './transfer.ts'

/** What is erased, or would be. */
export interface Erased {
  readonly erased: boolean
  readonly requests: number
  readonly rows: number
  readonly calls: number
  /** Requests and bulk jobs that stay because they are not finished. */
  readonly kept: readonly string[]
  /** Entries of the audit trail with these ids. They stay, because the trail would be broken without them. */
  readonly auditEntries: number
}

interface EraseSettings {
  /** As `card:3004`, what the user named. */
  readonly named: readonly string[]
  /** What belongs to the person, the named among them. */
  readonly resources: readonly string[]
  readonly dryRun: boolean
  readonly confirm: readonly string[]
}

/**
 * Removes what is personal in the records of one service, and calls in the recording.
 *
 * @throws Failure CONFIRMATION_…; STORE_UNAVAILABLE while a copy of the records is made or imported
 */
export async function erasePerson(
  context: Context,
  journal: Journal,
  settings: EraseSettings,
): Promise<Erased> {
  const {named, resources} = settings
  const ids = idsIn(resources)
  const store = new JobStore(journal, context.surroundings.now)
  const requests = requestsOf(journal.store.db, resources)
  const rows = rowsOf(store, new Set([...requests.finished, ...requests.open]), ids)
  using recording = await openHere(context)
  const calls = recording?.countOf(ids) ?? 0
  const kept = [...requests.open, ...rows.openJobs]
  const auditEntries = await entriesWith(context, resources)
  const plan = {requests: requests.finished.length, rows: rows.finished.length, calls, kept, auditEntries}
  if (settings.dryRun) return {erased: false, ...plan}
  refuseTransfer(context)
  if (plan.requests + plan.rows + calls === 0) {
    // An earlier run may have been killed before this.
    leaveNoBytes(journal.store.db)
    return {erased: false, ...plan}
  }
  using audit = await context.stores.audit()
  audit.ready()
  const isLive = (await context.service.chosen()).profile.kind === 'live'
  await confirm(context, {
    place: await context.service.place(),
    action: `erase what this machine keeps about ${named.map(words).join(', ')}`,
    consequence: "This can't be undone. Such requests can't be repeated or shown with their fields any more.",
    details: [
      `  ${counted(plan.requests, 'request')}`,
      `  ${counted(plan.rows, 'row')} of bulk jobs`,
      `  ${counted(calls, 'recorded call')}`,
      ...(kept.length === 0 ? [] : [`  not ${kept.join(', ')}: unfinished`]),
      ...(auditEntries === 0 ? [] : [`  not ${auditEntries} in the audit trail, which is sealed`]),
    ],
    // On a live profile, --yes is never enough for what can't be undone.
    demands: named.map(one => ({name: one.slice(one.indexOf(':') + 1), yes: !isLive})),
    confirm: settings.confirm.map(plainId),
  })
  // The mark first: nothing is erased without one.
  const kinds = [...new Set(named.map(one => one.slice(0, one.indexOf(':'))))].join(', ')
  const note = `${kinds}: ${counted(plan.requests, 'request')}, ${counted(plan.rows, 'row')}, ${counted(calls, 'call')}; not ${kept.length} unfinished`
  audit.append(await entryOf(context, 'erase', note))
  journal.upkeep.rememberErased(resources)
  eraseRequests(journal.store.db, requests.finished, resources)
  eraseRows(store, rows.finished)
  recording?.erase(ids)
  leaveNoBytes(journal.store.db)
  return {erased: true, ...plan}
}

/** Removes from an exported journal what was erased here since. */
export async function eraseAgain(journal: Journal): Promise<void> {
  const resources = journal.upkeep.erasedBefore()
  if (resources.length === 0) return
  const store = new JobStore(journal, () => 0)
  const {finished, open} = requestsOf(journal.store.db, resources)
  const rows = rowsOf(store, new Set([...finished, ...open]), idsIn(resources))
  eraseRequests(journal.store.db, finished, resources)
  eraseRows(store, rows.finished)
}

/** The number of entries of the audit trail that touched one of these. */
async function entriesWith(context: Context, resources: readonly string[]): Promise<number> {
  using audit = await context.stores.audit('list')
  let count = 0
  for (const _ of audit.iterate({resources})) count++
  return count
}

/** A transfer that was killed left a copy of all records, and one that runs has one. */
function refuseTransfer({folders: {data}}: Context): void {
  const running = removeKilled(data)
  if (running === undefined) return
  throw new Failure('STORE_UNAVAILABLE', {
    message: `A data export or import is running, which has a copy of the records in ${running}. Nothing was erased.`,
    hint: 'Run the command again when it has ended.',
    effect: 'none',
  })
}

const words = (one: string): string => one.replace(':', ' ')

/** @throws Failure PARTLY_DONE, which names them. */
export function refuseKept({kept}: Erased): void {
  if (kept.length === 0) return
  throw new Failure('PARTLY_DONE', {
    message: `${kept.join(', ')} ${kept.length === 1 ? 'is' : 'are'} not finished and ${kept.length === 1 ? 'was' : 'were'} not erased.`,
    hint: advice`Find out what happened with ${cardctl('requests', 'resolve', 'last')}, or finish the job with ${cardctl('bulk', 'resume', 'last')} or ${cardctl('bulk', 'cancel', 'last')}. Then run the command again.`,
    data: {kept},
  })
}

async function openHere({folders}: Context): Promise<Recording | undefined> {
  const file = recordingFile(folders.data)
  return existsSync(file) ? openRecording(file) : undefined
}
