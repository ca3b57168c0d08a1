import {BaseCommand} from '../../cli/base-command.ts'
import {profileListView} from '../../output/views/profiles.ts'

export default class ProfilesList extends BaseCommand {
  static override summary = 'List profiles and mark the default.'
  static override examples = ['<%= config.bin %> profiles list']

  async run() {
    await this.parse(ProfilesList)
    return this.context.printer.list(await this.context.profiles.list(), profileListView)
  }
}
