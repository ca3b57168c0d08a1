import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../../cli/arguments.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {refuseTaken, snapshotPlace, writeSnapshot} from '../shared/snapshot-files.ts'
import {aboutSnapshot, snapshotSavedView, takenBy} from '../shared/snapshots.ts'

export default class SandboxSnapshotSave extends operationCommand('sandbox.snapshot.take') {
  static override summary = 'Save the whole state of the sandbox: data, clock, faults and keys.'
  static override description =
    'NAME is kept in the data folder; a path with a slash, such as ./fixture.json, is a file of yours. Either can be read by its owner alone. It holds the test card numbers and keys of the sandbox. It is whole or not there, even if cardctl is killed.'
  static override examples = [
    '<%= config.bin %> sandbox snapshot save before-july',
    {
      description: 'A fixture for the tests of a project',
      command: '<%= config.bin %> sandbox snapshot save ./fixture.json',
    },
  ]
  static override args = {name: requiredArg('Name of the snapshot, or a path with a slash')}
  static override flags = {
    replace: Flags.boolean({summary: 'Replace a snapshot or file of this name.'}),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxSnapshotSave)
    const call = {operation: 'sandbox.snapshot.take'} as const
    const place = snapshotPlace(this.context, args.name)
    if (await this.isPreview([call], flags)) return undefined
    refuseTaken(place, flags.replace)
    const snapshot = await takenBy(options => this.request(call, flags, options))
    await writeSnapshot(this.context, place, snapshot, flags.replace)
    const saved = aboutSnapshot(place, snapshot)
    await this.context.printer.data(saved, snapshotSavedView)
    return saved
  }
}
