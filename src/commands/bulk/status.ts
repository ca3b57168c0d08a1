import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {bulkJobView} from '../../output/views/bulk.ts'
import {summaryOf, withJobs} from './shared/jobs.ts'

export default class BulkStatus extends BaseCommand {
  static override summary = 'Show the progress of a bulk job.'
  static override examples = ['<%= config.bin %> bulk status j_01JD9…']
  static override args = {job: requiredArg('Id of the job')}

  async run() {
    const {args} = await this.parse(BulkStatus)
    return withJobs(this.context, async store => {
      const summary = summaryOf(store, store.get(args.job))
      await this.context.printer.data(summary, bulkJobView)
      return summary
    })
  }
}
