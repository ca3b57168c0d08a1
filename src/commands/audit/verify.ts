import * as Flags from '@oclif/core/flags'
import {whereKeyIs} from '../../cli/audit-trail.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/generic.ts'
import {checkTrail} from './shared/check-trail.ts'

export default class AuditVerify extends BaseCommand {
  static override summary = 'Check the chain and the seal of the audit trail, and show the first broken line.'
  static override description =
    'Finds lines that somebody changed, removed, added or moved without the key of the trail, including the last lines, another trail or key in the place of this one, and requests of the journals without an entry. Says if times run backwards. The key is in the keyring of the system or, if no keyring can be used, in the file audit.key of the data folder. The output says which. Somebody with the rights of your user could rewrite trail, key and journals, or restore older copies of all files: --anchor detects that.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit -F creditLimit=6000',
    '<%= config.bin %> audit verify',
    {
      description: 'Keep an anchor elsewhere, and check later that its entry is still there',
      command: '<%= config.bin %> audit anchor -o csv --columns anchor --no-header > anchor.txt',
    },
    '<%= config.bin %> audit verify --anchor "$(cat anchor.txt)"',
  ]
  static override flags = {
    anchor: Flags.string({helpValue: 'VALUE', summary: 'Value that audit anchor printed earlier.'}),
  }

  async run() {
    const {flags} = await this.parse(AuditVerify)
    using audit = await this.context.stores.audit('check')
    const verdict = {
      ...(await checkTrail(this.context, audit, flags.anchor)),
      key: await whereKeyIs(this.context.folders.data),
    }
    await this.context.printer.data(verdict, genericView)
    return verdict
  }
}
