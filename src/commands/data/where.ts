import {BaseCommand} from '../../cli/base-command.ts'
import {keptHere} from './shared/kept-here.ts'
import {dataWhereView} from './shared/place-view.ts'

export default class DataWhere extends BaseCommand {
  static override summary =
    'List the files that cardctl keeps: size, content, how long they stay, how to remove them.'
  static override description =
    'Only the folders of cardctl, the completion script of fish, and the folders of proposals that profiles name. Files that you name yourself, for example with --to, --export or --recording, are yours to remove. Files in these folders that cardctl did not write are listed as other. Credentials in the keyring are not files: see profiles show.'
  static override examples = ['<%= config.bin %> data where', '<%= config.bin %> data where -o json']

  async run() {
    await this.parse(DataWhere)
    return this.context.printer.list(await keptHere(this.context), dataWhereView)
  }
}
