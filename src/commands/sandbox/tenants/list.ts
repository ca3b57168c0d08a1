import {BaseCommand} from '../../../cli/base-command.ts'
import {listTenants} from '../../../sandbox/team.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {tenantsView} from '../shared/store-views.ts'
import {shownTenant, withTenants} from '../shared/tenants.ts'

export default class SandboxTenantsList extends BaseCommand {
  static override summary = 'List the tenants of a sandbox in PostgreSQL.'
  static override examples = ['<%= config.bin %> sandbox tenants list --store env:DATABASE_URL']
  static override flags = requiredStoreFlags

  async run() {
    const {flags} = await this.parse(SandboxTenantsList)
    const found = await withTenants(this.context, flags, opened => listTenants(opened))
    const tenants = found.map(shownTenant)
    await this.context.printer.data(tenants, tenantsView)
    return tenants
  }
}
