import * as Flags from '@oclif/core/flags'
import {moveKey, whereKeyIs} from '../../cli/audit-trail.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/views/generic.ts'

export default class AuditKey extends BaseCommand {
  static override summary = 'Show where the key of the audit trail is, or move it.'
  static override description =
    'The key seals the end of the trail. In the keyring, a program that can only read and write files cannot reach it. But then a job without a desktop session cannot write either. The key itself is never printed.'
  static override examples = [
    '<%= config.bin %> audit key',
    {
      description: 'For jobs that run without a keyring; run it where the keyring answers',
      command: '<%= config.bin %> audit key --to file',
    },
  ]
  static override flags = {
    to: Flags.option({options: ['keyring', 'file'] as const, summary: 'Move the key there.'})(),
  }

  async run() {
    const {flags} = await this.parse(AuditKey)
    const {data} = this.context.folders
    if (flags.to !== undefined) await moveKey(data, flags.to, this.context.surroundings)
    const found = {key: await whereKeyIs(data)}
    await this.context.printer.data(found, genericView)
    return found
  }
}
