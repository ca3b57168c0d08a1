import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {operationFlags} from '../../cli/flags.ts'
import {contractCheckView} from '../../output/views/contract-check.ts'
import {bidFlag} from '../remotecheckout/shared/remote-checkout-command.ts'
import {checkedFailure, checkService, writeCheckPage} from './shared/check-service.ts'

export default class ContractCheck extends BaseCommand {
  static override summary = 'Compare the responses of a service with the contract, operation by operation.'
  static override description =
    'Sends reads only, one after the other at the pace of the profile; nothing that changes something or hands out a secret. Ids come from the flags, or from answers that were read before: --card alone leads to its account, its customer and its reference number. The report names places, types and statuses and holds no value of an answer, so that it can be sent to whoever runs the service.'
  static override examples = [
    '<%= config.bin %> contract check -p staging --card 3001',
    {
      description: 'A page to send to whoever runs the service',
      command:
        '<%= config.bin %> contract check -p staging --card 3001 --customer 1001 --html differences.html',
    },
    {
      description: 'A gate in a pipeline: exit 8 where an answer differs',
      command: '<%= config.bin %> contract check -p staging --card 3001 --strict -o json',
    },
  ]
  static override flags = {
    card: idFlag({summary: 'Id of a card to read.'}),
    account: idFlag({summary: "Id of an account; else the card's."}),
    customer: idFlag({summary: "Id of a customer; else the card's."}),
    reference: idFlag({summary: "Reference number of a card; else the card's."}),
    batch: idFlag({summary: 'Id of a batch of transfers; else the first of the list.'}),
    trace: idFlag({summary: 'Trace of a remote checkout operation.'}),
    ...bidFlag,
    html: Flags.string({helpValue: 'FILE', summary: 'Also write the report as one HTML page.'}),
    strict: operationFlags.strict,
    'audit-user': operationFlags['audit-user'],
  }

  async run() {
    const {flags} = await this.parse(ContractCheck)
    const check = await checkService(this.context, flags)
    if (flags.html !== undefined) await writeCheckPage(flags.html, check)
    await this.context.printer.data(check, contractCheckView)
    const failure = await checkedFailure(this.context, check)
    if (failure) throw failure
    return check
  }
}
