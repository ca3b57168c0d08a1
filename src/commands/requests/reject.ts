import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {isAnswer} from '../../cli/guided/check-answer.ts'
import {profileOf} from '../../cli/profile-of.ts'
import type {Proposal} from '../../cli/proposals.ts'
import {entriesOf, verdictOf} from '../../cli/propose.ts'
import {type KnownOperations, shownProposal} from '../../cli/shown-proposal.ts'
import type {Hint} from '../../errors/advice.ts'
import {proposalView} from '../../output/proposals.ts'
import {knownOperations} from './shared/known-operations.ts'
import {proposalMissing} from './shared/missing-id.ts'
import {openProposal} from './shared/open-proposal.ts'
import {proposalGuide} from './shared/waiting-proposals.ts'

export default class RequestsReject extends BaseCommand {
  static override summary =
    'Reject a proposed request, so that nobody can approve it. You can withdraw your own, too.'
  static override examples = [
    '<%= config.bin %> requests reject p_0123456789abcdef0123456789abcdef01234567 --reason "Wrong account" -p prod',
  ]
  static override args = {
    id: idArg('the proposal', {last: true, more: '; in a terminal also last, if only one waits'}),
  }
  static override flags = {reason: Flags.string({summary: 'Why, for the person who proposed it.'})}
  static override guide = proposalGuide

  protected override async usageHint(): Promise<Hint | undefined> {
    return proposalMissing(this.contextWith(profileOf(this.argv)), 'reject', this.argv)
  }

  async run() {
    const {args, flags} = await this.parse(RequestsReject)
    const target = await this.context.service.target()
    const {proposals, found, service} = await openProposal(this.context, target, args.id, {alone: true})
    const {proposal} = found
    const known = await knownOperations(this.context, proposal.content.requests)
    using audit = await this.context.stores.audit()
    audit.ready()
    const reason = flags.reason ?? (await this.askReason(proposal, known, service))
    const decision = proposals.decide(found, verdictOf(this.context, target, 'rejected', reason))
    audit.append(entriesOf(this.context, target, proposal, known, {kind: 'reject'}))
    const shown = await shownProposal(this.context, {proposal, decision}, known, {service, rows: true})
    await this.context.printer.data(shown, proposalView)
    return shown
  }

  /** A rejection without a reason leads to the same proposal once more. */
  private async askReason(
    proposal: Proposal,
    known: KnownOperations,
    service: string,
  ): Promise<string | undefined> {
    if (!this.context.interactive || this.context.flags.yes) return undefined
    const {action, by} = await shownProposal(this.context, {proposal, decision: undefined}, known, {service})
    this.context.printer.note(`Proposed by ${by.auditUser}: ${action}`)
    const reason = await this.context.prompter.text(
      `Why not? ${by.auditUser} reads it (Enter to leave it out)`,
      text => text.trim() === '' || isAnswer(text),
    )
    if (reason.trim() === '') return undefined
    this.answered('--reason', reason)
    return reason
  }
}
