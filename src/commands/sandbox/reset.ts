import {confirmFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {noteForgotten} from './shared/forgotten.ts'
import {sandboxResetView} from './shared/views.ts'

export default class SandboxReset extends operationCommand('sandbox.reset') {
  static override summary = 'Delete all state of the sandbox and restore the demo data.'
  static override examples = ['<%= config.bin %> sandbox reset --yes']
  static override flags = confirmFlags

  async run() {
    const {flags} = await this.parse(SandboxReset)
    const done = await this.execute({operation: 'sandbox.reset'}, flags, sandboxResetView)
    if (done !== undefined) await noteForgotten(this.context, 'The sandbox was reset')
    return done
  }
}
