import {LAST} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {refuseDecidedHere} from '../../../cli/decided-here.ts'
import {refuseOtherDialect} from '../../../cli/other-dialect.ts'
import {isTryOut} from '../../../cli/proposal-setup.ts'
import {refuseOtherTenantMark} from '../../../cli/proposal-tenant.ts'
import {type FoundProposal, type Proposals, refuseDecided, refuseSamePerson} from '../../../cli/proposals.ts'
import {openProposals, personOf} from '../../../cli/propose.ts'
import {isSameService} from '../../../cli/same-service.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Target} from '../../../profiles/target.ts'

/** A proposal that this person may decide about, and its folder. */
export interface OpenProposal {
  readonly proposals: Proposals
  readonly found: FoundProposal
  /** The service in the words of the profile. */
  readonly service: string
}

/** A proposal for the service of the profile, decided or not. @throws Failure NOT_FOUND, OTHER_SERVICE */
export async function proposalOf(context: Context, target: Target, id: string): Promise<OpenProposal> {
  const proposals = openProposals(context, target)
  const found = proposals.get(id)
  const {identity, words} = await context.service.identity()
  if (!(await isSameService(context, found.proposal.content.service, identity)))
    throw new Failure('OTHER_SERVICE', {
      message: `Proposal ${id} is for another service than ${words}, which the profile ${target.name} leads to.`,
      effect: 'none',
    })
  return {proposals, found, service: words}
}

/**
 * @param alone permits the person who made it.
 * @param signed there is an approval by somebody on another machine.
 * @throws Failure if it is not there, decided, expired, or of another service.
 */
export async function openProposal(
  context: Context,
  target: Target,
  given: string,
  {alone = false, signed = false} = {},
): Promise<OpenProposal> {
  const id = given === LAST ? await onlyOpen(context, target) : given
  const opened = await proposalOf(context, target, id)
  const {found} = opened
  const {proposal} = found
  if (!alone) await refuseOtherTenantMark(id, proposal.content.tenant, target)
  refuseDecided(found, context.surroundings.now())
  await refuseDecidedHere(context, proposal, signed)
  const {dialect, requests} = proposal.content
  if (!alone) refuseOtherDialect('Proposal', {id, dialect, operation: requests[0]?.operation ?? ''}, target)
  if (!alone && !signed) refuseSamePerson(proposal, personOf(target), isTryOut(target))
  if (!alone && !signed && target.responsible !== undefined)
    throw new Failure('GATE_REFUSED', {
      message: `A second person must approve this, and ${target.auditUser} is a machine.`,
      hint: 'Name the person who approves with --audit-user.',
      effect: 'none',
    })
  return opened
}

/**
 * `last` is the one that waits. Of several, nobody has said which; and who is not asked has to name what they have read.
 *
 * @throws Failure NOT_FOUND, USAGE
 */
async function onlyOpen(context: Context, target: Target): Promise<string> {
  const {commandLine, flags, interactive, service, surroundings} = context
  const {identity} = await service.identity()
  const open: FoundProposal[] = []
  for (const found of openProposals(context, target).all().found) {
    const isOwn = await isSameService(context, found.proposal.content.service, identity)
    if (isOwn && isOpen(found, surroundings.now())) open.push(found)
  }
  const [only] = open
  const hint = advice`See what waits: ${commandLine('requests', 'proposals')}`
  if (only === undefined)
    throw new Failure('NOT_FOUND', {message: 'No proposal waits for a decision.', hint, effect: 'none'})
  if (open.length > 1)
    throw new Failure('USAGE', {
      message: `${open.length} proposals wait for a decision, so ${LAST} does not say which.`,
      hint,
      effect: 'none',
    })
  if (!interactive || flags.yes)
    throw new Failure('USAGE', {
      message: `${LAST} is for a person who is shown the proposal and asked. Name its id.`,
      hint,
      effect: 'none',
    })
  return only.proposal.id
}

function isOpen(found: FoundProposal, now: number): boolean {
  try {
    refuseDecided(found, now)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
