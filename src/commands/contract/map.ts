import {optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {writeDialect} from './shared/draft-dialect.ts'
import {mapFlags, mapNames} from './shared/map-names.ts'

export default class ContractMap extends BaseCommand {
  static override summary = "Set a profile's words from an OpenAPI document of the service."
  static override description =
    'Finds the operations of the built-in contract in the document, and its names for the fields and path segments that a profile can rename (see --word of profiles edit). The built-in commands then send and read those names. It also finds how the service talks: the envelope of responses, the parts of errors, and headers that most operations require. Sure names are written. On a terminal, you choose the unsure ones and confirm; elsewhere, pass --answers. Nothing is written while a name is unsure. Differences that a profile cannot express are listed: use the commands under x for those, or let --write-dialect draft a dialect for a service that works in its own way.'
  static override examples = [
    {
      description: 'Shows the names. In a terminal it also asks, and writes them to the profile',
      command: '<%= config.bin %> contract map service.yaml --dry-run',
    },
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    {
      description: 'Without a terminal: write a file of answers, fill it in, use it',
      command: '<%= config.bin %> contract map service.yaml -p served --write-answers answers.yaml',
    },
    '<%= config.bin %> contract map service.yaml -p served --answers answers.yaml',
    {
      description: 'Which names are unsure',
      command: `<%= config.bin %> contract map service.yaml --dry-run -o json --query "names[?standing=='unsure'].name"`,
    },
  ]
  static override args = {
    contract: optionalArg(
      'Name of an imported contract, or an OpenAPI document; - reads stdin. The only imported one without',
    ),
  }
  static override flags = mapFlags

  async run() {
    const {args, flags} = await this.parse(ContractMap)
    const {'write-dialect': file} = flags
    if (file !== undefined) return writeDialect(this.context, this.config, args.contract, file)
    return mapNames(this.context, this.config, args.contract, flags)
  }
}
