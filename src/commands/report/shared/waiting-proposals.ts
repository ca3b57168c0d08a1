import type {Context} from '../../../cli/context.ts'
import {Proposals} from '../../../cli/proposals.ts'
import {isSameService} from '../../../cli/same-service.ts'
import {shownProposal} from '../../../cli/shown-proposal.ts'
import {Failure} from '../../../errors/failure.ts'
import {knownOperations} from '../../requests/shared/known-operations.ts'
import type {ShiftFilter, WaitingProposal} from './shift-types.ts'

/**
 * What waits for a second person in the folder of the profile, oldest first, whenever it was proposed. A folder that
 * can't be read is a warning: the rest of the report is as good without it.
 */
export async function waitingProposals(
  context: Context,
  {until = Number.POSITIVE_INFINITY, auditUser, ticket}: ShiftFilter,
): Promise<readonly WaitingProposal[]> {
  const target = await context.service.target()
  if (target.embedded || target.proposals === undefined) return []
  const {identity, words: service} = await context.service.identity()
  const waiting: WaitingProposal[] = []
  try {
    const {found, refused} = new Proposals(target).all()
    for (const {message} of refused) context.printer.warn(message)
    for (const each of found) {
      const {content} = each.proposal
      if (!(await isSameService(context, content.service, identity))) continue
      if (Date.parse(content.at) >= until) continue
      if (auditUser !== undefined && content.auditUser !== auditUser) continue
      if (ticket !== undefined && content.ticket !== ticket) continue
      const known = await knownOperations(context, content.requests)
      const {id, at, expiresAt, action, state, note} = await shownProposal(context, each, known, {service})
      if (state !== 'open') continue
      waiting.push({
        proposal: id,
        at,
        expiresAt,
        action,
        proposedBy: content.auditUser,
        note,
        ticket: content.ticket,
      })
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.printer.warn(`The proposals could not be read, so they are not in the report. ${error.message}`)
  }
  return waiting.reverse()
}
