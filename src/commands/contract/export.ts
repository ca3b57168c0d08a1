import {BaseCommand} from '../../cli/base-command.ts'
import {exportContract} from './shared/export-contract.ts'

export default class ContractExport extends BaseCommand {
  static override summary = 'Print the built-in contract as an OpenAPI 3.1 document.'
  static override description =
    'The document describes every operation that cardctl knows, with its marks (x-effect, x-needs, x-sensitive …). Other tools can read it: generators, mock servers, linters. It is YAML with comments, and JSON with -o json.'
  static override examples = [
    '<%= config.bin %> contract export > openapi.yaml',
    '<%= config.bin %> contract export -o json > openapi.json',
    {
      description: 'Which operations there are',
      command: `<%= config.bin %> contract export -o json --query "paths.*.*.operationId[]"`,
    },
  ]

  async run() {
    await this.parse(ContractExport)
    return exportContract(this.context, this.config)
  }
}
