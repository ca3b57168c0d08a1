import {LocalListCommand} from '../../cli/local-list.ts'
import {profileListView} from './shared/views.ts'

export default class ProfilesList extends LocalListCommand {
  static override summary = 'List profiles and mark the default.'
  static override description = 'Entries of profiles.json that are broken are in the list, too.'
  static override examples = ['<%= config.bin %> profiles list']

  async run() {
    const {flags} = await this.parse(ProfilesList)
    return this.list('profiles', () => this.context.service.profiles.list(), profileListView, flags)
  }
}
