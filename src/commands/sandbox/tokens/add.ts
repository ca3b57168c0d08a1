import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {durationFlag} from '../../../cli/flags.ts'
import {addToken} from '../../../sandbox/team.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {newTokenView, printedToken, withTenant} from '../shared/tokens.ts'

export default class SandboxTokensAdd extends BaseCommand {
  static override summary = 'Add a token to a tenant, and print it.'
  static override description =
    'A tenant may have any number of tokens, for example one for each person and each program. The name is in the log of sandbox serve, so it shows who did what. The token is printed once, and stored as a digest alone.'
  static override examples = [
    '<%= config.bin %> sandbox tokens add payments night-job --expires-in 90d --store env:DATABASE_URL',
  ]
  static override args = {tenant: requiredArg('Name of the tenant'), name: requiredArg('Name of the token')}
  static override flags = {
    ...requiredStoreFlags,
    'expires-in': durationFlag({
      helpValue: '90d',
      summary: 'How long the token is valid. Without it, until it is removed.',
    }),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxTokensAdd)
    const {tenant, name} = args
    const made = await withTenant(this.context, flags, tenant, (opened, id) =>
      addToken(opened, id, name, flags['expires-in']),
    )
    const added = printedToken(tenant, name, made)
    await this.context.printer.data(added, newTokenView)
    return added
  }
}
