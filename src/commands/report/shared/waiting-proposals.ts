import type {Context} from '../../../cli/context.ts'
import type {Proposing} from '../../../cli/proposal-setup.ts'
import {type FoundProposal, Proposals} from '../../../cli/proposals.ts'
import {isSameService} from '../../../cli/same-service.ts'
import {transfersIn} from '../../../cli/second-person.ts'
import {shownProposal} from '../../../cli/shown-proposal.ts'
import {Failure} from '../../../errors/failure.ts'
import {joined} from '../../../output/fields.ts'
import {routeWords} from '../../history/shared/route-words.ts'
import {knownOperations} from '../../requests/shared/known-operations.ts'
import type {RejectedProposal, ShiftFilter, WaitingProposal} from './shift-types.ts'

/**
 * What waits for a second person at the service, oldest first, whenever and with whichever profile of this machine it was
 * proposed; what was rejected in the time of the report; and the ids of all that don't wait. A folder that can't be read is a warning: the rest of the report is as good without it.
 */
export async function waitingProposals(
  context: Context,
  {since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, auditUser, ticket}: ShiftFilter,
): Promise<FoundProposals> {
  const {identity, words: service} = await context.service.identity()
  const waiting: WaitingProposal[] = []
  const rejected: RejectedProposal[] = []
  const settled: string[] = []
  for (const {found, refused} of await allProposals(context)) {
    for (const message of refused) context.printer.warn(message)
    for (const each of found) {
      const {content} = each.proposal
      if (!(await isSameService(context, content.service, identity))) continue
      const known = await knownOperations(context, content.requests)
      const {id, at, expiresAt, action, state, note, decision} = await shownProposal(context, each, known, {
        service,
      })
      const transfers = content.requests.flatMap(({input: {body}}) => transfersIn(body) ?? [])
      const words = joined([action, routeWords(transfers)], ' ')
      if (state !== 'open') settled.push(id)
      if (decision?.decision === 'rejected') {
        const decidedAt = Date.parse(decision.at)
        const isIts =
          decidedAt >= since &&
          decidedAt < until &&
          (auditUser === undefined || [content.auditUser, decision.by.auditUser].includes(auditUser)) &&
          (ticket === undefined || content.ticket === ticket)
        if (isIts)
          rejected.push({
            proposal: id,
            at: decision.at,
            action: words,
            proposedBy: content.auditUser,
            rejectedBy: decision.by.auditUser,
            reason: decision.reason,
            ticket: content.ticket,
          })
      }
      const isOther =
        Date.parse(content.at) >= until ||
        (auditUser !== undefined && content.auditUser !== auditUser) ||
        (ticket !== undefined && content.ticket !== ticket)
      if (state !== 'open' || isOther) continue
      waiting.push({
        proposal: id,
        at,
        expiresAt,
        action: words,
        proposedBy: content.auditUser,
        note,
        ticket: content.ticket,
      })
    }
  }
  return {waiting: oldestFirst(waiting), rejected: oldestFirst(rejected), settled}
}

const oldestFirst = <One extends {readonly at: string}>(all: readonly One[]): readonly One[] =>
  all.toSorted((a, b) => a.at.localeCompare(b.at))

interface FoundProposals {
  readonly waiting: readonly WaitingProposal[]
  readonly rejected: readonly RejectedProposal[]
  readonly settled: readonly string[]
}

interface Folder {
  readonly found: readonly FoundProposal[]
  /** What is wrong with others. */
  readonly refused: readonly string[]
}

/** Each folder of proposals once that the profile in use or another one of this machine names. */
async function allProposals({service, printer}: Context): Promise<readonly Folder[]> {
  const target = await service.target()
  if (target.embedded) return []
  const usable = (await service.profiles.list()).filter(({kind}) => kind !== undefined)
  const stored = await Promise.all(
    usable.map(
      async ({name}): Promise<Proposing> => ({...(await service.profiles.stored({profile: name})), name}),
    ),
  )
  const named = [target, ...stored].filter(({proposals}) => proposals !== undefined)
  const folders = new Map(named.toReversed().map(one => [one.proposals, one]))
  return [...folders.values()].flatMap(one => {
    try {
      const {found, refused} = new Proposals(one).all()
      return [{found, refused: refused.map(({message}) => message)}]
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      printer.warn(
        `The proposals of profile ${one.name} could not be read, so they are not in the report. ${error.message}`,
      )
      return []
    }
  })
}
