import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../../cli/arguments.ts'
import {confirmFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {noteForgotten} from '../shared/forgotten.ts'
import {forgetReplaced, keepReplaced, readSnapshot, snapshotPlace} from '../shared/snapshot-files.ts'
import {aboutSnapshot, snapshotLoadedView, takenBy} from '../shared/snapshots.ts'

export default class SandboxSnapshotLoad extends operationCommand('sandbox.snapshot.load') {
  static override summary = 'Replace the state of the sandbox by that of a snapshot.'
  static override description =
    'Everything else in the sandbox is deleted, in one transaction: if it fails or cardctl is killed, the sandbox has the old state or the new one. The clock goes on from where the snapshot has it. The state of before is saved first, as a snapshot whose name is printed; the newest 10 of them are kept. What other programs change between that and the load is in neither.'
  static override examples = [
    '<%= config.bin %> sandbox snapshot save before-july',
    '<%= config.bin %> sandbox snapshot load before-july --yes',
  ]
  static override args = {name: requiredArg('Name of the snapshot, or a path with a slash')}
  static override flags = {
    ...confirmFlags,
    'without-backup': Flags.boolean({summary: "Don't save the state that is replaced."}),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxSnapshotLoad)
    const place = snapshotPlace(this.context, args.name)
    const snapshot = await readSnapshot(this.context, place)
    const call = {operation: 'sandbox.snapshot.load', body: snapshot} as const
    if (await this.isPreview([call], flags)) return undefined
    let replaced: string | undefined
    // Once it is confirmed, and before it is sent.
    const check = async () => {
      if (flags['without-backup']) return
      const before = await takenBy(options =>
        this.request({operation: 'sandbox.snapshot.take'}, {...flags, confirm: []}, options),
      )
      replaced = (await keepReplaced(this.context, before)).name
    }
    await this.request(call, flags, {check}).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.details.effect !== 'unknown') throw error
      if (replaced === undefined && !flags['without-backup']) {
        throw error.with({
          message: `The state of before could not be saved, so nothing was loaded: ${error.message}`,
          hint: advice`The sandbox is as it was. Load it again: ${this.context.commandLine('sandbox', 'snapshot', 'load', {value: args.name})}`,
          effect: 'none',
        })
      }
      throw error.with({
        hint: advice`The sandbox has the old state or that of the snapshot. Load it again: ${this.context.commandLine('sandbox', 'snapshot', 'load', {value: args.name}, '--without-backup')}`,
      })
    })
    await forgetReplaced(this.context)
    await noteForgotten(this.context, 'A snapshot of before was loaded', Date.parse(snapshot.savedAt))
    const loaded = {...aboutSnapshot(place, snapshot), replaced: replaced ?? null}
    await this.context.printer.data(loaded, snapshotLoadedView)
    if (replaced !== undefined) {
      this.context.printer.note(
        `The way back: ${this.context.commandLine('sandbox', 'snapshot', 'load', {value: replaced})}`,
      )
    }
    return loaded
  }
}
