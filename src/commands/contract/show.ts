import * as Flags from '@oclif/core/flags'
import {severalArgs} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {fieldKindsView, fieldsOfContract} from './shared/field-kinds.ts'
import {operationDetails} from './shared/operation-details.ts'
import {ownContract, readContract, storedContracts} from './shared/read-contract.ts'
import {dialectView, showDialect} from './shared/show-dialect.ts'
import {contractOperationView} from './shared/views.ts'

export default class ContractShow extends BaseCommand {
  static override summary = 'Show one operation of a contract: request, responses, schemas, examples.'
  static override description =
    'OPERATION is an operationId, a method and path, or a command that sends one operation. With -o json, the output includes the schemas, each complete in itself. With --dialect, it shows how a service carries out the built-in operations: leave out OPERATION for all of them, and name a file to see one that no profile uses.'
  static override examples = [
    '<%= config.bin %> contract show cards.get.v4',
    '<%= config.bin %> contract show "GET /v4/{id}"',
    '<%= config.bin %> contract show cards payment-info -o json --query request.example',
    {
      description: 'An operation of an OpenAPI document of your own',
      command: '<%= config.bin %> contract show getInvoice --contract billing.yaml',
    },
    {
      description: 'An operation of a contract that was imported into the profile',
      command: '<%= config.bin %> contract import billing.yaml --name billing',
    },
    '<%= config.bin %> contract show x invoices get-invoice',
    {
      description:
        'What its fields were taken for, as a file to edit and give back to contract import --secrets',
      command: '<%= config.bin %> contract show --secrets --contract billing -o yaml > secrets.yaml',
    },
    {
      description: 'What a dialect maps',
      command: '<%= config.bin %> contract show --dialect dialects/harbour.yaml',
    },
    '<%= config.bin %> contract show --dialect dialects/harbour.yaml cards get',
  ]
  static override strict = true
  static override args = {operation: severalArgs('operationId, method and path, or a command')}
  static override flags = {
    contract: Flags.string({
      helpValue: 'NAME|FILE|-',
      summary:
        'Imported contract or OpenAPI document to search (default: the built-in contract and the imported contracts of the profile).',
    }),
    secrets: Flags.boolean({
      summary:
        'Show instead which fields of an imported contract were taken for a secret, for personal data or for an id, and why. With -o yaml, a file for contract import --secrets.',
    }),
    dialect: Flags.boolean({
      summary:
        'Show instead what the dialect of the profile, or the dialect file given, says of each built-in operation.',
      exclusive: ['contract', 'secrets'],
    }),
  }

  static override guide: Guide = {needs: [{anyOf: ['operation'], or: ['--secrets', '--dialect']}]}

  async run() {
    const {args, flags} = await this.parse(ContractShow)
    const {context, config} = this
    if (flags.secrets) {
      const fields = await fieldsOfContract(context, flags.contract)
      await context.printer.data(fields, fieldKindsView)
      return fields
    }
    const given = [args.operation ?? []].flat()
    if (flags.dialect) {
      const shown = await showDialect(context, config, given)
      await context.printer.data(shown, dialectView)
      return shown
    }
    const words = given.join(' ')
    const contracts =
      flags.contract === undefined
        ? [await ownContract(config), ...(await storedContracts(context))]
        : [await readContract(context, flags.contract)]
    const details = await operationDetails(contracts, words, config)
    await context.printer.data(details, contractOperationView)
    return details
  }
}
