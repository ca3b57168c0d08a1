import {operationCommand} from '../../cli/operation-command.ts'
import {sandboxInfoView} from './shared/views.ts'

export default class SandboxInfo extends operationCommand('sandbox.info') {
  static override summary = 'Show what the sandbox simulates and what it does not.'
  static override examples = ['<%= config.bin %> sandbox info']

  async run() {
    const {flags} = await this.parse(SandboxInfo)
    return this.execute({operation: 'sandbox.info'}, flags, sandboxInfoView)
  }
}
