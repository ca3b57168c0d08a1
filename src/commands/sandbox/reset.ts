import {confirmFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {sandboxResetView} from './shared/views.ts'

export default class SandboxReset extends operationCommand('sandbox.reset') {
  static override summary = 'Delete all state of the sandbox and restore the demo data.'
  static override examples = ['<%= config.bin %> sandbox reset --yes']
  static override flags = confirmFlags

  async run() {
    const {flags} = await this.parse(SandboxReset)
    return this.execute({operation: 'sandbox.reset'}, flags, sandboxResetView)
  }
}
