import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {sharedFlag} from './shared/flags.ts'
import {followJob} from './shared/progress.ts'
import {bulkJobView} from './shared/views.ts'
import {jobIn, withJobsOf} from './shared/with-jobs.ts'
import {refuseUnlessDone} from './shared/work.ts'

export default class BulkWatch extends BaseCommand {
  static override summary =
    `Follow a bulk job that another process of this machine runs; exit ${exitOf('PARTLY_DONE')} if some rows failed or are left.`
  static override description =
    'Reads the journal and changes nothing, so you can start and stop it at any moment. If the job has ended, shows how.'
  static override examples = [
    '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    '<%= config.bin %> bulk watch last',
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = sharedFlag

  async run() {
    const {args, flags} = await this.parse(BulkWatch)
    return withJobsOf(this.context, {...args, ...flags}, async store => {
      const summary = await followJob(this.context, store, (await jobIn(store, args.job)).id)
      await refuseUnlessDone(store, summary, {}, this.context)
      await this.context.printer.data(summary, bulkJobView)
      return summary
    })
  }
}
