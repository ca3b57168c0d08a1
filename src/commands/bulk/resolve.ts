import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {resolveFlags, resolveRow} from './shared/resolve.ts'
import {bulkJobView} from './shared/views.ts'

export default class BulkResolve extends BaseCommand {
  static override summary =
    'Record whether a row of a shared bulk job had an effect, after you checked it at the service.'
  static override description =
    'For rows with an unknown effect, from any machine. On the machine that sent the row, requests resolve and then bulk resume do the same, and may find it out. Rows of other jobs need requests resolve.'
  static override examples = [
    '<%= config.bin %> bulk results last --shared --state unknown -p prod',
    '<%= config.bin %> bulk resolve last --shared --row 17 --found effect --because "The limit is 5000" -p prod',
    '<%= config.bin %> bulk resume last --shared -p prod',
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = resolveFlags

  async run() {
    const {args, flags} = await this.parse(BulkResolve)
    const summary = await resolveRow(this.context, args.job, flags)
    await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
