import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {bulkFlags} from '../../cli/bulk-flags.ts'
import {startBulk} from '../../cli/bulk-run.ts'
import {bulkJobView} from '../../output/views/bulk.ts'

export default class BulkRun extends BaseCommand {
  static override summary =
    'Send every row of a file through one operation; exit 11 if rows failed or are left.'
  static override examples = [
    '<%= config.bin %> bulk run accounts.patchCredit.v4 --from limits.csv --results out.ndjson',
    '<%= config.bin %> bulk run cards.get.v4 --from - --map card=path:id --rate 20/s',
    '<%= config.bin %> bulk run accounts.patchDebit.v4 --from rows.csv --confirm ACCOUNT_TO_CLOSE:120 -p prod',
  ]
  static override args = {operation: requiredArg('Id of the operation')}
  static override flags = {
    from: Flags.string({
      required: true,
      helpValue: 'FILE|-',
      summary: 'CSV or NDJSON; columns are path, query and body members by name.',
    }),
    map: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'column=target',
      summary: 'Where a column goes: path:id, query:size or a.b of the body; repeatable.',
    }),
    precheck: Flags.boolean({
      allowNo: true,
      default: true,
      summary: 'Hold all rows to the contract before any is sent.',
    }),
    confirm: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'VALUE:COUNT',
      summary: 'Confirm a value that cannot be undone, and in how many rows; repeatable.',
    }),
    ...bulkFlags,
  }

  async run() {
    const {args, flags} = await this.parse(BulkRun)
    const summary = await startBulk(this.context, args.operation, flags)
    await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
