import {BaseCommand} from '../../cli/base-command.ts'
import {Failure} from '../../errors/failure.ts'
import {genericView} from '../../output/views/generic.ts'

export default class AuditVerify extends BaseCommand {
  static override summary = 'Follow the chain of the audit trail and name the first line that breaks it.'
  static override examples = ['<%= config.bin %> audit verify']

  async run() {
    await this.parse(AuditVerify)
    using audit = await this.context.audit()
    const verdict = audit.verify()
    if (verdict.firstBroken) {
      const {line, why} = verdict.firstBroken
      throw new Failure('CONFIG_DAMAGED', {
        message: `${audit.file} is broken at line ${line}: ${why}.`,
        hint: 'Keep the file as it is, and find out who changed it.',
        data: {verdict},
      })
    }
    await this.context.printer.data(verdict, genericView)
    return verdict
  }
}
