import {BaseCommand} from '../../cli/base-command.ts'
import {readTextFile} from '../../cli/read-text.ts'
import {ownContractFile} from './shared/read-contract.ts'

/** Its root. The rest is described by the standard. */
interface OpenApiDocument {
  readonly openapi: string
  readonly info: {readonly title: string; readonly version: string; readonly [name: string]: unknown}
  readonly paths: object
  readonly webhooks: object
  readonly components: object
  readonly [name: string]: unknown
}

export default class ContractExport extends BaseCommand {
  static override summary = 'Print the built-in contract as an OpenAPI 3.1 document.'
  static override description =
    'The document describes every operation that cardctl knows, with extensions such as x-effect, x-needs and x-sensitive. Use it with generators, mock servers and linters. The output is YAML with a comment on the extensions, or JSON with -o json.'
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
    const {printer, surroundings, outputOptions} = this.context
    const {format, query, columns} = outputOptions
    const text = await readTextFile(ownContractFile(this.config), surroundings)
    // YAML is printed unchanged, with the comment on the extensions.
    if ((format === 'table' || format === 'yaml') && query === undefined && columns === undefined) {
      await printer.chunk(text)
      return undefined
    }
    // Loaded on first use: YAML output needs no parser.
    const {load} = await import('js-yaml')
    const document = load(text) as OpenApiDocument
    await printer.data(document)
    return document
  }
}
