import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {parseRateWindows} from '../../../cli/pace.ts'
import {Failure} from '../../../errors/failure.ts'
import {readSandboxWebhook, sandboxWebhookFlags} from '../shared/outgoing-calls.ts'
import {requiredStoreFlags} from '../shared/store.ts'
import {tenantView} from '../shared/store-views.ts'
import {setTenant, shownTenant, tenantLimitFlags, withTenants} from '../shared/tenants.ts'

const SETTINGS = ['max-rows', 'rate-limit', 'webhook'] as const

export default class SandboxTenantsSet extends BaseCommand {
  static override summary = 'Change the limits or the webhook of a tenant. Other settings stay as they are.'
  static override description =
    'The credential of the webhook is stored encrypted and never shown. Servers follow within 5 seconds.'
  static override examples = [
    '<%= config.bin %> sandbox tenants set payments --webhook-url https://decide.example --webhook-auth basic:env:WEBHOOK_CREDENTIAL --store env:DATABASE_URL',
    '<%= config.bin %> sandbox tenants set payments --unset webhook --store env:DATABASE_URL',
  ]
  static override args = {name: requiredArg('Name of the tenant')}
  static override flags = {
    ...requiredStoreFlags,
    ...tenantLimitFlags,
    ...sandboxWebhookFlags,
    unset: Flags.option({
      options: SETTINGS,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Remove a limit, or the webhook. Repeatable.',
    })(),
  }

  static override guide: Guide = {
    needs: [{anyOf: ['--max-rows', '--rate-limit'], or: ['--webhook-url', '--unset'], several: true}],
  }

  async run() {
    const {args, flags} = await this.parse(SandboxTenantsSet)
    const {'max-rows': maxRows, 'rate-limit': rate, unset = []} = flags
    if (rate !== undefined) parseRateWindows(rate)
    const given = {
      'max-rows': maxRows,
      'rate-limit': rate,
      webhook: await readSandboxWebhook(this.context, flags),
    }
    const both = unset.find(name => given[name] !== undefined)
    if (both) throw new Failure('USAGE', {message: `--unset ${both} contradicts the other flags.`})
    const value = <Name extends keyof typeof given>(name: Name) => (unset.includes(name) ? null : given[name])
    const change = {
      ...some('maxRows', value('max-rows')),
      ...some('rate', value('rate-limit')),
      ...some('webhook', value('webhook')),
    }
    const changed = await withTenants(this.context, flags, opened => setTenant(opened, args.name, change))
    const tenant = shownTenant(changed)
    await this.context.printer.data(tenant, tenantView)
    return tenant
  }
}

const some = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : {[name]: value}) as {readonly [Key in Name]?: Value}
