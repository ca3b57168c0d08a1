import {LocalListCommand} from '../../../cli/local-list.ts'
import {listSnapshots} from '../shared/snapshot-files.ts'
import {snapshotListView} from '../shared/snapshots.ts'

export default class SandboxSnapshotList extends LocalListCommand {
  static override summary =
    'List the snapshots that are kept by name, and what is wrong with those that cannot be loaded.'
  static override examples = ['<%= config.bin %> sandbox snapshot list']

  async run() {
    const {flags} = await this.parse(SandboxSnapshotList)
    return this.list('snapshots', () => listSnapshots(this.context), snapshotListView, flags)
  }
}
