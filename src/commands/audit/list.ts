import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag} from '../../cli/flags.ts'
import {genericListView} from '../../output/views/generic.ts'

export default class AuditList extends BaseCommand {
  static override summary = 'List who did what, newest first: every write and every reveal, on all profiles.'
  static override examples = [
    '<%= config.bin %> audit list --limit 10',
    '<%= config.bin %> audit list --kind reveal -o csv',
  ]
  static override flags = {
    kind: Flags.option({options: ['write', 'reveal'] as const, summary: 'Only these.'})(),
    operation: Flags.string({summary: 'Only this operation, by its id.'}),
    resource: Flags.string({summary: 'Only what was done to this id.'}),
    since: durationFlag({summary: 'Only the last 24h, 7d …'}),
    limit: Flags.integer({min: 1, default: 30, summary: 'At most so many.'}),
  }

  async run() {
    const {flags} = await this.parse(AuditList)
    using audit = await this.context.audit()
    const {kind, operation, resource, limit} = flags
    const since = flags.since === undefined ? undefined : this.context.surroundings.now() - flags.since
    return this.context.printer.list(audit.list({kind, operation, resource, limit, since}), genericListView)
  }
}
