import {BaseCommand} from '../../../cli/base-command.ts'
import {storeSize} from '../../../sandbox/team.ts'
import {readRequiredStore, requiredStoreFlags} from '../shared/store.ts'
import {storeSizeView} from '../shared/store-views.ts'

export default class SandboxStoreSize extends BaseCommand {
  static override summary = 'Show the size of each table of a sandbox in PostgreSQL, the largest first.'
  static override examples = ['<%= config.bin %> sandbox store size --store env:DATABASE_URL']
  static override flags = requiredStoreFlags

  async run() {
    const {flags} = await this.parse(SandboxStoreSize)
    const sizes = await storeSize(await readRequiredStore(this.context, flags))
    await this.context.printer.data(sizes, storeSizeView)
    return sizes
  }
}
