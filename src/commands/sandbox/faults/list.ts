import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxFaultsView} from '../shared/views.ts'

export default class SandboxFaultsList extends operationCommand('sandbox.faults.list') {
  static override summary = 'List the faults of the sandbox.'
  static override examples = ['<%= config.bin %> sandbox faults list']

  async run() {
    const {flags} = await this.parse(SandboxFaultsList)
    return this.execute({operation: 'sandbox.faults.list'}, flags, sandboxFaultsView)
  }
}
