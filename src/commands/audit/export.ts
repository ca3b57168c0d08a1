import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag} from '../../cli/flags.ts'
import {genericListView} from '../../output/views/generic.ts'
import {checkTrail} from './shared/check-trail.ts'

export default class AuditExport extends BaseCommand {
  static override summary = 'Print the whole audit trail, oldest first, and check its chain and seal.'
  static override description =
    'As CSV and NDJSON it streams, however long it is. A trail whose chain is broken is printed all the same, and the command ends with exit 3. Exit 0 says that the trail was sound when it was exported. The export has no hashes: match it to an anchor by number and time (seq and at), and keep it where nobody who can write the trail can change it.'
  static override examples = [
    '<%= config.bin %> audit export -o csv > trail.csv',
    '<%= config.bin %> audit export --since 30d -o ndjson',
  ]
  static override flags = {since: durationFlag({summary: 'Only the last 24h, 7d …'})}

  async run() {
    const {flags} = await this.parse(AuditExport)
    using audit = await this.context.audit('check')
    const since = flags.since === undefined ? undefined : this.context.surroundings.now() - flags.since
    await this.context.printer.list(audit.iterate({since}), genericListView)
    await checkTrail(this.context, audit)
  }
}
