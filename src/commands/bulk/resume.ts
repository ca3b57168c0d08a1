import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {resumeBulk, resumeFlags} from './shared/resume.ts'
import {bulkJobView} from './shared/views.ts'
import {onlyOpenJob} from './shared/with-jobs.ts'

export default class BulkResume extends BaseCommand {
  static override tellsIfUnsent = true
  static override summary = 'Continue a bulk job that stopped early. No row has its effect twice.'
  static override examples = [
    {
      description: 'A job that stopped, because the service was down',
      command:
        '<%= config.bin %> sandbox faults add --operation accounts.patchCredit.v4 --status 503 --count 5',
    },
    {
      description: '11: the service is down',
      command: '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv',
    },
    '<%= config.bin %> bulk resume last',
    {
      description: 'Also rows that failed for good',
      command: '<%= config.bin %> bulk resume last --retry-failed --results out.ndjson',
    },
  ]
  static override args = {job: idArg('the job', {last: 'the newest'})}
  static override flags = resumeFlags

  static override guide: Guide = {
    known: async (context, given) => {
      const job = given.has('job') ? undefined : await onlyOpenJob(context)
      return job === undefined
        ? undefined
        : {words: [job], from: `${job} is the only bulk job with rows left.`}
    },
  }

  async run() {
    const {args, flags} = await this.parse(BulkResume)
    const summary = await resumeBulk(this.context, args.job, flags)
    if (flags.results !== '-') await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
