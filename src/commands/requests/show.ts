import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {isKeptId} from '../../cli/proposal-content.ts'
import {RequestWords} from '../../cli/request-words.ts'
import {shownProposal} from '../../cli/shown-proposal.ts'
import type {RequestRecord} from '../../journal/index.ts'
import {proposalView} from '../../output/proposals.ts'
import {requestView} from '../../output/requests.ts'
import {proposers} from '../history/shared/proposers.ts'
import {knownOperations} from './shared/known-operations.ts'
import {proposalOf} from './shared/open-proposal.ts'
import {requestIn, type ShownRequest, shownRequest} from './shared/shown-request.ts'

export default class RequestsShow extends BaseCommand {
  static override summary = 'Show a request of the journal: the fields that were sent, and the outcome.'
  static override description =
    'With the id of a proposal, shows what it would send, each transfer in a row. More: cardctl help four-eyes.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000',
    '<%= config.bin %> requests show last',
    '<%= config.bin %> requests show p_0123456789abcdef0123456789abcdef01234567 -p prod',
  ]
  static override args = {id: idArg('the request', {last: 'the newest', more: '; or of a proposal'})}

  async run() {
    const {args} = await this.parse(RequestsShow)
    if (isKeptId(args.id)) return this.showProposal(args.id)
    using journal = await this.context.stores.journal()
    const record = requestIn(journal, args.id)
    const found: ShownRequest = {
      ...shownRequest(await RequestWords.open(journal), record, journal),
      ...(await this.proposedOf(record)),
    }
    await this.context.printer.data(found, requestView)
    return found
  }

  /** Who proposed what was approved, and why. */
  private async proposedOf({proposal, note}: RequestRecord) {
    if (proposal === undefined) return {}
    using audit = await this.context.stores.audit('list')
    const {by, note: why} = proposers(audit)(proposal) ?? {}
    return {
      ...(by === undefined ? {} : {proposedBy: by}),
      ...(note === undefined || why === undefined ? {} : {proposedNote: why}),
    }
  }

  /** A proposal waits in the folder that colleagues share, with every row of it. */
  private async showProposal(id: string) {
    const target = await this.context.service.target()
    const {found, service} = await proposalOf(this.context, target, id)
    const known = await knownOperations(this.context, found.proposal.content.requests)
    const shown = await shownProposal(this.context, found, known, {service, rows: true})
    await this.context.printer.data(shown, proposalView)
    return shown
  }
}
