import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxFaultsClearedView} from '../shared/views.ts'

export default class SandboxFaultsClear extends operationCommand('sandbox.faults.clear') {
  static override summary = 'Remove all faults.'
  static override examples = ['<%= config.bin %> sandbox faults clear']

  async run() {
    const {flags} = await this.parse(SandboxFaultsClear)
    return this.execute({operation: 'sandbox.faults.clear'}, flags, sandboxFaultsClearedView)
  }
}
