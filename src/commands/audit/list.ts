import * as Flags from '@oclif/core/flags'
import type {Audit, AuditOutcome} from '../../audit/index.ts'
import {lengthFlag} from '../../cli/list-length.ts'
import {LocalListCommand} from '../../cli/local-list.ts'
import {periodFlags, periodOf} from '../../cli/moment.ts'
import {recordFilterFlags} from '../../cli/record-filters.ts'
import {auditListView} from './shared/entry-view.ts'
import {kindFlag} from './shared/kind-flag.ts'

const OUTCOMES = ['done', 'refused', 'none', 'unknown', 'failed'] as const satisfies readonly AuditOutcome[]

export default class AuditList extends LocalListCommand {
  static override summary =
    'List who did what, newest first: every write, disclosure and reveal, on all profiles or on one (-p).'
  static override description =
    'The kind is what the request does at the service. A reveal is a separate entry: it says that the values of a disclosure were shown to a person. Propose, approve and reject say who decided about a request that needs a second person. Reads leave no entry, not even in bulk jobs.'
  static override examples = [
    '<%= config.bin %> audit list --limit 10',
    '<%= config.bin %> audit list --kind reveal -o csv',
    '<%= config.bin %> audit list --resource card:3004 --operation pin',
  ]
  static override flags = {
    ...kindFlag,
    ...recordFilterFlags,
    outcome: Flags.option({options: OUTCOMES, summary: 'Only entries with this outcome.'})(),
    ...periodFlags,
    ...lengthFlag,
  }

  async run() {
    const {flags} = await this.parse(AuditList)
    using audit = await this.context.stores.audit('list')
    const {kind, operation: operations, resource, outcome, profile, ticket} = flags
    if (profile !== undefined) await this.refuseUnknownProfile(audit, profile)
    const read = () =>
      audit.newest({
        kind,
        operations,
        resource,
        outcome,
        profile,
        ticket,
        ...periodOf(this.context, flags),
      })
    return await this.list('entries', read, auditListView, flags)
  }

  /** Entries of deleted profiles stay in the trail. */
  private async refuseUnknownProfile(audit: Audit, profile: string): Promise<void> {
    if (audit.newest({profile}).next().done === true) await this.context.service.chosen()
  }
}
