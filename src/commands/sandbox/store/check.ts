import {BaseCommand} from '../../../cli/base-command.ts'
import {Failure} from '../../../errors/failure.ts'
import {exitOf} from '../../../errors/registry.ts'
import {checkStore} from '../../../sandbox/team.ts'
import {readRequiredStore, requiredStoreFlags} from '../shared/store.ts'
import {storeCheckView} from '../shared/store-views.ts'

export default class SandboxStoreCheck extends BaseCommand {
  static override summary = 'Check whether a PostgreSQL database can hold a sandbox.'
  static override description =
    `Connects, and shows the version of the server and of the tables, whether the connection is encrypted, and whether row-level security separates the tenants. Compares tables, policies, rights, roles and settings with those that migrate makes. Exits with ${exitOf('TENANTS_NOT_SEPARATED')} if something weakens the separation.`
  static override examples = ['<%= config.bin %> sandbox store check --store env:DATABASE_URL']
  static override flags = requiredStoreFlags

  async run() {
    const {flags} = await this.parse(SandboxStoreCheck)
    const check = await checkStore(await readRequiredStore(this.context, flags))
    await this.context.printer.data(check, storeCheckView)
    if (check.warnings.length > 0) {
      throw new Failure('TENANTS_NOT_SEPARATED', {
        message: `The database ${check.database} does not separate its tenants as it should.`,
      })
    }
    return check
  }
}
