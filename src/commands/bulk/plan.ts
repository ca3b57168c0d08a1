import * as Flags from '@oclif/core/flags'
import {idArg, optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {operationFlags, purposeFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {contractFlag} from '../x/shared/flags.ts'
import {namedOperation, refuseAnswered} from './shared/operation.ts'
import {refusePart, wordsOf} from './shared/part-of-another.ts'
import {planRows} from './shared/plan-rows.ts'
import {runFlags} from './shared/start-job.ts'

const {from, map, field, type, rows, decimal, encoding, sheet} = runFlags

export default class BulkPlan extends BaseCommand {
  static override summary =
    'Write to a plan what each row of a file would change, against what is there now. Sends nothing.'
  static override description =
    'Reads and checks the rows as bulk run does, and looks at what they change. apply sends exactly what the plan has. More: cardctl help docs/bulk.md.'
  static override examples = [
    '<%= config.bin %> bulk plan accounts patch --type credit --from limits.csv --out limits.plan',
  ]
  static override args = {
    operation: idArg('the operation', {more: ', or the command that sends it'}),
    verb: optionalArg('Second word of the command'),
    more: optionalArg('Third word of the command'),
  }
  static override flags = {
    from,
    map,
    field,
    type,
    ...contractFlag,
    rows,
    decimal,
    encoding,
    sheet,
    'hidden-rows': runFlags['hidden-rows'],
    'marked-rows': runFlags['marked-rows'],
    'other-types': runFlags['other-types'],
    mapping: runFlags.mapping,
    'save-mapping': runFlags['save-mapping'],
    'no-final-newline': runFlags['no-final-newline'],
    out: Flags.string({
      required: true,
      helpValue: 'FILE',
      summary: 'File to write the plan to. It must not exist.',
    }),
    ...purposeFlags,
    'audit-user': operationFlags['audit-user'],
  }

  protected override get guide(): Guide {
    return {checks: {operation: text => refuseAnswered(this.context, this.config, text)}}
  }

  protected override async init(): Promise<void> {
    await super.init()
    refusePart(this.config, wordsOf(this.argv))
  }

  async run() {
    const {args, flags} = await this.parse(BulkPlan)
    const words = [args.operation, args.verb, args.more].flatMap(arg => arg?.split(/\s+/) ?? [])
    let {'other-types': others} = flags
    const answered = (flag: string, value: string): void => {
      if (flag === '--other-types') others = 'skip'
      this.answered(flag, value)
    }
    const id = await namedOperation(this.context, this.config, words, {...flags, file: flags, answered})
    return planRows(this.context, id, {...flags, 'other-types': others, answered})
  }
}
