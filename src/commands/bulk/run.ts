import * as Flags from '@oclif/core/flags'
import {optionalArg, requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag, integerFlag} from '../../cli/flags.ts'
import {rowFileFlags} from '../../cli/row-file-flags.ts'
import type {Decimal} from '../../money/decimal-sign.ts'
import type {Encoding} from '../../rows/dialect.ts'
import {askFileDecimal} from './shared/file-decimal.ts'
import {bulkFlags} from './shared/flags.ts'
import {parseMap} from './shared/input.ts'
import {bulkOperation, operationOfCommand} from './shared/operation.ts'
import {startBulk} from './shared/run.ts'
import {bulkJobView} from './shared/views.ts'

export default class BulkRun extends BaseCommand {
  static override summary =
    'Send every row of a file through one operation; exit 11 if some rows failed or are left.'
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
      description: 'Any operation by its id',
      command:
        'cat cards.ndjson | <%= config.bin %> bulk run cards.get.v4 --from - --map card=path:id --rate 20/s',
    },
  ]
  static override args = {
    operation: requiredArg('Id of the operation, or the command that sends it'),
    verb: optionalArg('Second word of the command'),
    more: optionalArg('Third word of the command'),
  }
  static override flags = {
    from: Flags.string({
      required: true,
      helpValue: 'FILE|-',
      summary: 'CSV or NDJSON file. Columns are path parameters, query parameters and body fields by name.',
    }),
    map: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'column=target',
      summary: 'Target of a column: path:id, query:size, or a.b in the body. Repeatable.',
    }),
    field: Flags.string({
      char: 'F',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'path=value',
      summary: 'Set a field in all rows that do not have it; also path:id or query:size. Repeatable.',
    }),
    type: Flags.string({
      helpValue: 'credit',
      summary: 'Type of the account, if the command has an operation for each type.',
    }),
    precheck: Flags.boolean({
      allowNo: true,
      default: true,
      summary: 'Check all rows before any is sent.',
    }),
    rows: integerFlag({
      min: 0,
      helpValue: 'N',
      summary: 'Number of rows that you expect. Sends nothing if the file has another.',
    }),
    'allow-empty': Flags.boolean({summary: 'Accept a file without rows, with exit 0.'}),
    'job-key': Flags.string({
      helpValue: 'NAME',
      exclusive: ['shared'],
      summary:
        'Run the job of this name, or continue it. The same command repeats no row; see docs/bulk.md for other machines.',
    }),
    'retry-failed': Flags.boolean({
      dependsOn: ['job-key'],
      summary: 'Also send the failed rows of the job again.',
    }),
    'first-run': Flags.boolean({
      dependsOn: ['job-key'],
      summary: 'Confirm that no other machine has run the job, if only this data folder protects it.',
    }),
    ...rowFileFlags,
    ...bulkFlags,
    shared: Flags.boolean({
      summary: 'Put the job into the database of the team, so that other machines can work on it.',
    }),
    prepare: Flags.boolean({
      dependsOn: ['shared'],
      summary: 'Only create the shared job; bulk work sends its rows.',
    }),
    lease: durationFlag({
      dependsOn: ['shared'],
      summary: 'How long a worker may be silent before others get its rows (default 30s).',
    }),
  }

  async run() {
    const {args, flags} = await this.parse(BulkRun)
    const words = [args.operation, args.verb, args.more].flatMap(arg => arg?.split(/\s+/) ?? [])
    const id = this.operation(words, flags.type)
    const asked = flags.decimal === undefined ? await this.askDecimal(id, flags) : undefined
    const read = {...flags, decimal: asked ?? flags.decimal, careful: asked !== undefined || this.wasAsked}
    const summary = await startBulk(this.context, id, read)
    if (flags.results !== '-') await this.context.printer.data(summary, bulkJobView)
    return summary
  }

  private async askDecimal(
    id: string,
    {map, ...given}: {from: string; map?: string[] | undefined; encoding?: Encoding | undefined},
  ): Promise<Decimal | undefined> {
    if (!this.context.interactive) return undefined
    const signs = await this.context.numbers.signs()
    const file = {...given, signs, map: parseMap(map)}
    const decimal = await askFileDecimal(this.context, bulkOperation(id), file)
    if (decimal !== undefined) this.answered('--decimal', decimal)
    return decimal
  }

  private operation(words: readonly string[], type: string | undefined): string {
    const command = this.config.findCommand(words.join(':')) as {claims?: readonly string[]} | undefined
    const {claims = []} = command ?? {}
    return claims.length === 0 ? words.join(' ') : operationOfCommand(words.join(' '), claims, type)
  }
}
