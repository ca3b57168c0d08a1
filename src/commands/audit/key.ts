import * as Flags from '@oclif/core/flags'
import {moveKey, whereKeyIs} from '../../cli/audit-trail.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {recordKey} from '../../cli/record-changes.ts'
import {genericView} from '../../output/generic.ts'

export default class AuditKey extends BaseCommand {
  static override summary = 'Show where the key of the audit trail is, or move it.'
  static override description =
    'The key signs the end of the trail. For another key, see audit begin. In the keyring, it is safe from programs that can only read and write files, but a job without a desktop session cannot write to the trail. The key itself is never printed.'
  static override examples = [
    '<%= config.bin %> audit key',
    '<%= config.bin %> accounts patch 2001 --type credit -F creditLimit=6000',
    {
      description: 'For jobs without a keyring. Run it where the keyring is available',
      command: '<%= config.bin %> audit key --to file',
    },
  ]
  static override flags = {
    to: Flags.option({
      options: ['keyring', 'file'] as const,
      summary: 'Move the key to the keyring or to a file.',
    })(),
  }

  async run() {
    const {flags} = await this.parse(AuditKey)
    const {data} = this.context.folders
    const {to} = flags
    const move = async () => {
      if (to !== undefined) await moveKey(data, to, this.context.surroundings)
    }
    // Without a trail there is nothing to record in.
    if (to === undefined || (await whereKeyIs(data)) === undefined) await move()
    else await recordKey(this.context, {operation: 'audit.key', note: `Move the key to: ${to}.`}, move)
    const found = {key: await whereKeyIs(data)}
    await this.context.printer.data(found, genericView)
    return found
  }
}
