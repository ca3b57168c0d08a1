import {requiredArg} from '../../../cli/arguments.ts'
import {pagingFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxStateListView} from '../../../output/views/sandbox.ts'

export default class SandboxStateList extends operationCommand('sandbox.state.list') {
  static override summary = 'List what the sandbox holds of one kind.'
  static override examples = [
    '<%= config.bin %> sandbox state list account',
    '<%= config.bin %> sandbox state list card --columns id,status',
  ]
  static override args = {kind: requiredArg('account, card, plastic, pricelist, period, batch, enrolment …')}
  static override flags = pagingFlags

  async run() {
    const {args, flags} = await this.parse(SandboxStateList)
    return this.executeList(
      {operation: 'sandbox.state.list', path: {kind: args.kind as never}},
      flags,
      sandboxStateListView(args.kind),
    )
  }
}
