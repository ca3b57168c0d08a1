import {stateKindArg} from '../../../cli/arguments.ts'
import {pagingFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {sandboxStateListView} from '../shared/views.ts'

export default class SandboxStateList extends operationCommand('sandbox.state.list') {
  static override summary = 'List the objects of one kind in the state of the sandbox.'
  static override examples = [
    '<%= config.bin %> sandbox state list accounts',
    '<%= config.bin %> sandbox state list cards --columns id,status',
  ]
  static override args = {
    kind: stateKindArg(
      'accounts, balances, cards, plastics, pricelists, periods, batches, enrolments, customers',
    ),
  }
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
