import type {Context} from '../../../cli/context.ts'
import type {Guide, Suggestion} from '../../../cli/guided/guide.ts'
import {Proposals} from '../../../cli/proposals.ts'
import {refuseEmbedded} from '../../../cli/propose.ts'
import {isSameService} from '../../../cli/same-service.ts'
import {shownProposal} from '../../../cli/shown-proposal.ts'
import {knownOperations} from './known-operations.ts'

/** Enough of an id to tell it from others. */
const SHOWN = 8

/** The proposals that wait for a decision, newest first, for a question. */
async function waitingProposals(context: Context): Promise<readonly Suggestion[]> {
  const {found} = new Proposals(await context.service.target()).all()
  const {identity, words: service} = await context.service.identity()
  const shown = []
  for (const each of found) {
    if (!(await isSameService(context, each.proposal.content.service, identity))) continue
    const known = await knownOperations(context, each.proposal.content.requests)
    shown.push(await shownProposal(context, each, known, {service}))
  }
  return shown
    .filter(({state}) => state === 'open')
    .map(({id, action, by}) => {
      const from = `by ${by.auditUser}`
      return {value: id, from, title: `${action}, ${from} (${id.slice(0, SHOWN)})`}
    })
}

/** What waits is offered where the id of a proposal is asked for. */
export const proposalGuide: Guide = {
  refuses: async context => refuseEmbedded(await context.service.target()),
  suggests: {id: waitingProposals},
  labels: {id: 'Which proposal?'},
}
