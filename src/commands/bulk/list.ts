import {BaseCommand} from '../../cli/base-command.ts'
import {bulkListView} from '../../output/views/bulk.ts'
import {summaryOf, withJobs} from './shared/jobs.ts'

export default class BulkList extends BaseCommand {
  static override summary = 'List the bulk jobs of a service, newest first.'
  static override examples = [
    '<%= config.bin %> bulk list',
    '<%= config.bin %> bulk list -o csv --columns job,state,rows',
  ]

  async run() {
    await this.parse(BulkList)
    return withJobs(this.context, async store =>
      this.context.printer.list(
        await Promise.all(store.list().map(job => summaryOf(store, job))),
        bulkListView,
      ),
    )
  }
}
