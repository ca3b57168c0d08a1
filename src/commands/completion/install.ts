import {BaseCommand} from '../../cli/base-command.ts'
import {install, isInstalled} from '../../cli/completion/install.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {askFirst, chosenPlaces, shellArg} from './shared/shell.ts'

export default class CompletionInstall extends BaseCommand {
  static override summary = 'Set up completion for your shell, after a question.'
  static override description =
    'Writes the script to a file and, but for fish, adds a marked block that loads it to the start-up file of the shell. Run it again after an update; it changes only what is not there yet.'
  static override examples = [
    '<%= config.bin %> completion install',
    '<%= config.bin %> completion install zsh --yes',
  ]
  static override args = {shell: shellArg()}

  async run() {
    const {args, flags} = await this.parse(CompletionInstall)
    const {printer} = this.context
    const places = chosenPlaces(args.shell, this.context)
    const {shell, script, startup} = places
    const isThere = isInstalled(places)
    if (!isThere) {
      printer.question(`Completion for ${shell}:`, `  write   ${script}`)
      if (startup !== undefined) printer.question(`  extend  ${startup}`)
      await askFirst('Write these files?', this.context, flags.yes)
      install(places)
    }
    const result = {...places, changed: !isThere}
    await printer.data(result, () =>
      [
        isThere ? `Completion for ${shell} was already installed.` : `Completion for ${shell} installed.`,
        `Open a new shell to use it. To remove it: ${cardctl('completion', 'uninstall')}`,
      ].join('\n'),
    )
    return result
  }
}
