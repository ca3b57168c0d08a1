import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {bulkJobView} from '../../output/views/bulk.ts'
import {bulkFlags} from './shared/flags.ts'
import {resumeBulk} from './shared/run.ts'

export default class BulkResume extends BaseCommand {
  static override summary = 'Continue a bulk job that stopped early. No row has its effect twice.'
  static override examples = [
    '<%= config.bin %> bulk resume j_01JD9… --results out.ndjson',
    '<%= config.bin %> bulk resume j_01JD9… --retry-failed',
  ]
  static override args = {job: requiredArg('Id of the job')}
  static override flags = {
    'retry-failed': Flags.boolean({summary: 'Also send the failed rows again.'}),
    ...bulkFlags,
  }

  async run() {
    const {args, flags} = await this.parse(BulkResume)
    const summary = await resumeBulk(this.context, args.job, flags)
    if (flags.results !== '-') await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
