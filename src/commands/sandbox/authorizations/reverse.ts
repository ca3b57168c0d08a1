import * as Flags from '@oclif/core/flags'
import {idArg} from '../../../cli/arguments.ts'
import {decimalFlag} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {authorisationDetailView} from '../shared/authorisation-views.ts'
import {ASKING_MS, askedByEmbedded, sandboxWebhookFlags} from '../shared/outgoing-calls.ts'

export default class SandboxAuthorizationsReverse extends operationCommand('sandbox.authorisations.reverse') {
  static override summary = 'Reverse an authorisation, in full or down to a lower amount.'
  static override examples = [
    '<%= config.bin %> sandbox authorizations reverse a_0 --down-to 3',
    '<%= config.bin %> sandbox authorizations reverse a_0',
  ]
  static override args = {id: idArg('the authorisation')}
  static override flags = {
    'down-to': Flags.string({summary: 'Amount to keep held, in the currency of the purchase (default 0).'}),
    ...decimalFlag,
    ...sandboxWebhookFlags,
  }

  async run() {
    const {args, flags} = await this.parse(SandboxAuthorizationsReverse)
    this.embedded = await askedByEmbedded(this.context, flags)
    const operation = 'sandbox.authorisations.reverse'
    const replacementAmount = await this.context.numbers.amount(flags['down-to'], '--down-to')
    const body = replacementAmount === undefined ? {} : {replacementAmount}
    const call = {operation, path: {id: args.id}, body} as const
    return this.execute(call, flags, authorisationDetailView, {timeoutMs: ASKING_MS})
  }
}
