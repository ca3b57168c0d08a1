import {BaseCommand} from '../../cli/base-command.ts'
import {uninstall} from '../../cli/completion/install.ts'
import {askFirst, chosenPlaces, shellArg} from './shared/shell.ts'

export default class CompletionUninstall extends BaseCommand {
  static override summary = 'Remove what completion install wrote, after a question.'
  static override examples = [
    '<%= config.bin %> completion uninstall',
    '<%= config.bin %> completion uninstall bash --yes',
  ]
  static override args = {shell: shellArg()}

  async run() {
    const {args, flags} = await this.parse(CompletionUninstall)
    const {printer} = this.context
    const places = chosenPlaces(args.shell, this.context)
    const {shell, script, startup} = places
    printer.question(`Completion for ${shell}:`, `  remove  ${script}`)
    if (startup !== undefined) printer.question(`  clean   ${startup}`)
    await askFirst('Remove it?', this.context, flags.yes)
    const changed = uninstall(places)
    const result = {...places, changed}
    await printer.data(result, () =>
      changed ? `Completion for ${shell} removed.` : `Completion for ${shell} was not installed.`,
    )
    return result
  }
}
