import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {Failure} from '../../errors/failure.ts'
import {bulkJobView} from '../../output/views/bulk.ts'
import {summaryOf, withJobs} from './shared/jobs.ts'

export default class BulkCancel extends BaseCommand {
  static override summary = 'Cancel a bulk job that stopped early. The rows that are left are never sent.'
  static override examples = ['<%= config.bin %> bulk cancel j_01JD9…']
  static override args = {job: requiredArg('Id of the job')}

  async run() {
    const {args} = await this.parse(BulkCancel)
    return withJobs(this.context, async store => {
      if (store.get(args.job).state === 'done') {
        throw new Failure('USAGE', {message: `Bulk job ${args.job} is done; no rows are left.`})
      }
      store.claim(args.job)
      store.setState(args.job, 'cancelled')
      const summary = summaryOf(store, store.get(args.job))
      await this.context.printer.data(summary, bulkJobView)
      return summary
    })
  }
}
