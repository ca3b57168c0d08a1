import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {checkFlags, checkService, writeCheckPage} from './shared/check-service.ts'
import {contractCheckView} from './shared/check-view.ts'

export default class ContractCheck extends BaseCommand {
  static override summary = 'Compare the responses of a service with the contract, operation by operation.'
  static override description =
    'Sends read requests only, one after another, at the rate of the profile. Without --with-write nothing is changed, and no secret is requested. Ids come from the flags or from earlier responses: --card alone is enough to find the account, the customer and the reference number. With --contract, the service is compared with an imported document, with ids from its lists and from --id. On a profile with a dialect, or with --dialect, the dialect is checked: members that are not where it says, and values that it does not know, are listed. With --with-write, an account of a test profile is also blocked and unblocked. The report has places, types and status codes but no values, so you can send it to the people who run the service.'
  static override examples = [
    '<%= config.bin %> contract check --card 3101',
    {
      description: 'Write a page for the operator of the service',
      command: '<%= config.bin %> contract check --card 3101 --html differences.html',
    },
    {
      description: `In a pipeline: exit ${exitOf('ANSWER_INVALID')} if a response differs`,
      command: '<%= config.bin %> contract check --card 3101 --strict -o json',
    },
  ]
  static override flags = checkFlags

  async run() {
    const {flags} = await this.parse(ContractCheck)
    const {check, failure} = await checkService(this.context, flags)
    if (flags.html !== undefined) await writeCheckPage(flags.html, check)
    await this.context.printer.data(check, contractCheckView)
    if (failure) throw failure
    return check
  }
}
