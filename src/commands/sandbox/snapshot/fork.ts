import * as Flags from '@oclif/core/flags'
import {optionalArg} from '../../../cli/arguments.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import type {OperationId} from '../../../contract/types.ts'
import {Failure} from '../../../errors/failure.ts'
import {forkTenant} from '../../../sandbox/team.ts'
import {readSnapshot, snapshotPlace} from '../shared/snapshot-files.ts'
import {forkIntoFolder, refuseState} from '../shared/snapshot-fork.ts'
import {aboutFork, snapshotForkedView, takenBy} from '../shared/snapshots.ts'
import {readRequiredStore, storeFlags} from '../shared/store.ts'

/** Claims nothing: `sandbox snapshot save` has the operation. */
export default class SandboxSnapshotFork extends operationCommand('sandbox.snapshot.take') {
  static override readonly claims: readonly OperationId[] = []
  static override summary = 'Make a new sandbox from a snapshot, or from the state as it is now.'
  static override description =
    'With --data, the new one is a folder for sandbox serve --data; with --store and --tenant, a tenant in PostgreSQL, whose token is printed once. Both are there as a whole or not at all, and nothing is replaced. Without NAME, the state is that of the sandbox of the profile. The sandbox that it comes from is not changed.'
  static override examples = [
    '<%= config.bin %> sandbox snapshot fork --data ./copy',
    {
      description: 'A tenant with the state of a snapshot',
      command:
        '<%= config.bin %> sandbox snapshot fork ./fixture.json --tenant tryout --store env:DATABASE_URL',
    },
  ]
  static override args = {
    name: optionalArg('Name of the snapshot, or a path with a slash; omit it for the state as it is now'),
  }
  static override flags = {
    data: Flags.string({
      helpValue: 'DIR',
      summary: 'Folder for the new sandbox, without a state yet.',
      exclusive: ['store', 'tenant'],
    }),
    tenant: Flags.string({
      helpValue: 'NAME',
      summary: 'Name of the new tenant, in the database of --store.',
      dependsOn: ['store'],
    }),
    ...storeFlags,
  }

  async run() {
    const {args, flags} = await this.parse(SandboxSnapshotFork)
    const {data, tenant} = flags
    const call = {operation: 'sandbox.snapshot.take'} as const
    if (args.name !== undefined && (flags['dry-run'] || flags.curl)) {
      throw new Failure('USAGE', {
        message: '--dry-run and --curl show a request, and a fork of a saved snapshot sends none.',
        effect: 'none',
      })
    }
    if (data === undefined && tenant === undefined) {
      throw new Failure('USAGE', {
        message: 'Where to?',
        hint: 'Pass --data DIR for a folder, or --tenant NAME --store REF for a tenant.',
        effect: 'none',
      })
    }
    if (await this.isPreview([call], flags)) return undefined
    if (data !== undefined) refuseState(data)
    const postgres = data === undefined ? await readRequiredStore(this.context, flags) : undefined
    const snapshot =
      args.name === undefined
        ? await takenBy(options => this.request(call, flags, options))
        : await readSnapshot(this.context, snapshotPlace(this.context, args.name))
    const made =
      postgres === undefined
        ? {file: await forkIntoFolder(this.context, data ?? '', snapshot)}
        : await forkTenant(postgres, tenant ?? '', snapshot, this.context.surroundings.now)
    const forked = aboutFork(made, snapshot)
    await this.context.printer.data(forked, snapshotForkedView)
    return forked
  }
}
