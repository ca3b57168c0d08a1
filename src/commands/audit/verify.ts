import {BaseCommand} from '../../cli/base-command.ts'
import {soundTrail} from '../../cli/sound-trail.ts'
import {genericView} from '../../output/views/generic.ts'

export default class AuditVerify extends BaseCommand {
  static override summary = 'Follow the chain of the audit trail and name the first line that breaks it.'
  static override examples = ['<%= config.bin %> audit verify']

  async run() {
    await this.parse(AuditVerify)
    using audit = await this.context.audit()
    const verdict = soundTrail(audit)
    await this.context.printer.data(verdict, genericView)
    return verdict
  }
}
