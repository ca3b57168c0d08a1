import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {confirm} from '../../../cli/confirm.ts'
import {namedSnapshot, removeSnapshot} from '../shared/snapshot-files.ts'
import {sentenceView} from '../shared/store-views.ts'

export default class SandboxSnapshotRemove extends BaseCommand {
  static override summary = 'Remove a snapshot that is kept by name.'
  static override examples = [
    '<%= config.bin %> sandbox snapshot save before-july',
    '<%= config.bin %> sandbox snapshot remove before-july --yes',
  ]
  static override args = {name: requiredArg('Name of the snapshot')}

  async run() {
    const {args} = await this.parse(SandboxSnapshotRemove)
    const {name} = args
    const place = namedSnapshot(this.context, name)
    await confirm(this.context, {
      place: {at: 'This machine'},
      action: `remove the snapshot ${name}`,
      consequence: "This can't be undone.",
    })
    removeSnapshot(place)
    const removed = {name, removed: true}
    await this.context.printer.data(removed, sentenceView(`Snapshot ${name} removed.`))
    return removed
  }
}
