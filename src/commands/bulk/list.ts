import * as Flags from '@oclif/core/flags'
import type {Jobs} from '../../bulk/index.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {readsView} from '../../cli/next-step.ts'
import {dim} from '../../output/index.ts'
import {summaryOf} from './shared/summary.ts'
import {bulkListView} from './shared/views.ts'
import {withJobs, withSharedJobs} from './shared/with-jobs.ts'

export default class BulkList extends BaseCommand {
  static override summary = 'List the bulk jobs of a service, newest first.'
  static override examples = [
    '<%= config.bin %> bulk list',
    '<%= config.bin %> bulk list -o csv --columns job,state,rows',
  ]

  static override flags = {
    shared: Flags.boolean({summary: 'List the shared jobs in the database of the team.'}),
  }

  async run() {
    const {flags} = await this.parse(BulkList)
    const withAll = flags.shared ? withSharedJobs : withJobs
    return withAll(this.context, async (store: Jobs) => {
      const summaries = []
      for (const job of await store.list()) summaries.push(await summaryOf(this.context, store, job))
      const printed = await this.context.printer.list(summaries, bulkListView)
      const open = summaries.find(({left, held, state}) => left + held > 0 && state !== 'cancelled')
      if (open?.next !== undefined && readsView(this.context)) {
        const when = open.nextWhen === undefined ? '' : `, ${open.nextWhen}`
        this.context.printer.note(dim(`Next, for ${open.job}${when}: ${open.next}`))
      }
      return printed
    })
  }
}
