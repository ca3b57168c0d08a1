import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {confirm} from '../../../cli/confirm.ts'
import {listTokens, removeToken} from '../../../sandbox/team.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {sentenceView} from '../shared/store-views.ts'
import {noToken, withTenant} from '../shared/tokens.ts'

export default class SandboxTokensRemove extends BaseCommand {
  static override summary = 'Remove a token of a tenant. Its data and its other tokens stay.'
  static override description =
    'Also removes an older token of the same name that is still valid after a rotation. Servers refuse the token within 5 seconds.'
  static override examples = [
    '<%= config.bin %> sandbox tokens remove payments night-job --yes --store env:DATABASE_URL',
  ]
  static override args = {tenant: requiredArg('Name of the tenant'), name: requiredArg('Name of the token')}
  static override flags = requiredStoreFlags

  async run() {
    const {args, flags} = await this.parse(SandboxTokensRemove)
    const {tenant, name} = args
    const tokens = await withTenant(this.context, flags, tenant, listTokens)
    if (!tokens.some(each => each.name === name)) throw noToken(tenant, name)
    await confirm(this.context, {
      place: {at: 'Shared sandbox'},
      action: `remove token ${name} of tenant ${tenant}`,
      consequence: 'Programs that use it get status 401.',
    })
    await withTenant(this.context, flags, tenant, (opened, id) => removeToken(opened, id, name))
    const result = {tenant, name, removed: true}
    await this.context.printer.data(result, sentenceView(`Token ${name} of tenant ${tenant} removed.`))
    return result
  }
}
