import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'

export default class ProfilesUse extends BaseCommand {
  static override summary = 'Make a profile the default.'
  static override examples = [
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    '<%= config.bin %> profiles use served',
    '<%= config.bin %> profiles use sandbox',
  ]
  static override args = {name: requiredArg('Name of the profile')}

  async run() {
    const {args} = await this.parse(ProfilesUse)
    await this.context.service.profiles.use(args.name)
    this.context.printer.note(`${args.name} is now the default profile.`)
  }
}
