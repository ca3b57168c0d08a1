import type {Context} from '../../../cli/context.ts'
import {type FoundProposal, Proposals, refuseDecided, refuseSamePerson} from '../../../cli/proposals.ts'
import {personOf} from '../../../cli/propose.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Target} from '../../../profiles/target.ts'

/** A proposal that this person may decide about, and its folder. */
export interface OpenProposal {
  readonly folder: Proposals
  readonly found: FoundProposal
}

/**
 * @param alone permits the person who made it.
 * @throws Failure if it is not there, decided, expired, or of another service.
 */
export async function openProposal(
  context: Context,
  target: Target,
  id: string,
  {alone = false} = {},
): Promise<OpenProposal> {
  const folder = new Proposals(target)
  const found = folder.get(id)
  const {identity, words} = await context.service()
  if (found.proposal.service !== identity)
    throw new Failure('OTHER_SERVICE', {
      message: `Proposal ${id} is for ${found.proposal.serviceWords}, and the profile ${target.name} leads to ${words}.`,
      effect: 'none',
    })
  refuseDecided(found, context.surroundings.now())
  if (!alone) refuseSamePerson(found.proposal.by, personOf(context, target))
  if (!alone && target.responsible !== undefined)
    throw new Failure('GATE_REFUSED', {
      message: `A second person must approve this, and ${target.auditUser} is a machine.`,
      hint: 'Name the person who approves with --audit-user.',
      effect: 'none',
    })
  return {folder, found}
}
