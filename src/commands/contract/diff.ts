import {optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {compareContracts, compareFlags, differencesFailure} from './shared/compare-contracts.ts'
import {contractDifferencesView} from './shared/views.ts'

export default class ContractDiff extends BaseCommand {
  static override summary = 'Compare the built-in contract with an OpenAPI document, or two versions of one.'
  static override description =
    `A request breaks if the new document accepts less: a new required field, a narrower type or enum, a lower limit. A response breaks if a field that a command needs is missing or has another type. Operations are matched by method and path, with the prefixes of the contract and the words of the profile. Exits with ${exitOf('COMMANDS_BREAK')} if a built-in command would break. Operations that only the sandbox has are left out.`
  static override examples = [
    {description: '11: commands would fail', command: '<%= config.bin %> contract diff service.yaml'},
    {
      description: '11: commands would fail. Only what the document says about PINs',
      command: '<%= config.bin %> contract diff service.yaml --topic pin -o json',
    },
    {
      description: 'Two versions of a document',
      command: '<%= config.bin %> contract diff billing.yaml billing-2.yaml',
    },
    {
      description: 'The contract that was imported into the profile, and a newer version of it',
      command: '<%= config.bin %> contract import billing.yaml --name billing',
    },
    '<%= config.bin %> contract diff billing billing-2.yaml',
  ]
  static override args = {
    contract: optionalArg(
      'An OpenAPI document, or the name of an imported contract; - reads stdin. The only imported one without',
    ),
    newer: optionalArg('A newer version of it, to compare the first one with'),
  }
  static override flags = compareFlags

  async run() {
    const {args, flags} = await this.parse(ContractDiff)
    const {context, config} = this
    const differences = await context.surroundings.abandonably(() =>
      compareContracts(context, config, [args.contract, args.newer], flags),
    )
    await context.printer.data(differences, contractDifferencesView)
    const failure = differencesFailure(differences)
    if (failure) throw failure
    return differences
  }
}
