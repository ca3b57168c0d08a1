import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/views/generic.ts'
import {anchorOf} from './shared/check-trail.ts'

export default class AuditAnchor extends BaseCommand {
  static override summary =
    'Print a value that proves the audit trail up to its last entry, to keep elsewhere.'
  static override description =
    'Keep it where nobody who can write the trail can change it: a ticket, a mail, another machine. audit verify --anchor VALUE then shows whether that line is still there, even if somebody rewrote the whole trail with its key. The value holds the number, time and hash of the line, and nothing of what it says.'
  static override examples = [
    '<%= config.bin %> audit anchor',
    '<%= config.bin %> audit anchor -o json --query anchor > anchor.txt',
  ]

  async run() {
    await this.parse(AuditAnchor)
    using audit = await this.context.audit('check')
    const anchor = await anchorOf(this.context, audit)
    await this.context.printer.data(anchor, genericView)
    return anchor
  }
}
