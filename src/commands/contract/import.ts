import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {importView} from '../../output/views/imported.ts'
import {importContract} from '../x/shared/keep.ts'

export default class ContractImport extends BaseCommand {
  static override summary = 'Make commands of an OpenAPI document: x <tag> <operation>.'
  static override description =
    "Takes OpenAPI 3.0, 3.1 or 3.2, as JSON or YAML. Files that the document refers to are read at or below its own folder; nothing is fetched. The commands send to the profile's address with the profile's credentials: the document's servers are never called. An import under the same name replaces the earlier one."
  static override examples = [
    '<%= config.bin %> contract import billing.yaml --name billing -p staging',
    '<%= config.bin %> contract import api.json --name core --prefix /v2 --effects effects.yaml',
    'curl -s https://api.example/openapi.json | <%= config.bin %> contract import - --name core',
  ]
  static override args = {file: requiredArg('The document; - reads it from stdin')}
  static override flags = {
    name: Flags.string({required: true, summary: 'What to call it.'}),
    prefix: Flags.string({
      helpValue: '/v2',
      summary: "Path to put before every path of the document, below the profile's base URL.",
    }),
    effects: Flags.string({
      helpValue: 'FILE',
      summary: 'Effects that differ from those of the methods, such as "searchOrders: read", one a line.',
    }),
  }

  async run() {
    const {args, flags} = await this.parse(ContractImport)
    const result = await importContract(this.context, args.file, flags)
    await this.context.printer.data(result, importView)
    return result
  }
}
