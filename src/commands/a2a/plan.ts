import * as Flags from '@oclif/core/flags'
import type {Guide} from '../../cli/guided/guide.ts'
import {BODY} from '../../cli/needs.ts'
import type {ShownPlan} from '../../cli/shown-plan.ts'
import {TransfersCommand, transfersFlags} from './shared/transfers-command.ts'

const {plan: _, propose: __, ...baseFlags} = TransfersCommand.baseFlags
const {'retry-failed': ___, ...planFlags} = transfersFlags

/** `a2a create --plan FILE`, under the name that people look for. */
export default class A2aPlan extends TransfersCommand {
  static readonly sendsAs = ['a2a', 'create'] as const
  static override summary = 'Write transfers to a plan, to look at it first and then send exactly that.'
  static override description =
    'Reads and checks the transfers as a2a create does, and sends nothing. apply sends the plan. More: cardctl help docs/bulk.md.'
  static override examples = [
    '<%= config.bin %> a2a plan --from transfers.csv --out transfers.plan',
    '<%= config.bin %> a2a plan --transfer 2006:2007:12.50:EUR:Rent --out rent.plan',
  ]
  // For TypeScript a subclass has all flags of its base.
  static override baseFlags = baseFlags as typeof TransfersCommand.baseFlags
  // What a plan cannot have would be refused.
  static override flags = {
    ...(planFlags as typeof transfersFlags),
    out: Flags.string({
      required: true,
      helpValue: 'FILE',
      summary: 'File to write the plan to. It must not exist.',
    }),
  }

  static override guide: Guide = {
    ...TransfersCommand.guide,
    needs: [{anyOf: ['--transfer', '--from'], or: [...BODY]}],
  }

  async run(): Promise<ShownPlan | undefined> {
    const {flags} = await this.parse(A2aPlan)
    await this.create({...flags, plan: flags.out})
    return undefined
  }
}
