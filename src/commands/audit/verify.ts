import * as Flags from '@oclif/core/flags'
import {whereKeyIs} from '../../cli/audit-trail.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/views/generic.ts'
import {checkTrail} from './shared/check-trail.ts'

export default class AuditVerify extends BaseCommand {
  static override summary =
    'Check the chain and the seal of the audit trail, and name the first line that breaks it.'
  static override description =
    'Finds lines that somebody changed, removed, added or moved without the key of the trail, the last ones included. The key is in the keyring of the system, or in the file audit.key of the data folder where no keyring can be used; the output says which. Somebody with the key could write a whole new trail, or put older copies of all files back: --anchor finds that out.'
  static override examples = [
    '<%= config.bin %> audit verify',
    {
      description: 'Also check that a line is there which you noted earlier',
      command: '<%= config.bin %> audit verify --anchor "$(cat anchor.txt)"',
    },
  ]
  static override flags = {
    anchor: Flags.string({helpValue: 'VALUE', summary: 'A value that audit anchor printed earlier.'}),
  }

  async run() {
    const {flags} = await this.parse(AuditVerify)
    using audit = await this.context.audit('check')
    const verdict = {
      ...(await checkTrail(this.context, audit, flags.anchor)),
      key: await whereKeyIs(this.context.folders.data),
    }
    await this.context.printer.data(verdict, genericView)
    return verdict
  }
}
