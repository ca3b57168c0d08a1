import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {removeMapping} from '../../cli/sheet/mappings-file.ts'

export default class MappingsRemove extends BaseCommand {
  static override summary = 'Remove a mapping of spreadsheets.'
  static override examples = [
    '<%= config.bin %> a2a create --from transfers.csv --save-mapping payroll --dry-run',
    '<%= config.bin %> mappings remove payroll',
  ]
  static override args = {name: requiredArg('Name of the mapping')}

  async run() {
    const {args} = await this.parse(MappingsRemove)
    await removeMapping(this.context, args.name)
    this.context.printer.note(`The mapping ${args.name} is removed.`)
  }
}
