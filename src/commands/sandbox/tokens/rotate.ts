import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {durationFlag, typedDuration} from '../../../cli/flags.ts'
import {rotateToken} from '../../../sandbox/team.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {newTokenView, noToken, printedToken, withTenant} from '../shared/tokens.ts'

const OVERLAP_MS = 24 * 60 * 60 * 1000

export default class SandboxTokensRotate extends BaseCommand {
  static override summary = 'Replace a token by a new one of the same name, and print it.'
  static override description =
    'The old token stays valid for --overlap, so that programs can change over one after the other. For a leaked token, remove it and add another one. Without --expires-in, the new token is valid for as long as the old one was.'
  static override examples = [
    '<%= config.bin %> sandbox tokens rotate payments night-job --overlap 2d --store env:DATABASE_URL',
  ]
  static override args = {tenant: requiredArg('Name of the tenant'), name: requiredArg('Name of the token')}
  static override flags = {
    ...requiredStoreFlags,
    overlap: durationFlag({
      helpValue: '24h',
      summary: `How long the old token stays valid, at most (default ${typedDuration(OVERLAP_MS)}).`,
    }),
    'expires-in': durationFlag({helpValue: '90d', summary: 'How long the new token is valid.'}),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxTokensRotate)
    const {tenant, name} = args
    const {overlap: overlapMs = OVERLAP_MS, 'expires-in': livesMs} = flags
    const made = await withTenant(this.context, flags, tenant, (opened, id) =>
      rotateToken(opened, id, name, {overlapMs, livesMs}),
    )
    if (made === undefined) throw noToken(tenant, name)
    const added = printedToken(tenant, name, made)
    await this.context.printer.data(added, newTokenView)
    return added
  }
}
