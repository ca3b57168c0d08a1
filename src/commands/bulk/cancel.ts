import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {Failure} from '../../errors/failure.ts'
import {sharedFlag} from './shared/flags.ts'
import {openWords, summaryOf} from './shared/summary.ts'
import {bulkJobView} from './shared/views.ts'
import {jobIn, withJobsOf} from './shared/with-jobs.ts'

export default class BulkCancel extends BaseCommand {
  static override summary = 'Cancel a bulk job that stopped early. The rows that are left are never sent.'
  static override examples = [
    {
      description: 'A service that is down stops a job',
      command: '<%= config.bin %> sandbox faults add --operation accounts.patchCredit.v4 --status 503',
    },
    {
      description: '11: the service is down',
      command: '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    },
    '<%= config.bin %> bulk cancel last',
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = sharedFlag

  async run() {
    const {args, flags} = await this.parse(BulkCancel)
    return withJobsOf(this.context, {...args, ...flags}, async store => {
      const {id, state} = await jobIn(store, args.job)
      if (state === 'done') throw new Failure('USAGE', {message: `Bulk job ${id} is done; no rows are left.`})
      await store.cancel(id)
      const summary = await summaryOf(this.context, store, await store.get(id))
      await this.context.printer.data(summary, bulkJobView)
      this.context.printer.note(...openWords(this.context, summary))
      return summary
    })
  }
}
