import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {confirm} from '../../../cli/confirm.ts'
import {createSandbox} from '../../../sandbox/index.ts'
import {readRequiredStore, requiredStoreFlags} from '../shared/store.ts'
import {sentenceView} from '../shared/store-views.ts'
import {existingTenant} from '../shared/tenants.ts'

export default class SandboxTenantsReset extends BaseCommand {
  static override summary = 'Restore the demo data of a tenant. Everything else of it is removed.'
  static override examples = ['<%= config.bin %> sandbox tenants reset payments --store env:DATABASE_URL']
  static override args = {name: requiredArg('Name of the tenant')}
  static override flags = requiredStoreFlags

  async run() {
    const {args, flags} = await this.parse(SandboxTenantsReset)
    const {name} = args
    await existingTenant(this.context, flags, name)
    await confirm(this.context, {
      place: {at: 'Shared sandbox'},
      action: `restore the demo data of tenant ${name}`,
      consequence: 'Everything else of it is removed.',
    })
    const postgres = {...(await readRequiredStore(this.context, flags)), tenant: name}
    const sandbox = await createSandbox({postgres})
    try {
      const {status} = await sandbox.handle({method: 'POST', url: '/_sandbox/reset'})
      if (status !== 200) throw new Error(`the reset of the tenant got status ${status}`)
    } finally {
      await sandbox.close()
    }
    const result = {name, reset: true}
    await this.context.printer.data(result, sentenceView(`Tenant ${name} reset.`))
    return result
  }
}
