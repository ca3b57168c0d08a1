import {BaseCommand} from '../../../cli/base-command.ts'
import {migrateStore} from '../../../sandbox/team.ts'
import {readRequiredStore, requiredStoreFlags} from '../shared/store.ts'
import {storeMigratedView} from '../shared/store-views.ts'

export default class SandboxStoreMigrate extends BaseCommand {
  static override summary = 'Create or upgrade the tables of a sandbox in PostgreSQL.'
  static override description =
    'Run it before the first sandbox serve --store, and after an upgrade of cardctl. It takes a lock, so several machines may run it at once, and waits only briefly for tables that are in use. It never removes anything, and grants again what the role cardctl_sandbox lacks, for example after a restore.\n\nThe user needs to be allowed to create a schema in the database, and the role cardctl_sandbox unless it exists. Otherwise the command changes nothing and prints the statements that an administrator must run.'
  static override examples = ['<%= config.bin %> sandbox store migrate --store env:DATABASE_URL']
  static override flags = requiredStoreFlags

  async run() {
    const {flags} = await this.parse(SandboxStoreMigrate)
    const migrated = await migrateStore(await readRequiredStore(this.context, flags))
    await this.context.printer.data(migrated, storeMigratedView)
    return migrated
  }
}
