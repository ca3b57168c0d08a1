import type {AuditEntry} from '../audit/index.ts'
import {Failure} from '../errors/failure.ts'
import type {ProfileChange} from '../profiles/index.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Context} from './context.ts'

/**
 * Changes the stored profiles, with an entry of the audit trail for each. What can't be recorded isn't changed.
 *
 * @param write gives what it changed.
 */
export function recordProfiles(
  context: Context,
  write: () => Promise<readonly ProfileChange[]>,
): Promise<void> {
  return recorded(context, async () =>
    (await write()).map(({profile, what, settings, loosened}) => ({
      profile,
      operation: `profiles.${what}`,
      members: settings,
      note: loosened.length === 0 ? undefined : maskText(loosened.join(', ')),
    })),
  )
}

/** The same for a key of this machine, or one that it trusts. */
export function recordKey(
  context: Context,
  what: {readonly operation: string; readonly note: string},
  change: () => Promise<void> | void,
): Promise<void> {
  return recorded(context, async () => {
    await change()
    return [{profile: '', ...what}]
  })
}

async function recorded(
  context: Context,
  change: () => Promise<readonly Pick<AuditEntry, 'profile' | 'operation' | 'members' | 'note'>[]>,
): Promise<void> {
  const {osUser} = context.surroundings
  using audit = await context.stores.audit()
  audit.ready()
  const entries = await change()
  audit.append(
    entries.map(entry => ({...entry, kind: 'change', osUser, auditUser: osUser, outcome: 'done'}) as const),
  )
}

/** Records later what can't be recorded when it happens. */
export interface LateRecords {
  /** Requests whose end waits. */
  readonly ids: readonly string[]
  addEnd(id: string, record: () => Promise<void>): void
  addRefusal(user: string): void
}

/** An entry for what the gate refused; none for what is only tested. The refusal itself is said in any case. */
export async function recordRefusal(context: Context, command: string, failure: Failure): Promise<void> {
  if (context.surroundings.explainPolicy !== undefined) return
  try {
    await appendRefusal(context, command, failure)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.surroundings.lateRecords?.addRefusal(context.surroundings.osUser)
    context.debug(`The refusal could not be recorded: ${error.message}`)
  }
}

/** @throws Failure if it can't be recorded */
export async function appendRefusal(context: Context, command: string, {message}: Failure): Promise<void> {
  const {surroundings, service, flags} = context
  const {osUser} = surroundings
  const {name = flags.profile ?? '', auditUser = osUser} = service.known ?? {}
  const profile = context.changes ?? name
  using audit = await context.stores.audit()
  audit.append({
    kind: 'refuse',
    osUser,
    auditUser,
    profile,
    operation: command,
    note: maskText(message),
    outcome: 'refused',
  })
}
