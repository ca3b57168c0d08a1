import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {pinControlView} from '../pin/shared/views.ts'

const SCOPES = {view: 'VIEW_PIN', set: 'SET_PIN'} as const

export default class PincontrolCreate extends operationCommand('pincontrol.create.v2') {
  static override summary = 'Create a control id, valid for 30 seconds, to view or set the PIN of a plastic.'
  static override examples = [
    '<%= config.bin %> pincontrol create 7001 --scope set',
    '<%= config.bin %> pincontrol create 7001 --scope view --query id -o csv --no-header',
  ]
  static override args = {plastic: idArg('the plastic', {more: '; see cards plastics'})}
  static override flags = {
    scope: Flags.option({
      options: ['view', 'set'] as const,
      required: true,
      summary: 'What the control id allows.',
    })(),
  }

  async run() {
    const {args, flags} = await this.parse(PincontrolCreate)
    const body = {scope: SCOPES[flags.scope]}
    return this.execute(
      {operation: 'pincontrol.create.v2', path: {plasticId: args.plastic}, body},
      flags,
      pinControlView,
    )
  }
}
