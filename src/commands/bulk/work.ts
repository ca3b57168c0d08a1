import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {workBulk, workFlags} from './shared/resume.ts'
import {bulkJobView} from './shared/views.ts'

export default class BulkWork extends BaseCommand {
  static override tellsIfUnsent = true
  static override summary =
    `Work on a shared bulk job, beside other machines; exit ${exitOf('PARTLY_DONE')} if some rows failed or are left.`
  static override description =
    'Takes rows that no other worker has, and ends when the job has no more. If a worker dies, the others take its rows when its lease has run out. A row that was in flight is sent again only if the service honours its key.'
  static override examples = [
    {
      description: 'On one machine',
      command:
        '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv --shared --prepare -p prod',
    },
    {
      description: 'On each machine that works',
      command: '<%= config.bin %> bulk work last -p prod',
    },
  ]
  static override args = {job: idArg('the shared job', {last: 'the newest'})}
  static override flags = workFlags

  async run() {
    const {args, flags} = await this.parse(BulkWork)
    const summary = await workBulk(this.context, args.job, flags)
    if (flags.results !== '-') await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
