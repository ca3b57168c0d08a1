import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {sharedFlag} from './shared/flags.ts'
import {UNSENT} from './shared/newer-writes.ts'
import {ROW_STATES, unsentWords, writeUnsentRows} from './shared/results.ts'
import {bulkResultsView} from './shared/views.ts'
import {jobIn, withJobsOf} from './shared/with-jobs.ts'

export default class BulkResults extends BaseCommand {
  static override summary = 'Show the results of the rows of a bulk job, in the order of the file.'
  static override examples = [
    '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    '<%= config.bin %> bulk results last',
    '<%= config.bin %> bulk results last --state failed -o ndjson',
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = {
    state: Flags.option({
      options: ROW_STATES,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Only rows in this state; repeatable.',
    })(),
    'unsent-rows': Flags.string({
      helpValue: 'FILE',
      exclusive: ['state'],
      summary:
        'Also write the rows that a cancelled job has not sent to a file, to run as a job of its own; a file with other content is refused.',
    }),
    ...sharedFlag,
  }

  async run() {
    const {args, flags} = await this.parse(BulkResults)
    return withJobsOf(this.context, {...args, ...flags}, async store => {
      const job = await jobIn(store, args.job)
      const {printer} = this.context
      const file = flags['unsent-rows']
      if (file === undefined) return printer.list(store.ends(job.id, flags.state), bulkResultsView)
      const replaced = await writeUnsentRows(this.context, store, job, file)
      const listed = await printer.list(store.ends(job.id, UNSENT), bulkResultsView)
      printer.note(...unsentWords(this.context, job, file, replaced))
      return listed
    })
  }
}
