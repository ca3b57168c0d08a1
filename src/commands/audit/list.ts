import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag} from '../../cli/flags.ts'
import {auditListView} from '../../output/views/audit.ts'

export default class AuditList extends BaseCommand {
  static override summary =
    'List who did what, newest first: every write, disclosure and reveal, on all profiles.'
  static override description =
    'The kind is what the request does to the service; a reveal is a line more, where a person was shown what a disclosure brought. Single reads leave no line, bulk runs of them do.'
  static override examples = [
    '<%= config.bin %> audit list --limit 10',
    '<%= config.bin %> audit list --kind reveal -o csv',
  ]
  static override flags = {
    kind: Flags.option({
      options: ['read', 'write', 'destroy', 'disclose', 'reveal'] as const,
      summary: 'Only these.',
    })(),
    operation: Flags.string({summary: 'Only this operation, by its id.'}),
    resource: idFlag({summary: 'Only what was done to this id.'}),
    since: durationFlag({summary: 'Only the last 24h, 7d …'}),
    limit: Flags.integer({min: 1, default: 30, summary: 'At most so many.'}),
  }

  async run() {
    const {flags} = await this.parse(AuditList)
    using audit = await this.context.audit('list')
    const {kind, operation, resource, limit} = flags
    const since = flags.since === undefined ? undefined : this.context.surroundings.now() - flags.since
    return this.context.printer.list(audit.list({kind, operation, resource, limit, since}), auditListView)
  }
}
