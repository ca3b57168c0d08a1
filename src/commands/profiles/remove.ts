import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'

export default class ProfilesRemove extends BaseCommand {
  static override summary = 'Remove a profile and the secrets kept for it.'
  static override examples = ['<%= config.bin %> profiles remove staging --yes']
  static override args = {name: requiredArg('Name of the profile')}

  async run() {
    const {args} = await this.parse(ProfilesRemove)
    await this.context.profiles.checkRemovable(args.name)
    await this.context.confirmYes(`Remove the profile ${args.name} and its secrets?`)
    await this.context.profiles.remove(args.name)
    this.context.printer.note(`${args.name} is removed.`)
  }
}
