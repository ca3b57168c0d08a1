import * as Flags from '@oclif/core/flags'
import {optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {mapNames} from './shared/map-names.ts'

export default class ContractMap extends BaseCommand {
  static override summary = "Set a profile's words from an OpenAPI document of the service."
  static override description =
    'Finds the operations of the built-in contract in the document, and the names that the document has for the members and path segments that a profile can rename (see --word of profiles edit). Afterwards the built-in commands send and read those names. Sure names are written; on a terminal you choose the unsure ones and confirm. Elsewhere --answers decides about the unsure ones, and nothing is written as long as one is open. What a profile cannot express is listed: use the commands under x for it.'
  static override examples = [
    '<%= config.bin %> contract map core -p staging',
    {
      description: 'Without a terminal: write a file of answers, fill it in, use it',
      command: '<%= config.bin %> contract map core -p staging --write-answers answers.yaml',
    },
    '<%= config.bin %> contract map core -p staging --answers answers.yaml',
    {
      description: 'Which names are unsure',
      command: `<%= config.bin %> contract map openapi.yaml --dry-run -o json --query "names[?standing=='unsure'].name"`,
    },
  ]
  static override args = {
    contract: optionalArg(
      'Name of an imported contract, or an OpenAPI document; - reads stdin. The only imported one without',
    ),
  }
  static override flags = {
    answers: Flags.string({
      helpValue: 'FILE|-',
      summary:
        'Names to use, as JSON or YAML: {"words": {"pinBlock": "pin_block"}, "prefixes": {"cards": "/card"}}.',
    }),
    'write-answers': Flags.string({
      helpValue: 'FILE',
      summary: 'Write a file for --answers: sure names filled in, unsure ones open. Changes no profile.',
      exclusive: ['answers', 'dry-run'],
    }),
    'dry-run': Flags.boolean({summary: 'Show the names and write nothing.'}),
  }

  async run() {
    const {args, flags} = await this.parse(ContractMap)
    return mapNames(this.context, this.config, args.contract, flags)
  }
}
