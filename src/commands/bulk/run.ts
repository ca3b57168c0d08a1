import {idArg, optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {exitOf} from '../../errors/registry.ts'
import {namedOperation, refuseAnswered} from './shared/operation.ts'
import {refusePart, wordsOf} from './shared/part-of-another.ts'
import {runFlags, startBulk} from './shared/start-job.ts'
import {bulkJobView} from './shared/views.ts'

export default class BulkRun extends BaseCommand {
  static override tellsIfUnsent = true
  static override summary =
    `Send every row of a file through one operation; exit ${exitOf('PARTLY_DONE')} if some rows failed or are left.`
  static override examples = [
    '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv --results out.ndjson',
    '<%= config.bin %> bulk run accounts patch --type credit --from ids.csv -F creditLimit=5000',
    {
      description: 'Values that cannot be undone need their number of rows',
      command:
        '<%= config.bin %> bulk run accounts patch --type debit --from closings.csv --confirm ACCOUNT_TO_CLOSE:2',
    },
    {
      description: 'A job of a pipeline: run it, or continue it after a failure',
      command:
        '<%= config.bin %> bulk run accounts patch --type credit --from limits.csv --job-key nightly-2026-11-21',
    },
    {
      description: 'An operation of an imported contract',
      command: '<%= config.bin %> bulk run x invoices create-invoice --from invoices.csv -p staging',
    },
    {
      description: 'Any operation by its id',
      command:
        'cat cards.ndjson | <%= config.bin %> bulk run cards.get.v4 --from - --map card=path:id --rate 20/s',
    },
  ]
  static override args = {
    operation: idArg('the operation', {more: ', or the command that sends it'}),
    verb: optionalArg('Second word of the command'),
    more: optionalArg('Third word of the command'),
  }
  static override flags = runFlags

  protected override get guide(): Guide {
    return {checks: {operation: text => refuseAnswered(this.context, this.config, text)}}
  }

  protected override async init(): Promise<void> {
    await super.init()
    refusePart(this.config, wordsOf(this.argv))
  }

  async run() {
    const {args, flags} = await this.parse(BulkRun)
    const words = [args.operation, args.verb, args.more].flatMap(arg => arg?.split(/\s+/) ?? [])
    let {'other-types': others} = flags
    const answered = (flag: string, value: string): void => {
      if (flag === '--other-types') others = 'skip'
      this.answered(flag, value)
    }
    const id = await namedOperation(this.context, this.config, words, {...flags, file: flags, answered})
    const summary = await startBulk(this.context, id, {
      ...flags,
      'other-types': others,
      careful: this.wasAsked,
      answered,
    })
    if (flags.results !== '-') await this.context.printer.data(summary, bulkJobView)
    return summary
  }
}
