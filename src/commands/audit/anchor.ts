import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/generic.ts'
import {anchorOf} from './shared/check-trail.ts'

export default class AuditAnchor extends BaseCommand {
  static override summary =
    'Print a value that proves the audit trail up to its last entry, to keep elsewhere.'
  static override description =
    'Keep the value where nobody who can write the trail can change it: in a ticket, an email, or on another machine. audit verify --anchor VALUE then shows whether the entry is still there, even if somebody rewrote the whole trail with its key. The value contains the number, time and hash of the entry, but not its content.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit -F creditLimit=6000',
    '<%= config.bin %> audit anchor',
    '<%= config.bin %> audit anchor -o json --query anchor > anchor.txt',
  ]

  async run() {
    await this.parse(AuditAnchor)
    using audit = await this.context.stores.audit('check')
    const anchor = await anchorOf(this.context, audit)
    await this.context.printer.data(anchor, genericView)
    return anchor
  }
}
