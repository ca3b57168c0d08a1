import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {exportJob} from './shared/job-file.ts'
import {summaryOf} from './shared/summary.ts'
import {bulkJobView} from './shared/views.ts'
import {isShared, jobIn, withJobs} from './shared/with-jobs.ts'

export default class BulkExport extends BaseCommand {
  static override summary =
    'Export a bulk job, unencrypted, to continue it on another machine; it cannot be resumed here.'
  static override examples = [
    '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    '<%= config.bin %> bulk export last --to job.ndjson',
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = {
    to: Flags.string({required: true, helpValue: 'FILE', summary: 'File to write. Only you can read it.'}),
  }

  async run() {
    const {args, flags} = await this.parse(BulkExport)
    if (isShared(args)) {
      throw new Failure('USAGE', {
        message: `Bulk job ${args.job} is shared and can't be exported.`,
        hint: advice`Every machine with the same teamStore and teamKey can work on it: ${cardctl('bulk', 'work', {value: 'JOB'})}`,
      })
    }
    return withJobs(this.context, async store => {
      const {id} = await jobIn(store, args.job)
      await exportJob(this.context, store, id, flags.to)
      const summary = await summaryOf(this.context, store, store.get(id))
      await this.context.printer.data(summary, bulkJobView)
      return summary
    })
  }
}
