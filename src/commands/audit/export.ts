import {BaseCommand} from '../../cli/base-command.ts'
import {periodFlags, periodOf} from '../../cli/moment.ts'
import {genericListView} from '../../output/views/generic.ts'
import {checkTrail} from './shared/check-trail.ts'

export default class AuditExport extends BaseCommand {
  static override summary = 'Print the whole audit trail, oldest first, and check its chain and seal.'
  static override description =
    'CSV and NDJSON are streamed, so the trail can have any length. A trail with a broken chain is printed too, and the command ends with exit 3. Exit 0 means that the trail was intact when it was exported. The export has no hashes: match it to an anchor by number and time (seq and at), and keep it where nobody who can write the trail can change it.'
  static override examples = [
    '<%= config.bin %> audit export -o csv > trail.csv',
    '<%= config.bin %> audit export --since 30d -o ndjson',
  ]
  static override flags = {
    ...periodFlags,
  }

  async run() {
    const {flags} = await this.parse(AuditExport)
    using audit = await this.context.audit('check')
    const period = periodOf(this.context, flags)
    await this.context.printer.list(audit.iterate(period), genericListView)
    await checkTrail(this.context, audit)
  }
}
