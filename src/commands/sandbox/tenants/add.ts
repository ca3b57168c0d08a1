import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {durationFlag} from '../../../cli/flags.ts'
import {parseRateWindows} from '../../../cli/pace.ts'
import {addTenant} from '../../../sandbox/team.ts'
import {readSandboxWebhook, sandboxWebhookFlags} from '../shared/outgoing-calls.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {tenantAddedView} from '../shared/store-views.ts'
import {setTenant, tenantLimitFlags, withTenants} from '../shared/tenants.ts'

export default class SandboxTenantsAdd extends BaseCommand {
  static override summary = 'Add a tenant with data of its own, and print its token.'
  static override description =
    'The token is printed once, and stored as a digest alone. Give it to the team as the credential of a profile: profiles add NAME --base-url URL/t/TENANT --auth bearer.\n\nWith --run-for, the same token also works at URL/t/TENANT.RUN for any RUN: the first call makes a tenant for it, which is removed after that time. That suits CI jobs.'
  static override examples = [
    '<%= config.bin %> sandbox tenants add payments --store env:DATABASE_URL',
    {
      description: 'A tenant for each CI job, at URL/t/ci.JOB, for 2 hours',
      command:
        '<%= config.bin %> sandbox tenants add ci --run-for 2h --max-rows 10000 --store env:DATABASE_URL',
    },
  ]
  static override args = {name: requiredArg('Name of the tenant')}
  static override flags = {
    ...requiredStoreFlags,
    ...tenantLimitFlags,
    ...sandboxWebhookFlags,
    'run-for': durationFlag({
      helpValue: '2h',
      summary: 'Allow a tenant for each run, which is removed after this time.',
    }),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxTenantsAdd)
    const {'max-rows': maxRows, 'rate-limit': rate, 'run-for': runMs} = flags
    if (rate !== undefined) parseRateWindows(rate)
    const webhook = await readSandboxWebhook(this.context, flags)
    const token = await withTenants(this.context, flags, async opened => {
      const made = await addTenant(opened, args.name, {maxRows, rate, runMs})
      if (webhook) await setTenant(opened, args.name, {webhook})
      return made
    })
    const added = {name: args.name, path: `/t/${args.name}`, token: token.open()}
    await this.context.printer.data(added, tenantAddedView)
    return added
  }
}
