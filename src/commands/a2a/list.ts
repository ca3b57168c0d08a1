import {pagingFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {batchListView} from './shared/batch-views.ts'

export default class A2aList extends operationCommand('a2a.list.v1') {
  static override summary = 'List batches of transfers.'
  static override examples = ['<%= config.bin %> a2a list', '<%= config.bin %> a2a list --all -o csv']
  static override flags = pagingFlags

  async run() {
    const {flags} = await this.parse(A2aList)
    return this.executeList({operation: 'a2a.list.v1'}, flags, batchListView)
  }
}
