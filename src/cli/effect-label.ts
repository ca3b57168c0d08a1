import type {Operation} from '../contract/operation.ts'
import type {Target} from '../profiles/target.ts'
import {confirm} from './confirm.ts'
import type {Context} from './context.ts'

/** A POST that only the dialect says is a read: on a live profile a person agrees to that first. */
export function asSaid<Given extends Operation>(operation: Given, {dialect}: Pick<Target, 'dialect'>): Given {
  return operation.form === undefined && dialect?.isOnlySaidToRead(operation)
    ? {...operation, loosened: {from: 'write', to: 'read', document: dialect.digest}}
    : operation
}

/** On a live profile the user's choice is no mark: journal, retries and masks go by the document. */
export function asDocumented<Given extends Operation>(operation: Given, {kind}: Pick<Target, 'kind'>): Given {
  return operation.loosened === undefined || kind !== 'live'
    ? operation
    : {...operation, effect: operation.loosened.from}
}

/**
 * Whether a person has agreed that the operation counts as the chosen effect on this live profile. In a terminal asks for
 * the profile's name, once for each import of the document; the audit trail remembers it.
 *
 * @throws Failure CONFIRMATION_DECLINED
 */
export async function labelCounts(
  context: Context,
  target: Target,
  {id: operation, summary}: Operation,
  {from, to, document}: NonNullable<Operation['loosened']>,
): Promise<boolean> {
  const note = `counts as ${to}, document ${document}`
  using audit = await context.stores.audit()
  for (const entry of audit.newest({kind: 'label', operations: [operation], profile: target.name}))
    if (entry.note === note) return true
  if (!context.interactive) return false
  audit.ready()
  await confirm(context, {
    place: target,
    action: `let "${summary}" count as ${to}`,
    consequence: `Its document says ${from}, and your file of effects says ${to}. From now on it is sent without the questions of ${from}.`,
    demands: [{name: target.name, yes: false}],
  })
  audit.append({
    kind: 'label',
    osUser: context.surroundings.osUser,
    auditUser: target.auditUser,
    responsible: target.responsible,
    profile: target.name,
    operation,
    note,
    outcome: 'done',
  })
  return true
}
