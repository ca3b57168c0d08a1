import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import type {FoundProposal} from '../../cli/proposals.ts'
import {openProposals} from '../../cli/propose.ts'
import {isSameService} from '../../cli/same-service.ts'
import {shownProposal} from '../../cli/shown-proposal.ts'
import {proposalListView} from '../../output/proposals.ts'
import {knownOperations} from './shared/known-operations.ts'

export default class RequestsProposals extends BaseCommand {
  static override summary = 'List the requests that wait for a second person, newest first.'
  static override examples = [
    '<%= config.bin %> requests proposals -p prod',
    '<%= config.bin %> requests proposals -p prod --all',
  ]
  static override flags = {
    all: Flags.boolean({summary: 'Also those that were approved or rejected, or have expired.'}),
  }

  async run() {
    const {flags} = await this.parse(RequestsProposals)
    const {found, refused} = openProposals(this.context, await this.context.service.target()).all()
    const {identity, words} = await this.context.service.identity()
    for (const {message} of refused) this.context.printer.warn(message)
    const own: FoundProposal[] = []
    for (const each of found)
      if (await isSameService(this.context, each.proposal.content.service, identity)) own.push(each)
    const known = await knownOperations(
      this.context,
      own.flatMap(({proposal}) => proposal.content.requests),
    )
    const shown = []
    for (const each of own) shown.push(await shownProposal(this.context, each, known, {service: words}))
    return this.context.printer.list(
      flags.all ? shown : shown.filter(({state}) => state === 'open'),
      proposalListView,
    )
  }
}
