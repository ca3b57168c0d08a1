import {BaseCommand} from '../cli/base-command.ts'
import {scripts} from '../cli/completion/scripts.ts'
import {chosenPlaces, shellArg} from './completion/shared/shell.ts'

export default class Completion extends BaseCommand {
  static override summary = 'Print the completion script of a shell: bash, zsh, fish or powershell.'
  static override description =
    'Completes commands, flags and their values, profiles, names of files, and ids that the journal of the profile has. It sends nothing, and never offers a card number or a secret. To set it up: cardctl completion install'
  static override examples = [
    '<%= config.bin %> completion bash > cardctl.bash',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/cardctl.fish',
  ]
  static override args = {shell: shellArg()}

  async run() {
    const {args} = await this.parse(Completion)
    await this.context.printer.chunk(scripts[chosenPlaces(args.shell, this.context).shell])
  }
}
