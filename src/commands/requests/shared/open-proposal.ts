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
import {LINES, wholeId} from './whole-id.ts'

/** A proposal that this person may decide about, and its folder. */
export interface OpenProposal {
  readonly proposals: Proposals
  readonly found: FoundProposal
  /** The service in the words of the profile. */
  readonly service: string
}

/** A proposal for the service of the profile, decided or not. @throws Failure NOT_FOUND, OTHER_SERVICE */
export async function proposalOf(
  context: Context,
  target: Target,
  id: string,
  verb: 'show' | 'approve' | 'reject' = 'show',
): Promise<OpenProposal> {
  const proposals = openProposals(context, target)
  const found = proposalCalled(proposals, id, verb)
  const {identity, words} = await context.service.identity()
  if (!(await isSameService(context, found.proposal.content.service, identity)))
    throw new Failure('OTHER_SERVICE', {
      message: `Proposal ${id} is for another service than ${words}, which the profile ${target.name} leads to.`,
      effect: 'none',
    })
  return {proposals, found, service: words}
}

/** A shortened id names no proposal, and the whole one may be at hand. */
function proposalCalled(
  proposals: Proposals,
  id: string,
  verb: 'show' | 'approve' | 'reject',
): FoundProposal {
  try {
    return proposals.get(id)
  } catch (error) {
    const whole =
      error instanceof Failure && error.code === 'NOT_FOUND'
        ? wholeId(
            proposals.all().found.map(({proposal}) => proposal.id),
            id,
          )
        : undefined
    if (!(error instanceof Failure) || whole === undefined) throw error
    throw error.with({
      hint: advice`One proposal has an id that begins so. Its whole id: ${LINES[verb](whole)}`,
    })
  }
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
  const opened = await proposalOf(context, target, id, alone ? 'reject' : 'approve')
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
  const {commandLine, flags, interactive} = context
  const open = await openIn(context, openProposals(context, target))
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

/** Those for the service of the profile that wait for a decision. */
export async function openIn(
  context: Context,
  proposals: Pick<Proposals, 'all'>,
): Promise<readonly FoundProposal[]> {
  const {identity} = await context.service.identity()
  const open: FoundProposal[] = []
  for (const found of proposals.all().found) {
    const isOwn = await isSameService(context, found.proposal.content.service, identity)
    if (isOwn && isOpen(found, context.surroundings.now())) open.push(found)
  }
  return open
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
