import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {sharedFlag} from './shared/flags.ts'
import {summaryOf} from './shared/summary.ts'
import {bulkJobView} from './shared/views.ts'
import {jobIn, withJobsOf} from './shared/with-jobs.ts'

export default class BulkStatus extends BaseCommand {
  static override summary = 'Show the progress of a bulk job.'
  static override examples = [
    '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    '<%= config.bin %> bulk status last',
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = sharedFlag

  async run() {
    const {args, flags} = await this.parse(BulkStatus)
    return withJobsOf(this.context, {...args, ...flags}, async store => {
      const summary = await summaryOf(this.context, store, await jobIn(store, args.job))
      await this.context.printer.data(summary, bulkJobView)
      return summary
    })
  }
}
