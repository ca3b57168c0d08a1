import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {removeContractOf} from '../x/shared/keep.ts'

export default class ContractRemove extends BaseCommand {
  static override summary = 'Remove an imported contract from the profile. The document itself stays.'
  static override examples = [
    '<%= config.bin %> contract import billing.yaml --name billing',
    '<%= config.bin %> contract remove billing',
  ]
  static override args = {name: requiredArg('Name of the contract')}

  async run() {
    const {args} = await this.parse(ContractRemove)
    const profile = await removeContractOf(this.context, args.name)
    this.context.printer.note(`The contract ${args.name} is removed from the profile ${profile}.`)
  }
}
