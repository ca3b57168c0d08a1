import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {importContract, importFlags} from '../x/shared/keep.ts'
import {importView} from './shared/import-view.ts'

export default class ContractImport extends BaseCommand {
  static override summary = 'Create commands from an OpenAPI document: x <tag> <operation>.'
  static override description =
    'Reads OpenAPI 3.0, 3.1 or 3.2, as JSON or YAML. Referenced files must be in the folder of the document or below it; nothing is fetched. The commands send requests to the base URL of the profile, with its credentials: the servers in the document are never called. An import with the same name replaces the earlier one.'
  static override examples = [
    '<%= config.bin %> contract import billing.yaml --name billing',
    {
      description: 'Say which operations only read, hand out a secret, or destroy',
      command:
        '<%= config.bin %> contract import billing.yaml --name billing --prefix /v2 --effects effects.yaml',
    },
    'cat billing.yaml | <%= config.bin %> contract import - --name billing',
  ]
  static override args = {file: requiredArg('The document; - reads it from stdin')}
  static override flags = importFlags

  async run() {
    const {args, flags} = await this.parse(ContractImport)
    const result = await importContract(this.context, args.file, flags)
    await this.context.printer.data(result, importView)
    return result
  }
}
