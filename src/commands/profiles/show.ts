import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {profileView} from './shared/views.ts'

export default class ProfilesShow extends BaseCommand {
  static override summary = 'Show a profile. Secrets appear only as references.'
  static override examples = [
    '<%= config.bin %> profiles show sandbox',
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    '<%= config.bin %> profiles show served',
  ]
  static override args = {name: requiredArg('Name of the profile')}

  async run() {
    const {args} = await this.parse(ProfilesShow)
    const profile = await this.context.service.profiles.show(args.name)
    await this.context.printer.data(profile, profileView)
    return profile
  }
}
