import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import {AUDIT_RETENTION_MS} from '../../cli/audit-trail.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {callerText} from '../../cli/caller.ts'
import {confirm} from '../../cli/confirm.ts'
import {clockFlag, durationFlag, typedDuration} from '../../cli/flags.ts'
import {genericView} from '../../output/generic.ts'
import {checkTrail, explainedHere} from './shared/check-trail.ts'
import {refuseAgent} from './shared/refuse-agent.ts'

export default class AuditPrune extends BaseCommand {
  static override summary = 'Write old entries of the audit trail to a file and remove them.'
  static override description =
    'Writes the entries to the file byte for byte (mode 0600) before it removes anything. A sealed entry with the number, time and hash of the last removed entry takes their place, so the rest can still be verified. The sealed entry of an earlier prune is also moved to the file but not counted, so the file may have one line more than the result says. Entries of the last 400 days stay unless you pass --older-than. cardctl never prunes the trail by itself.'
  static override examples = [
    '<%= config.bin %> audit prune --export audit-2026.ndjson',
    '<%= config.bin %> audit prune --older-than 90d --export old.ndjson --yes',
  ]
  static override flags = {
    ...clockFlag,
    'older-than': durationFlag({
      summary: `Remove entries older than this (default ${typedDuration(AUDIT_RETENTION_MS)}).`,
    }),
    export: Flags.string({
      required: true,
      helpValue: 'FILE',
      summary: 'New file for the removed entries.',
    }),
  }

  async run() {
    const {flags} = await this.parse(AuditPrune)
    refuseAgent(this.context, 'removes entries from the audit trail')
    using audit = await this.context.stores.audit()
    // A mark of a prune would explain what is missing, and explains what was marked before it was checked.
    const {marks} = await explainedHere(this.context)
    await checkTrail(this.context, audit)
    const age = flags['older-than'] ?? AUDIT_RETENTION_MS
    const {now, osUser} = this.context.surroundings
    const {clock} = this.context.stores
    const [newest] = audit.newest({limit: 1})
    const isBelieved = clock.follows(newest && Date.parse(newest.at))
    // Nothing is old by a clock that can't be believed.
    if (!isBelieved) clock.needed()
    const before = isBelieved ? now() - age : 0
    if (isBelieved)
      await confirm(this.context, {
        place: {at: `Audit trail of this machine (${this.context.folders.data})`},
        action: `remove all lines before ${this.context.when(before)}, of every profile`,
        consequence: "This can't be undone; a sealed mark stays in their place.",
      })
    const {auditUser} = await this.context.service.chosen()
    const caller = callerText(this.context.caller)
    const pruned = audit.prune({before, exportTo: resolve(flags.export), osUser, auditUser, marks, caller})
    await this.context.printer.data(pruned, genericView)
    return pruned
  }
}
