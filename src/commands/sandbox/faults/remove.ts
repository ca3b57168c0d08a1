import {idArg} from '../../../cli/arguments.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxFaultsClearedView} from '../shared/views.ts'

export default class SandboxFaultsRemove extends operationCommand('sandbox.faults.remove') {
  static override summary = 'Remove one fault.'
  static override examples = [
    '<%= config.bin %> sandbox faults add --operation cards.get.v4 --status 503',
    '<%= config.bin %> sandbox faults remove 1',
  ]
  static override args = {id: idArg('the fault', {more: ', as sandbox faults list shows it'})}

  async run() {
    const {args, flags} = await this.parse(SandboxFaultsRemove)
    const call = {operation: 'sandbox.faults.remove', path: {id: args.id}} as const
    return this.execute(call, flags, sandboxFaultsClearedView)
  }
}
