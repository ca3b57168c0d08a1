import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxClockView} from '../shared/views.ts'

export default class SandboxClockShow extends operationCommand('sandbox.clock.get') {
  static override summary = 'Show the clock of the sandbox.'
  static override examples = ['<%= config.bin %> sandbox clock show']

  async run() {
    const {flags} = await this.parse(SandboxClockShow)
    return this.execute({operation: 'sandbox.clock.get'}, flags, sandboxClockView)
  }
}
