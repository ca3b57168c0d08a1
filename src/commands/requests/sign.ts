import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {confirmFlags} from '../../cli/flags.ts'
import {isOpenAt} from '../../cli/proposals.ts'
import {entriesOf} from '../../cli/propose.ts'
import {shownProposal} from '../../cli/shown-proposal.ts'
import {Failure} from '../../errors/failure.ts'
import {genericView} from '../../output/generic.ts'
import {proposalView} from '../../output/proposals.ts'
import {fingerprintOf} from '../data/shared/machine-key.ts'
import {knownOperations} from './shared/known-operations.ts'
import {readProposal, unusable, writeApproval} from './shared/proposal-file.ts'
import {signApproval} from './shared/signed-decision.ts'

/** Enough of an id to tell it from others. */
const TYPED = 10

export default class RequestsSign extends BaseCommand {
  static override summary = 'Approve a proposal of another machine, with the key of this one.'
  static override description =
    'Shows all that the proposal would send, asks, and writes a signed approval; nothing is sent. The policy of the other machine names your key, which data keys shows. There it is sent with requests approve --signed. More: cardctl help four-eyes.'
  static override examples = [
    '<%= config.bin %> requests sign p_0123456789abcdef0123456789abcdef01234567.json',
  ]
  static override args = {file: requiredArg('The file of the proposal, with its name')}
  static override flags = {
    to: Flags.string({
      helpValue: 'FILE',
      summary: 'New file for the approval, by default ID.approval.json here.',
    }),
    user: Flags.string({
      helpValue: 'NAME',
      summary: 'Your name in the policy there; by default your user here.',
    }),
    ...confirmFlags,
  }

  async run() {
    const {args, flags} = await this.parse(RequestsSign)
    const {context} = this
    const {caller, interactive, printer, surroundings} = context
    if (caller.kind === 'agent' && !interactive)
      throw new Failure('GATE_REFUSED', {
        message: 'An agent approves nothing.',
        hint: 'A person signs in a terminal.',
        effect: 'none',
      })
    const {id, content, address} = await readProposal(this.context, args.file)
    if (!isOpenAt(content, surroundings.now()))
      throw unusable(args.file, `it expired at ${content.expiresAt}, or is made later than now`)
    const by = {uid: -1, osUser: content.auditUser}
    const known = await knownOperations(context, content.requests)
    const found = {proposal: {id, content, by}, decision: undefined}
    // On the machine where it was proposed the owner of the file counts, and the profile. Here only the file speaks.
    const said = (words: string) => `${words} (as the proposal says)`
    const asSaid = {...found, proposal: {...found.proposal, by: {...by, osUser: said(by.osUser)}}}
    const service = said(address)
    const shown = await shownProposal(context, asSaid, known, {service, rows: true})
    await printer.noteView(shown, proposalView, {paged: true})
    await confirm(context, {
      place: {at: service},
      action: `approve proposal ${id}`,
      consequence: `${shown.action}. It can be sent until ${content.expiresAt}.`,
      demands: [{name: id.slice(0, TYPED), yes: false}],
      confirm: [flags.confirm ?? []].flat(),
    })
    const approval = signApproval(context, id, flags.user ?? surroundings.osUser)
    const key = fingerprintOf(approval.signature.publicKey)
    const {proposal, at, signedBy} = approval
    using audit = await context.stores.audit()
    audit.ready()
    const file = flags.to ?? `${id}.approval.json`
    await writeApproval(file, approval)
    const person = {name: '', auditUser: signedBy}
    audit.append(entriesOf(context, person, found.proposal, known, {kind: 'approve'}))
    const signed = {proposal, at, signedBy, key, file}
    await printer.data(signed, genericView)
    return signed
  }
}
