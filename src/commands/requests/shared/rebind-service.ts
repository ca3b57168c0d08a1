import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal, OtherJournal} from '../../../journal/index.ts'

/** The records that moved from a service's old base URL to the new one. */
export interface Rebound {
  readonly from: string
  readonly to: string
  readonly requests: number
  readonly jobs: number
}

/**
 * Merges the journal of a service's old base URL into that of the new one.
 *
 * @throws Failure NOT_FOUND or USAGE if the journal can't be determined; USAGE if something in it is still running;
 * CONFIRMATION_…
 */
export async function rebindService(
  context: Context,
  flags: {readonly from?: string | undefined; readonly confirm?: string | undefined},
): Promise<Rebound> {
  const {name, profile, embedded, auditUser} = await context.service.chosen()
  if (embedded) {
    throw new Failure('USAGE', {
      message: 'The embedded sandbox has no address, so it cannot have moved.',
      hint: 'Name the profile of the service with -p.',
    })
  }
  using journal = await context.stores.journal()
  using audit = await context.stores.audit()
  // If the audit trail can't be written, change nothing.
  audit.ready()
  const old = oldJournal(journal, flags.from)
  const {requests, jobs} = journal.others.sizeOf(old)
  await confirm(context, {
    place: await context.service.place(),
    action: `take over ${requests} requests and ${jobs} bulk jobs of ${old.service} for ${journal.service.words}`,
    consequence: 'If these are two services, requests of one go out to the other.',
    // By naming the new host, the user confirms that it is the same service.
    demands: [{name: new URL(profile.baseUrl).host, yes: false}],
    confirm: [flags.confirm ?? []].flat(),
  })
  const adopted = journal.others.adopt(old)
  const {osUser} = context.surroundings
  audit.append({
    kind: 'write',
    osUser,
    auditUser,
    profile: name,
    operation: 'requests.rebind',
    resources: [old.id, journal.service.id],
    outcome: 'done',
  })
  return {from: old.service, to: journal.service.words, ...adopted}
}

function oldJournal(journal: Journal, from: string | undefined): OtherJournal {
  const found = journal.others.adoptable(from)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const listed = journal.others.all().map(({id, service}) => `${id} (${service})`)
  throw new Failure(found.length === 0 ? 'NOT_FOUND' : 'USAGE', {
    message:
      from !== undefined
        ? `No other journal here is named ${from}.`
        : found.length === 0
          ? 'This profile was used with no other service.'
          : 'This profile was used with several other services.',
    hint:
      listed.length === 0
        ? 'There is nothing to take over.'
        : `Name the old one with --from: ${listed.join(', ')}`,
  })
}
