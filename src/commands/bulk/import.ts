import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {importJob} from './shared/job-file.ts'
import {summaryOf} from './shared/summary.ts'
import {bulkJobView} from './shared/views.ts'
import {withJobs} from './shared/with-jobs.ts'

export default class BulkImport extends BaseCommand {
  static override summary = 'Import an exported bulk job, to continue it with bulk resume.'
  static override examples = [
    '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    '<%= config.bin %> bulk export last --to job.ndjson',
    {description: 'On another machine', command: '<%= config.bin %> bulk import job.ndjson'},
  ]
  static override args = {file: requiredArg('File that bulk export wrote')}

  async run() {
    const {args} = await this.parse(BulkImport)
    return withJobs(this.context, async store => {
      const summary = await summaryOf(this.context, store, await importJob(this.context, store, args.file))
      await this.context.printer.data(summary, bulkJobView)
      return summary
    })
  }
}
