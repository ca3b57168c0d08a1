import {requiredArg} from '../../../cli/arguments.ts'
import {parseDuration} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxClockView} from '../shared/views.ts'

export default class SandboxClockAdvance extends operationCommand('sandbox.clock.advance') {
  static override summary =
    'Move the clock of the sandbox forward: keys expire, holds are released, periods begin.'
  static override examples = ['<%= config.bin %> sandbox clock advance 24h']
  static override args = {by: requiredArg('Duration, for example 30s, 10m, 24h or 7d')}

  async run() {
    const {args, flags} = await this.parse(SandboxClockAdvance)
    const body = {advanceMs: parseDuration(args.by, 'The duration')}
    return this.execute({operation: 'sandbox.clock.advance', body}, flags, sandboxClockView)
  }
}
