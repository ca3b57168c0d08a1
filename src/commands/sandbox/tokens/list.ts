import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {listTokens} from '../../../sandbox/team.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {tokensView, withTenant} from '../shared/tokens.ts'

export default class SandboxTokensList extends BaseCommand {
  static override summary = 'List the valid tokens of a tenant by name, without the tokens themselves.'
  static override examples = ['<%= config.bin %> sandbox tokens list payments --store env:DATABASE_URL']
  static override args = {tenant: requiredArg('Name of the tenant')}
  static override flags = requiredStoreFlags

  async run() {
    const {args, flags} = await this.parse(SandboxTokensList)
    const tokens = await withTenant(this.context, flags, args.tenant, listTokens)
    await this.context.printer.data(tokens, tokensView)
    return tokens
  }
}
