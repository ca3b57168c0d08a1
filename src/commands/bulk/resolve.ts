import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {integerFlag} from '../../cli/flags.ts'
import {sharedFlag} from './shared/flags.ts'
import {resolveRow} from './shared/resolve.ts'
import {bulkJobView} from './shared/views.ts'

export default class BulkResolve extends BaseCommand {
  static override summary =
    'Record whether a row of a shared bulk job had an effect, after you checked it at the service.'
  static override description =
    'For rows with an unknown effect, from any machine. On the machine that sent the row, requests resolve and then bulk resume do the same, and may find it out. Rows of other jobs need requests resolve.'
  static override examples = [
    '<%= config.bin %> bulk results last --shared --state unknown -p prod',
    '<%= config.bin %> bulk resolve last --shared --row 17 --found effect --because "The limit is 5000" -p prod',
    '<%= config.bin %> bulk resume last --shared -p prod',
  ]
  static override args = {job: requiredArg('Id of the job, or last for the newest')}
  static override flags = {
    row: integerFlag({required: true, min: 1, summary: 'Number of the row.'}),
    found: Flags.option({
      options: ['effect', 'no-effect'] as const,
      required: true,
      summary: 'The effect that you found at the service.',
    })(),
    because: Flags.string({
      required: true,
      helpValue: 'TEXT',
      summary: 'What you checked. Kept as evidence, with the name of the audit user.',
    }),
    ...sharedFlag,
  }

  async run() {
    const {args, flags} = await this.parse(BulkResolve)
    const summary = await resolveRow(this.context, args.job, flags)
    await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
