import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {confirm} from '../../../cli/confirm.ts'
import {confirmFlags} from '../../../cli/flags.ts'
import {removeTenant} from '../../../sandbox/team.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {sentenceView} from '../shared/store-views.ts'
import {existingTenant, withTenants} from '../shared/tenants.ts'

export default class SandboxTenantsRemove extends BaseCommand {
  static override summary = 'Remove a tenant with all its data and its runs.'
  static override examples = [
    '<%= config.bin %> sandbox tenants remove payments --confirm payments --store env:DATABASE_URL',
  ]
  static override args = {name: requiredArg('Name of the tenant')}
  static override flags = {...requiredStoreFlags, ...confirmFlags}

  async run() {
    const {args, flags} = await this.parse(SandboxTenantsRemove)
    const {name} = args
    await existingTenant(this.context, flags, name)
    await confirm(this.context, {
      place: {at: 'Shared sandbox'},
      action: `remove tenant ${name}`,
      consequence: "Its data and its token can't be restored.",
      demands: [{name, yes: false}],
      confirm: [flags.confirm ?? []].flat(),
    })
    await withTenants(this.context, flags, opened => removeTenant(opened, name))
    const result = {name, removed: true}
    await this.context.printer.data(result, sentenceView(`Tenant ${name} removed.`))
    return result
  }
}
