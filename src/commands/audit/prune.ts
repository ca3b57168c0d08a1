import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag} from '../../cli/flags.ts'
import {genericView} from '../../output/views/generic.ts'

export default class AuditPrune extends BaseCommand {
  static override summary = 'Remove old lines of the audit trail; a signed line says how many went.'
  static override description = 'Lines of the last 400 days stay unless --older-than says otherwise.'
  static override examples = [
    '<%= config.bin %> audit prune',
    '<%= config.bin %> audit prune --older-than 90d --yes',
  ]
  static override flags = {'older-than': durationFlag({summary: 'Lines older than this (default 400d).'})}

  async run() {
    const {flags} = await this.parse(AuditPrune)
    using audit = await this.context.audit()
    const age = flags['older-than'] ?? (await this.context.auditRetentionMs())
    const {now, osUser} = this.context.surroundings
    const before = now() - age
    await this.context.confirmYes(`Remove all lines before ${new Date(before).toISOString()}?`)
    const {auditUser} = await this.context.chosen()
    const pruned = audit.prune({before, osUser, auditUser})
    await this.context.printer.data(pruned, genericView)
    return pruned
  }
}
