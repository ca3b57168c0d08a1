import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {tenantView} from '../shared/store-views.ts'
import {existingTenant, shownTenant} from '../shared/tenants.ts'

export default class SandboxTenantsShow extends BaseCommand {
  static override summary = 'Show a tenant with its limits.'
  static override examples = ['<%= config.bin %> sandbox tenants show payments --store env:DATABASE_URL']
  static override args = {name: requiredArg('Name of the tenant')}
  static override flags = requiredStoreFlags

  async run() {
    const {args, flags} = await this.parse(SandboxTenantsShow)
    const tenant = shownTenant(await existingTenant(this.context, flags, args.name))
    await this.context.printer.data(tenant, tenantView)
    return tenant
  }
}
