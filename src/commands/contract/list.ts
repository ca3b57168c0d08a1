import {BaseCommand} from '../../cli/base-command.ts'
import {chosenView} from '../../output/generic.ts'
import {listContracts} from '../x/shared/keep.ts'

export default class ContractList extends BaseCommand {
  static override summary = 'List the imported contracts of the profile.'
  static override examples = [
    '<%= config.bin %> contract import billing.yaml --name billing',
    '<%= config.bin %> contract list',
  ]

  async run() {
    await this.parse(ContractList)
    const contracts = await listContracts(this.context)
    return this.context.printer.list(
      contracts,
      chosenView(['name', 'title', 'version', 'operations', 'source', 'importedAt']),
    )
  }
}
